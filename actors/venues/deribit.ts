/**
 * Deribit: spot, USDC-settled (linear) and coin-settled (inverse) perpetuals. https://docs.deribit.com
 *
 * Amounts on the wire (book, open interest, volume) are base units, and US dollars on inverse contracts;
 * `contract_size` is only their smallest step and multiplies nothing.
 */
import { isRecord, optionalNonZero, required } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import {
  derivative,
  interest,
  type PartName,
  price,
  type Read,
  reader,
  readInstruments,
  resultOf,
  tradedOf,
} from './deribit-rows.ts';
import { bars, field, levels, list, marketRows, ohlc, type Size, sizeOf } from './rows.ts';
import { defineVenue, type MarketAsk, type Part, type SharedPart } from './venue.ts';

/** https://docs.deribit.com/#rpc-error-codes */
const faults: ReadonlyMap<number, FailureCode> = new Map([
  [10_020, 'unknown_instrument'],
  [13_020, 'unknown_instrument'],
  [10_028, 'rate_limited'],
  [10_040, 'unavailable'],
  [10_041, 'unavailable'],
  [10_047, 'rate_limited'],
  [11_051, 'unavailable'],
  [11_094, 'unavailable'],
]);

/** JSON-RPC errors, with HTTP 400 as a rule; the code decides, whatever the status. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || !isRecord(body.error)) return null;
  const { code, data } = body.error;
  if (typeof code !== 'number') return null;
  return { code: faultCode(status, code, data), message: `Deribit error ${code}`, status };
}

function faultCode(status: number, code: number, data: unknown): FailureCode {
  // "Invalid params": of all parameters only the instrument is a client's.
  if (code === -32_602 && isRecord(data) && data.param === 'instrument_name') {
    return 'unknown_instrument';
  }
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

const get = (
  path: string,
  query: UpstreamRequest['query'],
  budget: 'default' | 'instruments' = 'default',
): UpstreamRequest => ({ api: 'rest', path: `/api/v2/public/${path}`, budget, query });

const instruments = (part: PartName, ...currencies: string[]): Part<Instrument> => ({
  requests: () =>
    currencies.map((currency) => {
      const kind = part === 'spot' ? 'spot' : 'future';
      return get('get_instruments', { currency, kind, expired: 'false' }, 'instruments');
    }),
  parse: (bodies) => readInstruments(part, bodies),
});

const prices = (part: PartName, ...currencies: string[]): Part<PriceRow> => ({
  requests: () =>
    currencies.map((currency) =>
      get('get_book_summary_by_currency', { currency, kind: part === 'spot' ? 'spot' : 'future' }),
    ),
  parse(bodies, { instruments: markets }) {
    const { rows, dropped } = marketRows(tradedOf(bodies), markets, reader(part, price));
    // A pair may be listed under both of its currencies.
    return { rows: [...new Map(rows.map((row) => [row.market, row])).values()], dropped };
  },
  needsInstruments: true,
});

const shared = <Row>(part: PartName, read: Read<Row>): SharedPart<Row> => ({
  bodiesOf: 'prices',
  parse: (bodies, context) => marketRows(resultOf(bodies), context.instruments, reader(part, read)),
});

/** Amounts of a market that the list does not hold are in dollars or base as its form says. */
const sizeFor = (ask: MarketAsk): Size => ({
  ...sizeOf(ask, false),
  inverse: ask.part === 'inverse',
});

const minute = 60_000;
const lengthOf = (resolution: string) =>
  resolution === '1D' ? 1440 * minute : required(resolution) * minute;

const columns = ['ticks', 'open', 'high', 'low', 'close', 'volume', 'cost'] as const;

export const deribit = defineVenue({
  id: 'deribit',
  name: 'Deribit',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-PERPETUAL',
  apis: {
    rest: {
      hosts: ['https://www.deribit.com'],
      budgets: {
        // 500 credits a call, 10,000 of them a second; instruments: a burst of 5, then one in 10 s.
        default: { weight: 20, per: 1000 },
        instruments: { weight: 5, per: 50_000 },
      },
      fault,
      maxBody: 16 * 2 ** 20,
    },
  },
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('-')) return 'spot';
    return market.includes('_') ? 'linear' : 'inverse';
  },
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: instruments('spot', 'any'),
        linear: instruments('linear', 'USDC'),
        inverse: instruments('inverse', 'BTC', 'ETH'),
      },
    },
    prices: {
      every: 30_000,
      parts: {
        // Whether a pair is listed under its base, its quote or both is not documented.
        spot: prices('spot', 'USDC', 'USDT', 'BTC', 'ETH'),
        linear: prices('linear', 'USDC'),
        inverse: prices('inverse', 'BTC', 'ETH'),
      },
    },
    derivatives: {
      every: 30_000,
      parts: { linear: shared('linear', derivative), inverse: shared('inverse', derivative) },
    },
    openInterest: {
      every: 30_000,
      parts: {
        linear: shared('linear', interest('linear')),
        inverse: shared('inverse', interest('inverse')),
      },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ market, depth }) {
        const legal = [1, 5, 10, 20].find((levels) => levels >= depth) ?? 50;
        return get('get_order_book', { instrument_name: market, depth: legal });
      },
      parse(body, ask) {
        const book = field(body, 'result');
        return {
          bids: levels(field(book, 'bids'), sizeFor(ask)),
          asks: levels(field(book, 'asks'), sizeFor(ask)),
          stated: optionalNonZero(field(book, 'timestamp')),
        };
      },
    },
    candles: {
      // No 4h, 8h, 3d, 1w, 1M.
      intervals: {
        '1m': '1',
        '3m': '3',
        '5m': '5',
        '15m': '15',
        '30m': '30',
        '1h': '60',
        '2h': '120',
        '6h': '360',
        '12h': '720',
        '1d': '1D',
      },
      page: 5000,
      request({ market, interval, limit, before, now = 0 }) {
        // No count, only a range.
        const end = before === undefined ? now : before - 1;
        const start = Math.max(0, end - limit * lengthOf(interval) + 1);
        const range = { start_timestamp: start, end_timestamp: end };
        return get('get_tradingview_chart_data', {
          instrument_name: market,
          resolution: interval,
          ...range,
        });
      },
      /** Columns: `volume` in base on every contract, `cost` in quote. */
      parse(body, ask) {
        const result = field(body, 'result');
        if (isRecord(result) && result.status === 'no_data') return [];
        const found = columns.map((name) => list(field(result, name), name));
        const rows = found[0]?.map((_, i) => found.map((column) => column[i]));
        const { scale } = sizeOf(ask, false);
        return bars(rows, scale, (row) => ohlc(row, required(row[5]), required(row[6])));
      },
    },
  },
});

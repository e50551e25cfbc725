/**
 * Lighter: perpetuals and spot in USDC, in one list. A market's id is its number, which every call
 * takes. https://apidocs.lighter.xyz
 */
import { isRecord, positive, required, text } from '../read.ts';
import {
  type Failure,
  type FailureCode,
  type Instrument,
  intervals,
  isInterval,
  type Level,
} from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import { funding, idOf, interests, marketStats, tickers } from './lighter-rows.ts';
import {
  bars,
  bulk,
  field,
  instrument,
  instrumentRows,
  levels,
  list,
  marketRows,
  type Size,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { defineVenue, type MarketAsk, type Part } from './venue.ts';

const faults: ReadonlyMap<number, FailureCode> = new Map([
  // "invalid param": of all parameters only the market is a client's.
  [20001, 'unknown_instrument'],
  [21602, 'unknown_instrument'],
  [23000, 'rate_limited'],
]);

/** `{code, message}` with any status; 200 and no code mean success. */
function fault(status: number, body: unknown): Failure | null {
  const number = isRecord(body) ? required(body.code) : required(null);
  if (!(number >= 0) || number === 200) return null;
  return { code: faultCode(status, number), message: `Lighter error ${number}`, status };
}

function faultCode(status: number, code: number): FailureCode {
  if (status === 429) return 'rate_limited';
  const known = faults.get(code);
  if (known) return known;
  if (status === 403 || status === 451) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

const get = (path: string, query: UpstreamRequest['query'] = {}): UpstreamRequest => ({
  api: 'rest',
  path: `/api/v1${path}`,
  query,
});

const hour = 3_600_000;
const details = (): readonly UpstreamRequest[] => [get('/orderBookDetails', { filter: 'all' })];

const perpetuals = (body: unknown) => list(field(body, 'order_book_details'), 'perpetuals');
const everything = (body: unknown) =>
  bulk(
    [...perpetuals(body), ...list(field(body, 'spot_order_book_details') ?? [], 'spot')],
    'markets',
  );

/** Shares, metals and currencies are listed too; those that state trading hours are passed over. */
function kindOf(row: WireRow): Instrument['kind'] {
  const config = isRecord(row.market_config) ? row.market_config : {};
  if (row.status !== 'active' || config.hidden === true) return 'other';
  if (text(config.trading_hours) !== '') return 'other';
  if (row.market_type === 'spot') return 'spot';
  return row.market_type === 'perp' ? 'perpetual' : 'other';
}

/** `ETH` is a perpetual in USDC, `ETH/USDC` a spot pair. Quantities are in base everywhere. */
function readInstrument(row: WireRow, market: string): Instrument | null {
  const [base = '', quote = 'USDC'] = text(row.symbol).split('/');
  const facts = { market, kind: kindOf(row), base, quote, contract: 1, inverse: false };
  const found = instrument(facts);
  return found && { ...found, name: text(row.symbol) };
}

const instruments: Part<Instrument> = {
  requests: details,
  parse([body]) {
    const rows = everything(body).map((row) => isRecord(row) && { ...row, id: idOf(row) });
    return instrumentRows(rows, 'id', readInstrument);
  },
};

/** The list compares Lighter with other exchanges. */
const isOwn = (row: unknown): boolean => !isRecord(row) || row.exchange === 'lighter';

/** One row an order: the sums by price. */
function book(rows: unknown, size: Size): Level[] {
  const byPrice = new Map<number, Level>();
  for (const level of levels(rows, size, 'price', 'remaining_base_amount')) {
    const known = byPrice.get(level.price);
    if (known) known.quantity += level.quantity;
    else byPrice.set(level.price, level);
  }
  return [...byPrice.values()];
}

/** What the request takes beside the contract's own: the time of asking. */
type CandleAsk = MarketAsk & { interval: string; limit: number; before?: number; now?: number };
const lengthOf = (word: string): number => (isInterval(word) ? intervals[word] : 0);
/** The latest time that the documentation allows. */
const latest = 5_000_000_000_000;

export const lighter = defineVenue({
  id: 'lighter',
  name: 'Lighter',
  kinds: ['spot', 'perpetual'],
  // BTC
  example: 'BTC',
  apis: {
    rest: {
      hosts: ['https://mainnet.zklighter.elliot.ai'],
      budgets: { default: { weight: 60, per: 60_000 } },
      fault,
    },
  },
  // One list and one ticker request hold both kinds.
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: { every: hour, parts: { all: instruments } },
    prices: {
      every: 30_000,
      parts: {
        all: {
          requests: details,
          parse: ([body], context) => marketRows(everything(body), context.instruments, tickers),
          needsInstruments: true,
        },
      },
    },
    derivatives: {
      every: 30_000,
      parts: {
        all: {
          requests: () => [get('/funding-rates')],
          parse([body], { instruments: markets, received }) {
            const rows = bulk(field(body, 'funding_rates'), 'funding rates').filter(isOwn);
            return marketRows(bulk(rows, 'own rates'), markets, funding(received));
          },
          needsInstruments: true,
          stream: marketStats,
        },
      },
    },
    openInterest: {
      every: 30_000,
      parts: {
        all: {
          bodiesOf: 'prices',
          parse: ([body], context) =>
            marketRows(bulk(perpetuals(body), 'perpetuals'), context.instruments, interests),
        },
      },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      /** The most there is: orders, not levels, are counted. */
      request: ({ market }) => get('/orderBookOrders', { market_id: market, limit: 250 }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return {
          bids: book(field(body, 'bids'), size),
          asks: book(field(body, 'asks'), size),
          stated: null,
        };
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 3d, 1M.
      intervals: {
        ...{ '1m': '1m', '5m': '5m', '15m': '15m', '30m': '30m', '1h': '1h' },
        ...{ '4h': '4h', '12h': '12h', '1d': '1d', '1w': '1w' },
      },
      page: 500,
      /** The last `count_back` bars that open before `end_timestamp`, ms. */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const end = before === undefined ? now : before - 1;
        const start = end === undefined ? 0 : Math.max(0, end - limit * lengthOf(interval));
        return get('/candles', {
          market_id: market,
          resolution: interval,
          start_timestamp: start,
          end_timestamp: end ?? latest,
          count_back: limit,
        });
      },
      /** `v` is in base, `V` in quote; without bars `c` is null. */
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        const rows = field(body, 'c');
        return bars(rows === null ? [] : rows, scale, (row) => ({
          timestamp: required(row.t),
          open: positive(row.o),
          high: positive(row.h),
          low: positive(row.l),
          close: positive(row.c),
          volume: required(row.v),
          turnover: required(row.V),
        }));
      },
    },
  },
});

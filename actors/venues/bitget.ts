/** Bitget: spot and perpetuals of three product types, API v2. https://www.bitget.com/api-doc */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import type {
  DerivativeRow,
  Failure,
  FailureCode,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { Budget, UpstreamRequest } from '../upstream/request.ts';
import {
  bars,
  bulk,
  by,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  levels,
  marketRows,
  ohlc,
  openInterestOf,
  priceOf,
  type Reader,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { defineVenue, type Part, type SharedPart } from './venue.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['429', 'rate_limited'],
  ['30001', 'rate_limited'],
  ['40010', 'unavailable'],
  ['40015', 'unavailable'],
  ['40725', 'unavailable'],
  ['45001', 'unavailable'],
  // "Parameter does not exist", said of a symbol; "cannot be empty", likewise; a contract that was removed.
  ['40034', 'unknown_instrument'],
  ['40019', 'unknown_instrument'],
  ['40309', 'unknown_instrument'],
]);

/** `{code, msg}` with a `code` other than "00000"; mostly a 400. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'string' || body.code === '00000') return null;
  if (typeof body.msg !== 'string') return null;
  return { code: faultCode(status, body.code), message: `Bitget error ${body.code}`, status };
}

function faultCode(status: number, code: string): FailureCode {
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403 || status === 451) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** 20 a second and address, each path by itself. */
const budgets: Record<string, Budget> = Object.fromEntries(
  ['instruments', 'tickers', 'funding', 'books', 'candles', 'history']
    .flatMap((path) => [`spot-${path}`, `mix-${path}`])
    .concat('default')
    .map((name) => [name, { weight: 20, per: 1000 }]),
);

type Query = NonNullable<UpstreamRequest['query']>;
type Futures = 'usdt-futures' | 'usdc-futures' | 'coin-futures';
type PartName = 'spot' | Futures;

/** Parts of futures are the product types, which the documentation writes in capitals. */
const get = (part: string, path: string, budget: string, query: Query = {}): UpstreamRequest =>
  part === 'spot'
    ? { api: 'rest', path: `/api/v2/spot${path}`, budget: `spot-${budget}`, query }
    : {
        api: 'rest',
        path: `/api/v2/mix${path}`,
        budget: `mix-${budget}`,
        query: { productType: part.toUpperCase(), ...query },
      };

const rowsOf = (body: unknown) => bulk(field(body, 'data'), 'data');

/** Dated contracts and those on shares, metals and currencies (`isRwa`) are not followed. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if (part === 'spot') return row.status === 'online' ? 'spot' : 'other';
  const trades = row.symbolStatus === 'normal' && row.isRwa !== 'YES';
  return trades && row.symbolType === 'perpetual' ? 'perpetual' : 'other';
}

/** Quantities are in base everywhere, in COIN-FUTURES too: `sizeMultiplier` is a step, not a contract. */
const instruments = (part: PartName): Part<Instrument> => ({
  requests: () => [
    get(part, part === 'spot' ? '/public/symbols' : '/market/contracts', 'instruments'),
  ],
  parse: ([body]) =>
    instrumentRows(rowsOf(body), 'symbol', (row, market) =>
      instrument({
        market,
        kind: kindOf(row, part),
        base: text(row.baseCoin),
        quote: text(row.quoteCoin),
        contract: 1,
        inverse: false,
        fundingHours: positive(row.fundInterval) || null,
      }),
    ),
});

/** `change24h` is a fraction; `ts` can be 0. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  read: (row, market) =>
    priceOf(market, {
      last: positive(row.lastPr),
      volume: required(row.quoteVolume),
      change: required(row.change24h) * 100,
      stated: optionalNonZero(row.ts),
    }),
};

const askTickers = (part: PartName) => get(part, '/market/tickers', 'tickers');

const prices = (part: PartName): Part<PriceRow> => ({
  requests: () => [askTickers(part)],
  parse: ([body], { instruments: markets }) => marketRows(rowsOf(body), markets, tickers),
  needsInstruments: true,
});

/** Tickers have mark, index and rate; hours and the next funding are in a list of their own. */
const derivatives = (part: Futures): Part<DerivativeRow> => ({
  requests: () => [
    askTickers(part),
    { ...get(part, '/market/current-fund-rate', 'funding'), optional: true },
  ],
  parse([body, rates], { instruments: markets }) {
    const fundings = new Map<string, WireRow>();
    for (const row of rates === undefined ? [] : rowsOf(rates))
      if (isRecord(row)) fundings.set(text(row.symbol), row);
    return marketRows(rowsOf(body), markets, {
      id: by('symbol'),
      read(row, market) {
        const funding = fundings.get(market.market) ?? {};
        const listed = market.funding_hours ?? positive(null);
        return derivativeOf(market, {
          mark: positive(row.markPrice),
          index: positive(row.indexPrice),
          rate: required(funding.fundingRate ?? row.fundingRate),
          hours: positive(funding.fundingRateInterval) || listed,
          next: optionalNonZero(funding.nextUpdate),
          stated: optionalNonZero(row.ts),
        });
      },
    });
  },
  needsInstruments: true,
});

/** `holdingAmount` is base. Which sides it counts is not documented: taken as one. Some rows have no mark price. */
const interests: Reader<Instrument, OpenInterestRow> = {
  id: by('symbol'),
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.holdingAmount),
      value: required(null),
      mark: positive(row.markPrice) || positive(row.lastPr),
      stated: optionalNonZero(row.ts),
    }),
};

const openInterest: SharedPart<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments: markets }) => marketRows(rowsOf(body), markets, interests),
};

const futures = <P>(make: (part: Futures) => P): Record<Futures, P> => ({
  'usdt-futures': make('usdt-futures'),
  'usdc-futures': make('usdc-futures'),
  'coin-futures': make('coin-futures'),
});

/** Futures accept these depths only; spot accepts any up to 150. */
const futuresDepth = (depth: number) => [5, 15].find((legal) => legal >= depth) ?? 50;

/** Futures write 1m, 1H where spot writes 1min, 1h; both write 6Hutc. */
const spotWord = (interval: string) => interval.replace(/m$/, 'min').replace(/H$/, 'h');

/** Base and quote volume; spot has the volume in USDT between them. */
const candle = (row: WireRow) => ohlc(row, required(row[5]), required(row[7] ?? row[6]));

/**
 * The order of the two is not settled for COIN-FUTURES, but quote is base times price: above a price of 1 it is the
 * larger of them.
 */
function coinCandle(row: WireRow) {
  const [a, b] = [required(row[5]), required(row[6])];
  const quoteFirst = a > b === positive(row[4]) > 1;
  return quoteFirst ? ohlc(row, b, a) : ohlc(row, a, b);
}

export const bitget = defineVenue({
  id: 'bitget',
  name: 'Bitget',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis: {
    rest: {
      hosts: ['https://api.bitget.com'],
      budgets,
      fault,
    },
  },
  parts: ['spot', 'usdt-futures', 'usdc-futures', 'coin-futures'],
  partOf(market) {
    if (market.endsWith('PERP')) return 'usdc-futures';
    // BTCUSD, and ETHUSD_260626 which is dated.
    return /USD(_\d{6})?$/.test(market) ? 'coin-futures' : 'spot';
  },
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: instruments('spot'), ...futures(instruments) },
    },
    prices: { every: 30_000, parts: { spot: prices('spot'), ...futures(prices) } },
    derivatives: { every: 30_000, parts: futures(derivatives) },
    openInterest: { every: 30_000, parts: futures(() => openInterest) },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ part, market, depth }) {
        if (part !== 'spot') {
          const query = { symbol: market, precision: 'scale0', limit: futuresDepth(depth) };
          return get(part, '/market/merge-depth', 'books', query);
        }
        const query = { symbol: market, type: 'step0', limit: depth };
        return get(part, '/market/orderbook', 'books', query);
      },
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const book = field(body, 'data');
        return {
          bids: levels(field(book, 'bids'), size),
          asks: levels(field(book, 'asks'), size),
          stated: optionalNonZero(field(book, 'ts')),
        };
      },
    },
    candles: {
      // No 8h anywhere and no 2h on spot. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1H',
        '4h': '4H',
        '6h': '6Hutc',
        '12h': '12Hutc',
        '1d': '1Dutc',
        '3d': '3Dutc',
        '1w': '1Wutc',
        '1M': '1Mutc',
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const granularity = part === 'spot' ? spotWord(interval) : interval;
        const query = { symbol: market, granularity };
        if (before === undefined) {
          return get(part, '/market/candles', 'candles', { ...query, limit });
        }
        // `candles` reaches back some months only; the history has 200 rows a page.
        const page = { endTime: before, limit: limit < 200 ? limit : 200 };
        return get(part, '/market/history-candles', 'history', { ...query, ...page });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        return bars(field(body, 'data'), scale, ask.part === 'coin-futures' ? coinCandle : candle);
      },
    },
  },
});

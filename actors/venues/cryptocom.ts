/**
 * Crypto.com Exchange: spot and USD-settled perpetuals, all of them linear and counted in base.
 * https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html
 */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import {
  type DerivativeRow,
  type Failure,
  type FailureCode,
  type Instrument,
  type Interval,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import type { Bar } from './candles.ts';
import {
  dataOf,
  interest,
  rates,
  readInstruments,
  tickers,
  tradedOf,
  valuations,
  valuationTypes,
} from './cryptocom-rows.ts';
import { bars, bulk, field, levels, list, marketRows, sizeOf, type WireRow } from './rows.ts';
import { defineVenue, type Part, type SharedPart } from './venue.ts';

const faults: ReadonlyMap<number, FailureCode> = new Map([
  [10_006, 'rate_limited'],
  [30_003, 'unknown_instrument'],
  [40_801, 'unavailable'],
  [42_901, 'rate_limited'],
  [50_001, 'unavailable'],
  [9_010_001, 'unavailable'],
]);

/** `{ code, message }` with a code other than 0, whatever the status; an unknown path has a body without one. */
function fault(status: number, body: unknown): Failure | null {
  const code = isRecord(body) ? optionalNonZero(body.code) : null;
  if (!isRecord(body) || code === null) return null;
  return {
    code: faultCode(status, code, text(body.message)),
    message: `Crypto.com error ${code}`,
    status,
  };
}

function faultCode(status: number, code: number, message: string): FailureCode {
  if (code === 40_004 && message.includes('instrument')) return 'unknown_instrument';
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** Each method has a budget of its own, valuations one for each type. */
const get = (method: string, query: UpstreamRequest['query']): UpstreamRequest => ({
  api: 'rest',
  path: `/exchange/v1/public/get-${method}`,
  budget: method,
  query,
});

const instruments: Part<Instrument> = {
  requests: () => [get('instruments', {})],
  parse: ([body]) => readInstruments(body),
};

const prices: Part<PriceRow> = {
  requests: () => [get('tickers', {})],
  parse: ([body], { instruments: markets }) =>
    marketRows(bulk(tradedOf(body), 'traded'), markets, tickers),
  needsInstruments: true,
};

const openInterest: SharedPart<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse([body], { instruments: markets }) {
    const perpetuals = tradedOf(body).filter(
      (row) => isRecord(row) && markets.get(text(row.i))?.kind === 'perpetual',
    );
    return marketRows(perpetuals, markets, interest);
  },
};

/** Asked for a perpetual, `index_price` is that of its index, whose own name need not be known. */
const aboutPerpetual = (market: string): UpstreamRequest[] =>
  valuationTypes.map((type) => ({
    // More than one row makes the newest up to 20 s old.
    ...get('valuations', { instrument_name: market, valuation_type: type, count: 1 }),
    budget: type,
    market,
  }));

const derivatives: Part<DerivativeRow> = {
  requests: ({ markets }) => markets.flatMap(aboutPerpetual),
  parse: (bodies, { instruments: markets, received }) =>
    marketRows(valuations(bodies), markets, rates(received)),
  needsInstruments: true,
  rotates: true,
};

/** No 3m, 8h, 3d; 2h is not in all sources and no source says when a week of `7D` opens: both are built. */
const words = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '30m': '30m',
  '1h': '1h',
  '4h': '4h',
  '6h': '6h',
  '12h': '12h',
  '1d': '1D',
  '1M': '1M',
} as const satisfies Partial<Record<Interval, string>>;

const lengths: ReadonlyMap<string, number> = new Map([
  ...Object.entries(intervals),
  [words['1d'], intervals['1d']],
]);

/** Bars in one answer. */
const most = 300;

/** Right whether or not the ends belong to the range, which is not documented. */
const range = (interval: string, limit: number, before: number) => ({
  count: most,
  start_ts: Math.max(0, before - limit * (lengths.get(interval) ?? 0) - 1),
  end_ts: before - 1,
});

const candle = (row: WireRow): Bar => ({
  timestamp: required(row.t),
  open: positive(row.o),
  high: positive(row.h),
  low: positive(row.l),
  close: positive(row.c),
  volume: required(row.v),
  turnover: null,
});

const perSecond = (weight: number) => ({ weight, per: 1000 });

export const cryptocom = defineVenue({
  id: 'cryptocom',
  name: 'Crypto.com',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis: {
    rest: {
      hosts: ['https://api.crypto.com'],
      budgets: {
        // 100 a second, method and address.
        default: perSecond(40),
        instruments: perSecond(10),
        tickers: perSecond(40),
        // One method: less than half of what it allows in all. Each type waits by itself, so that none is crowded out.
        funding_rate: perSecond(13),
        mark_price: perSecond(13),
        index_price: perSecond(13),
        book: perSecond(40),
        candlestick: perSecond(40),
      },
      fault,
    },
  },
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: { every: 3_600_000, parts: { all: instruments } },
    prices: { every: 30_000, parts: { all: prices } },
    derivatives: { every: 30_000, parts: { all: derivatives } },
    openInterest: { every: 30_000, parts: { all: openInterest } },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: ({ market, depth }) => get('book', { instrument_name: market, depth }),
      parse(body, ask) {
        const [book] = list(dataOf(body), 'book');
        const size = sizeOf(ask, false);
        return {
          bids: levels(field(book, 'bids'), size),
          asks: levels(field(book, 'asks'), size),
          stated: optionalNonZero(field(book, 't')),
        };
      },
    },
    candles: {
      intervals: words,
      page: most,
      request({ market, interval, limit, before }) {
        const what = { instrument_name: market, timeframe: interval };
        const which = before === undefined ? { count: limit } : range(interval, limit, before);
        return get('candlestick', { ...what, ...which });
      },
      parse: (body, ask) => bars(dataOf(body), sizeOf(ask, false).scale, candle),
    },
  },
});

/**
 * Backpack: spot and linear perpetuals, all quoted in USDC, in one list.
 * https://docs.backpack.exchange
 */
import { ShapeError } from '../failure.ts';
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
import { sameWords } from './candles.ts';
import { utcTimeOf } from './iso.ts';
import {
  bars,
  bulk,
  by,
  changeOf,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  levels,
  list,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import { defineVenue, type MarketAsk, type Part } from './venue.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['TOO_MANY_REQUESTS', 'rate_limited'],
  ['FORBIDDEN', 'blocked'],
  ['MAINTENANCE', 'unavailable'],
  ['SERVER_ERROR', 'unavailable'],
  ['TIMEOUT', 'unavailable'],
  ['TRADING_PAUSED', 'unavailable'],
  ['INVALID_MARKET', 'unknown_instrument'],
  ['INVALID_SYMBOL', 'unknown_instrument'],
  // The order book of a closed market.
  ['RESOURCE_NOT_FOUND', 'unknown_instrument'],
]);

/** `{code, message}`; parameters of a wrong form and unknown paths are answered in plain text. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || text(body.code) === '' || typeof body.message !== 'string') return null;
  const code = faultCode(status, text(body.code), body.message);
  return { code, message: `Backpack error ${text(body.code)}`, status };
}

function faultCode(status: number, code: string, message: string): FailureCode {
  // "Invalid market symbol", "Symbol not found"
  if (code === 'INVALID_CLIENT_REQUEST' && /symbol/i.test(message)) return 'unknown_instrument';
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

const get = (
  path: string,
  query: UpstreamRequest['query'] = {},
  budget = 'default',
): UpstreamRequest => ({ api: 'rest', path: `/api/v1${path}`, query, budget });

const hour = 3_600_000;
const kinds: ReadonlyMap<unknown, Instrument['kind']> = new Map([
  ['SPOT', 'spot'],
  ['PERP', 'perpetual'],
]);

/** `rwaMarketType` stands on shares, indices, commodities and currencies only. */
const kindOf = (row: WireRow): Instrument['kind'] =>
  row.orderBookState === 'Open' && text(row.rwaMarketType) === ''
    ? (kinds.get(row.marketType) ?? 'other')
    : 'other';

/** Quantities are in base everywhere. `fundingInterval` is in ms and means nothing on spot. */
const readInstrument = (row: WireRow, market: string): Instrument | null =>
  instrument({
    market,
    kind: kindOf(row),
    base: text(row.baseSymbol),
    quote: text(row.quoteSymbol),
    contract: 1,
    inverse: false,
    fundingHours:
      row.marketType === 'PERP' ? optionalNonZero(positive(row.fundingInterval) / hour) : null,
  });

/**
 * `SOL_USDC`, `SOL_USDC_PERP`; other endings are other types, a dot in the base is a share's
 * (`AAPL.US`).
 */
function fromId(market: string): Instrument | null {
  const [base, quote, type, ...more] = market.split('_');
  if (!base || !quote) return null;
  const crypto = more.length === 0 && !base.includes('.');
  const kind = type === undefined ? 'spot' : type === 'PERP' ? 'perpetual' : 'other';
  return {
    ...{ market, quote, kind: crypto ? kind : 'other', ...canonical(base) },
    ...{ contract: 1, inverse: false, funding_hours: null },
  };
}

const instruments: Part<Instrument> = {
  requests: () => [get('/markets')],
  parse: ([body]) => instrumentRows(bulk(body, 'markets'), 'symbol', readInstrument),
};

/** `priceChangePercent` is rounded, or `N/A`; `firstPrice` is the price 24 h ago. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  fromId,
  read(row, market) {
    const last = positive(row.lastPrice);
    const change = changeOf(last, positive(row.firstPrice));
    return priceOf(market, { last, volume: required(row.quoteVolume), change, stated: null });
  },
};

/** The running estimate of the rate, a fraction per interval of the market. */
const marks: Reader<Instrument, DerivativeRow> = {
  id: by('symbol'),
  fromId,
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.fundingRate),
      hours: required(market.funding_hours),
      next: optionalNonZero(row.nextFundingTimestamp),
      stated: null,
    }),
};

/** `openInterest` is in base; Backpack does not say how it counts, and it is taken as one side. */
const interests = (markOf: ReadonlyMap<string, number>): Reader<Instrument, OpenInterestRow> => ({
  id: by('symbol'),
  fromId,
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.openInterest),
      value: required(null),
      mark: required(markOf.get(market.market)),
      stated: optionalNonZero(row.timestamp),
    }),
});

const isRow = (value: unknown): value is WireRow => isRecord(value);
const marksOf = (rows: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(rows.filter(isRow).map((row) => [text(row.symbol), positive(row.markPrice)]));

/** A bar without trades may have null prices. */
const isTraded = (row: unknown): boolean => !isRecord(row) || row.open !== null;

/** What the request needs beside the contract's own: the time of asking. */
type CandleAsk = MarketAsk & { interval: string; limit: number; before?: number; now?: number };

const words: Readonly<Partial<Record<Interval, string>>> = { ...sameWords, '1M': '1month' };
const lengthOf = (word: string): number =>
  Object.entries(intervals).find(([name]) => name === word)?.[1] ?? intervals['1M'];

export const backpack = defineVenue({
  id: 'backpack',
  name: 'Backpack',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDC',
  apis: {
    rest: {
      hosts: ['https://api.backpack.exchange'],
      budgets: {
        default: { weight: 2000, per: 60_000 },
        // What returns a range of time.
        history: { weight: 30, per: 60_000 },
      },
      fault,
    },
  },
  // The list and the tickers hold both kinds.
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: { every: 3_600_000, parts: { all: instruments } },
    prices: {
      every: 30_000,
      parts: {
        all: {
          requests: () => [get('/tickers')],
          parse: ([body], context) =>
            marketRows(bulk(body, 'tickers'), context.instruments, tickers),
          needsInstruments: true,
        },
      },
    },
    derivatives: {
      every: 30_000,
      parts: {
        all: {
          requests: () => [get('/markPrices')],
          parse: ([body], context) => marketRows(bulk(body, 'marks'), context.instruments, marks),
          needsInstruments: true,
        },
      },
    },
    openInterest: {
      every: 30_000,
      parts: {
        all: {
          requests: () => [get('/openInterest'), get('/markPrices')],
          parse([body, prices], context) {
            const reader = interests(marksOf(bulk(prices, 'marks')));
            return marketRows(bulk(body, 'open interest'), context.instruments, reader);
          },
          needsInstruments: true,
        },
      },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ market, depth }) {
        const limit = [5, 10, 20].find((legal) => legal >= depth) ?? 50;
        return get('/depth', { symbol: market, limit });
      },
      /** Bids come with the best one last. */
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const micros = optionalNonZero(field(body, 'timestamp'));
        return {
          bids: levels(field(body, 'bids'), size),
          asks: levels(field(body, 'asks'), size),
          stated: micros === null ? null : Math.floor(micros / 1000),
        };
      },
    },
    candles: {
      intervals: words,
      // Of 1000, a library's figure: the bar that runs at `startTime` may come too.
      page: 999,
      /**
       * `startTime` is mandatory, in seconds, and no limit is documented: one page is asked for
       * exactly, so that it does not matter which end of a longer range would be kept.
       */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const end = before ?? now;
        if (end === undefined) throw new ShapeError('klines end at a time, and none is known');
        const start = Math.max(0, Math.floor((end - limit * lengthOf(interval)) / 1000));
        const range = { startTime: start, endTime: Math.ceil(end / 1000) - 1 };
        return get('/klines', { symbol: market, interval, ...range }, 'history');
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        return bars(list(body, 'klines').filter(isTraded), scale, (row) => ({
          timestamp: required(utcTimeOf(row.start)),
          open: positive(row.open),
          high: positive(row.high),
          low: positive(row.low),
          close: positive(row.close),
          volume: required(row.volume),
          turnover: required(row.quoteVolume),
        }));
      },
    },
  },
});

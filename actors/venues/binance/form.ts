/**
 * Shared by Binance and the venues that copied its API: refusals, weights, queries, rows.
 * https://developers.binance.com/docs
 */
import { isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import {
  by,
  changeOf,
  derivativeOf,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';

/**
 * `{code, msg}` with a negative code, or 0 for a blocked region; whatever lacks one of the two is not an answer of the exchange's own, so the status
 * alone decides elsewhere.
 */
export const faultsOf = (name: string): Faults => ({
  name,
  at: 'code',
  when({ code, msg }, status) {
    if (typeof code !== 'number' || typeof msg !== 'string') return false;
    return code < 0 || (code === 0 && status >= 400);
  },
  codes: {
    // Invalid symbol, illegal characters: of all parameters only the symbol is a client's.
    [-1121]: 'unknown_instrument',
    [-1100]: 'unknown_instrument',
  },
  patterns: [
    { status: 418, means: 'banned' },
    { code: /^-1003$/, means: 'rate_limited' },
  ],
});

/** `weight` a minute and address. */
export const budgets = (weight: number) => ({
  default: { weight, per: 60_000, usedHeader: 'x-mbx-used-weight-1m' },
});

/** Futures accept only these depths, and some between 50 and 1000 that are never asked for. */
export const futuresDepth = (depth: number): number =>
  [5, 10, 20, 50].find((legal) => legal >= depth) ?? 1000;

/** Weights of requests for 50 levels at most, and for 1000. */
export const futuresBookWeight = (depth: number): number => (depth <= 50 ? 2 : 20);
export const spotBookWeight = (depth: number): number => (depth <= 50 ? 5 : 50);

/** Weight of a request by its number of candles, futures. */
export function candleWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

interface CandlePage {
  market: string;
  interval: string;
  limit: number;
  before?: number;
}

/** Columns of a candle. */
export const candleColumns = 12;

/** The newest candles, or those that open before `before`. */
export const candleQuery = ({ market, interval, limit, before }: CandlePage): Query => ({
  ...{ symbol: market, interval, limit },
  ...(before !== undefined && { endTime: before - 1 }),
});

/** A ticker with a turnover of so much. */
export function price(row: WireRow, market: Instrument, volume: number): PriceRow | null {
  const last = positive(row.lastPrice);
  const change = changeOf(last, positive(row.openPrice));
  return priceOf(market, {
    ...{ last, volume, change, stated: time(row.closeTime) },
    ...{ bid: positive(row.bidPrice), ask: positive(row.askPrice) },
    ...{ high: positive(row.highPrice), low: positive(row.lowPrice) },
    base: required(market.inverse ? row.baseVolume : row.volume),
  });
}

/** A market that was never traded has a ticker of zeros. */
export const isUntraded = neverTradedBy('lastPrice', 'volume');

/** Tickers that state their turnover in quote. */
export const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded,
  read: (row, market) => price(row, market, required(row.quoteVolume)),
};

/** Hours between fundings of a market, the next of which is at `next`; NaN where they are unknown. */
export type HoursOf = (market: Instrument, next: number | null) => number;

/** Mark, index and the rate that will be charged at `nextFundingTime`. */
export const premiums = (hoursOf: HoursOf): Reader<Instrument, DerivativeRow> => ({
  id: by('symbol'),
  read(row, market) {
    const next = time(row.nextFundingTime);
    return derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.lastFundingRate),
      hours: hoursOf(market, next),
      next,
      stated: time(row.time),
    });
  },
});

/** Mark prices by symbol, of the rows of a `premiumIndex`. */
export const marksOf = (rows: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(rows.filter(isRecord).map((row) => [text(row.symbol), positive(row.markPrice)]));

const unknown = required(undefined);

/** One side: base units, but of inverse contracts their number, each worth `contract` USD. */
const interest = (marks: ReadonlyMap<string, number>): Reader<Instrument, OpenInterestRow> => ({
  id: by('symbol'),
  read(row, market) {
    const amount = required(row.openInterest);
    const mark = marks.get(market.market) ?? unknown;
    const sides = market.inverse
      ? { base: unknown, value: amount * market.contract }
      : { base: amount, value: unknown };
    return openInterestOf(market, { ...sides, mark, stated: time(row.time) });
  },
});

/** `openInterest` of one symbol each, `undefined` where one failed, with the marks of all. */
export const interests = (
  bodies: readonly unknown[],
  marks: ReadonlyMap<string, number>,
  instruments: InstrumentMap,
): Parsed<OpenInterestRow> =>
  marketRows(
    bodies.filter((body) => body !== undefined),
    instruments,
    interest(marks),
  );

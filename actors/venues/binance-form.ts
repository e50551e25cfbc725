/**
 * What Binance and the venues that copied its API have in common: refusals, weights, queries, rows.
 * https://developers.binance.com/docs
 */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import type {
  DerivativeRow,
  Failure,
  FailureCode,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import {
  by,
  changeOf,
  derivativeOf,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
  type WireRow,
} from './rows.ts';
import type { InstrumentMap, Parsed } from './venue.ts';

export type Query = NonNullable<UpstreamRequest['query']>;

function faultCode(status: number, code: number): FailureCode | null {
  // -1121 invalid symbol, -1100 illegal characters: of all parameters only the symbol is a client's.
  if (code === -1121 || code === -1100) return 'unknown_instrument';
  if (status === 418) return 'banned';
  if (status === 429 || code === -1003) return 'rate_limited';
  if (status === 403 || status === 451) return 'blocked';
  if (status >= 500) return 'unavailable';
  return code < 0 ? 'refused' : null;
}

/**
 * Reads `{code, msg}` bodies; whatever lacks one of the two is no answer of the venue's own, so the status alone
 * decides elsewhere.
 */
export const faultOf =
  (venue: string) =>
  (status: number, body: unknown): Failure | null => {
    if (!isRecord(body) || typeof body.code !== 'number' || typeof body.msg !== 'string') {
      return null;
    }
    const code = faultCode(status, body.code);
    return code && { code, message: `${venue} error ${body.code}`, status };
  };

/** `weight` a minute and address. */
export const budgets = (weight: number): Api['budgets'] => ({
  default: { weight, per: 60_000, usedHeader: 'x-mbx-used-weight-1m' },
});

/** Futures accept these depths only. */
export const futuresDepth = (depth: number): number =>
  [5, 10, 20].find((legal) => legal >= depth) ?? 50;

/** Weight of so many candles of futures. */
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

/** The newest candles, or those that open before `before`. */
export const candleQuery = ({ market, interval, limit, before }: CandlePage): Query => ({
  ...{ symbol: market, interval, limit },
  ...(before !== undefined && { endTime: before - 1 }),
});

/** A ticker with a turnover of so much. */
export function price(row: WireRow, market: Instrument, volume: number): PriceRow | null {
  const last = positive(row.lastPrice);
  const change = changeOf(last, positive(row.openPrice));
  return priceOf(market, { last, volume, change, stated: optionalNonZero(row.closeTime) });
}

/** Tickers that state their turnover in quote. */
export const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  read: (row, market) => price(row, market, required(row.quoteVolume)),
};

/** Hours between fundings of a market, the next of which is at `next`; NaN where they are unknown. */
export type HoursOf = (market: Instrument, next: number | null) => number;

/** Mark, index and the rate that will be charged at `nextFundingTime`. */
export const premiums = (hoursOf: HoursOf): Reader<Instrument, DerivativeRow> => ({
  id: by('symbol'),
  read(row, market) {
    const next = optionalNonZero(row.nextFundingTime);
    return derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.lastFundingRate),
      hours: hoursOf(market, next),
      next,
      stated: optionalNonZero(row.time),
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
    return openInterestOf(market, { ...sides, mark, stated: optionalNonZero(row.time) });
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

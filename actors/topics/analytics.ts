/**
 * Histories that exchanges keep of their markets: one query name each over all exchanges that have it. Times are the
 * start of a row's interval (of a funding: its settlement), quantities canonical base units, points ascending by time.
 */
import type { Interval } from '../../indicators/market/intervals.ts';

/** Which rows of a history are wanted: of those in [`from`, `to`], with `from` the oldest `limit`, else the newest. */
export interface HistoryParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  limit: number;
  /** Unix ms, inclusive. */
  from?: number | undefined;
  /** Unix ms, inclusive; the present when absent. */
  to?: number | undefined;
}

export interface SeriesParams extends HistoryParams {
  interval: Interval;
}

/** Rows of one market. */
export interface History<Point extends { timestamp: number }> {
  market: string;
  points: Point[];
  /** With `from`: rows after this time, Unix ms, are left out; absent where the range has no more. */
  reached?: number;
}

/** Whose positions are compared: all accounts, the largest accounts by their number, or by their positions. */
export type LongShortOf = 'accounts' | 'top_accounts' | 'top_positions';

export interface LongShortParams extends SeriesParams {
  of: LongShortOf;
}

/** Shares of long and short, 0 to 1. They add up to one, but for a share that the exchange calls locked. */
export interface LongShortPoint {
  timestamp: number;
  long: number;
  short: number;
  /** Share of locked positions, where the exchange states one. */
  locked?: number;
}

/** Amounts that takers bought and sold: in base units and in dollars, null where the exchange does not state it. */
export interface TakerPoint {
  timestamp: number;
  buy_base: number | null;
  sell_base: number | null;
  buy_usd: number | null;
  sell_usd: number | null;
  /** False while the interval still ran when the exchange was asked; absent as a parser gives it. */
  closed?: boolean;
}

/** A candle that states the amounts that takers bought. */
export interface TakerCandle extends TakerPoint {
  open: number;
  high: number;
  low: number;
  close: number;
  buy_base: number;
  sell_base: number;
}

/** Open interest of one side: base units and US dollars, null where the exchange states no such number. */
export interface InterestPoint {
  timestamp: number;
  base: number | null;
  usd: number | null;
}

/** Mark and index price at the end of an interval, or now where it still runs: of one canonical unit, in quote. */
export interface BasisPoint {
  timestamp: number;
  mark: number;
  /** Null where the exchange has no candle of the index at this time. */
  index: number | null;
}

/** A settled funding. */
export interface FundingPoint {
  timestamp: number;
  /** Fraction of the position for `hours`. */
  rate: number;
  /** Hours that the rate is for; null where they are not known. */
  hours: number | null;
  /** Mark price at the settlement, where the exchange states it. */
  mark?: number;
  /** Premium that the rate was made of, a fraction, where the exchange states it. */
  premium?: number;
  /** The rate that was expected before the settlement, where the exchange states it. */
  predicted?: number;
}

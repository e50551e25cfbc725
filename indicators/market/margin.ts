/** What is held on margin on Bitfinex, and what its funding costs. */
import { hour } from '../../config/time.ts';
import { less } from '../digits.ts';
import { quotientOf } from './assets.ts';
import type { FundingStats } from './rows.ts';
import { changePct, deviation, mean } from './statistics.ts';

/** Both sides at one time, in base units. */
export interface MarginPoint {
  /** Unix ms. */
  timestamp: number;
  long_size: number;
  short_size: number;
}

/**
 * The crowded side: the ratio of both sides is beyond two deviations from its mean of 30 days, on the side of the larger
 * position. It is `normal` while shorts grow and most is still held long.
 */
export type MarginSignal = 'crowded_long' | 'crowded_short' | 'normal';

/** Hours of a mean that has to be 30 days long; two days of points are the least for a judgement. */
const fewest = 48;

/** Long over short; null where nothing is short. */
export const marginRatio = ({ long_size, short_size }: MarginPoint): number | null =>
  quotientOf(long_size, short_size);

function signalOf(now: MarginPoint, history: readonly MarginPoint[]): MarginSignal | null {
  const month = history.filter(({ timestamp }) => timestamp > now.timestamp - 720 * hour);
  const ratios = month.map(marginRatio).filter((ratio) => ratio !== null);
  const ratio = marginRatio(now);
  if (ratio === null || ratios.length < fewest) return null;
  const [middle, spread] = [mean(ratios), 2 * deviation(ratios)];
  if (less(ratio, middle) > spread && ratio > 1) return 'crowded_long';
  return less(middle, ratio) > spread && ratio < 1 ? 'crowded_short' : 'normal';
}

/** Both sides now, at `price` US dollars a unit; `history` holds the recorded hours, ascending. */
export function margin(now: MarginPoint, price: number | null, history: readonly MarginPoint[]) {
  const worth = (size: number) => (price === null ? null : size * price);
  const total = now.long_size + now.short_size;
  const dayAgo = now.timestamp - 24 * hour;
  const before = history.findLast(
    ({ timestamp }) => timestamp <= dayAgo && timestamp > dayAgo - 2 * hour,
  );
  return {
    ...now,
    long_usd: worth(now.long_size),
    short_usd: worth(now.short_size),
    long_short_ratio: marginRatio(now),
    long_pct: total > 0 ? (now.long_size / total) * 100 : null,
    change_24h: {
      long_pct: changePct(before?.long_size, now.long_size),
      short_pct: changePct(before?.short_size, now.short_size),
    },
    signal: signalOf(now, history),
  };
}

/** The funding market of one currency: percent a day and, simple, a year; amounts in the currency. */
export const funding = (currency: string, stats: FundingStats) => ({
  currency,
  frr_daily_pct: stats.frr_daily * 100,
  frr_annual_pct: stats.frr_daily * 365 * 100,
  average_period_days: stats.average_period_days,
  provided: stats.provided,
  used: stats.used,
  utilization_ratio: stats.used / stats.provided,
  below_threshold: stats.below_threshold,
});

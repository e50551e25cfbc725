/**
 * Hourly fixings of an asset, after the CME CF reference rates (methodology v16.5): twelve partitions of five minutes, the trades of
 * all exchanges together, of each partition the volume-weighted median, and the mean of the medians. Pure.
 */
import { hour, minute } from '../../config/time.ts';
import type { FoldedMinute } from '../derivatives/trade-fold.ts';
import { mean, weightedMedian } from './statistics.ts';

/** What was traded at one price, or at prices that one bucket holds: then at their mean. */
interface Traded {
  /** US dollars. */
  value: number;
  /** Base units. */
  weight: number;
}

/** Partitions of a fixing's hour. */
export const fixingPartitions = 12;
const length = hour / fixingPartitions;

/** The fixing of an hour: the mean of the medians of its partitions that had trades; null where none had. */
export function fixingOf(medians: readonly (number | null)[]): number | null {
  const known = medians.filter((one) => one !== null);
  return known.length === 0 ? null : mean(known);
}

/** The minutes of an exchange that are known whole, those without a trade among them. */
export interface FixingMarket {
  exchange: string;
  /** US dollars a unit of its quote. */
  rate: number;
  minutes: readonly FoldedMinute[];
}

/** What was traded in each bucket of a minute, at its mean price. */
const pricedIn = ({ buckets }: FoldedMinute, rate: number): Traded[] =>
  buckets.flatMap(({ buy_base, sell_base, buy_usd, sell_usd }) => {
    const volume = buy_base + sell_base;
    const value = ((buy_usd + sell_usd) / volume) * rate;
    return volume > 0 ? [{ value, weight: volume }] : [];
  });

/**
 * The fixing of the hour that began at `start` (Unix ms) out of the minutes of its markets; null without a trade. A price stands
 * for its bucket, so a median is off by the width of one at most: 0.01 % of the price, or a sixteenth of the range of a minute
 * where that is wider. Volumes are exact.
 */
export function fixingIn(start: number, markets: readonly FixingMarket[]) {
  const inside = markets.map(({ exchange, rate, minutes }) => ({
    exchange,
    rate,
    minutes: minutes.filter(({ timestamp: at }) => at >= start && at < start + hour),
  }));
  const parts = Array.from({ length: fixingPartitions }, (): Traded[] => []);
  for (const { rate, minutes } of inside)
    for (const one of minutes)
      parts[Math.floor((one.timestamp - start) / length)]?.push(...pricedIn(one, rate));
  const partitions = parts.map(weightedMedian);
  const rate = fixingOf(partitions);
  if (rate === null) return null;
  return {
    rate,
    partitions,
    trades: inside.reduce(
      (sum, { minutes }) => sum + minutes.reduce((n, { trades }) => n + trades, 0),
      0,
    ),
    volume: parts.flat().reduce((sum, { weight }) => sum + weight, 0),
    minutes: Object.fromEntries(
      inside.flatMap(({ exchange, minutes }) =>
        minutes.length > 0 ? [[exchange, minutes.length]] : [],
      ),
    ),
  };
}

export type Fixing = NonNullable<ReturnType<typeof fixingIn>>;

/** Minutes of a whole hour. */
export const minutesOfFixing = hour / minute;

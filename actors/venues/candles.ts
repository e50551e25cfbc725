/**
 * Arithmetic on candles that no venue file repeats: buckets, order, building a long interval from a
 * short one.
 */
import { allIntervals, type Candle, type Interval, intervals } from '../topics.ts';
import { Calendar } from './iso.ts';

/** A candle before it is known whether its interval has ended. */
export type Bar = Omit<Candle, 'closed'>;

/** The words of a venue that has every interval and names each as we do. */
export const sameWords: Readonly<Partial<Record<Interval, string>>> = Object.fromEntries(
  allIntervals.map((name) => [name, name]),
);

/** 1970-01-05, the first Monday after the epoch. */
const monday = 4 * intervals['1d'];

/**
 * Open time of the bucket that holds `time`, in UTC: weeks open on Monday and months on their first
 * day, as every venue with UTC bars has it; all others are multiples of their length since the
 * epoch (3d: days modulo 3).
 */
export function openOf(time: number, interval: Interval): number {
  if (interval === '1M') {
    const date = new Calendar(time);
    return Calendar.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const origin = interval === '1w' ? monday : 0;
  const length = intervals[interval];
  return Math.floor((time - origin) / length) * length + origin;
}

/** The time at which a candle that opened at `open` ends (exclusive). */
export function endOf(open: number, interval: Interval): number {
  if (interval !== '1M') return open + intervals[interval];
  const date = new Calendar(open);
  return Calendar.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

const isPrice = (value: number) => value > 0 && value < Infinity;

/**
 * True when time, prices and volume are finite, the prices are positive and high is not below low.
 */
export const isSound = (bar: Bar): boolean =>
  bar.timestamp >= 0 &&
  bar.timestamp < Infinity &&
  isPrice(bar.open) &&
  isPrice(bar.high) &&
  isPrice(bar.low) &&
  isPrice(bar.close) &&
  bar.high >= bar.low &&
  bar.volume >= 0 &&
  bar.volume < Infinity;

const close = (bar: Bar, interval: Interval, now: number): Candle => ({
  ...bar,
  closed: endOf(bar.timestamp, interval) <= now,
});

/**
 * Ascending by time, one per open time (the last given wins), without unsound rows, each closed or
 * not at `now`.
 */
export function tidy(
  rows: Iterable<Bar>,
  { interval, now }: { interval: Interval; now: number },
): Candle[] {
  const byTime = new Map<number, Bar>();
  for (const row of rows) if (isSound(row)) byTime.set(row.timestamp, row);
  return [...byTime.values()]
    .sort((a, b) => a.timestamp - b.timestamp)
    .map((bar) => close(bar, interval, now));
}

/** The same bucket with one more bar behind it. */
const extend = (bucket: Bar, bar: Bar): Bar => ({
  ...bucket,
  high: Math.max(bucket.high, bar.high),
  low: Math.min(bucket.low, bar.low),
  close: bar.close,
  volume: bucket.volume + bar.volume,
  turnover:
    bucket.turnover === null || bar.turnover === null ? null : bucket.turnover + bar.turnover,
});

/**
 * Candles of `to` built from tidied ones of `from`, which must fill it exactly (`baseInterval`). A
 * first bucket that does not begin with its own first bar is left out, because its open is unknown.
 */
export function aggregate(
  candles: readonly Candle[],
  { from, to, now }: { from: Interval; to: Interval; now: number },
): Candle[] {
  if (intervals[to] % intervals[from] !== 0) throw new RangeError(`${from} does not fill ${to}`);
  const buckets: Bar[] = [];
  for (const candle of candles) {
    const timestamp = openOf(candle.timestamp, to);
    const bucket = buckets.at(-1);
    if (bucket?.timestamp === timestamp) buckets[buckets.length - 1] = extend(bucket, candle);
    else buckets.push({ ...candle, timestamp });
  }
  if (candles[0]?.timestamp !== buckets[0]?.timestamp) buckets.shift();
  return buckets.map((bucket) => close(bucket, to, now));
}

/**
 * The interval to ask a venue for when `wanted` is needed: itself where the venue has it, else the
 * longest of the venue's that fills it exactly, else null. A month is filled by what divides a day:
 * 31 is prime.
 */
export function baseInterval(
  native: Readonly<Partial<Record<Interval, string>>>,
  wanted: Interval,
): Interval | null {
  if (native[wanted] !== undefined) return wanted;
  let best: Interval | null = null;
  for (const name of allIntervals) {
    if (native[name] === undefined || intervals[name] >= intervals[wanted]) continue;
    if (intervals[wanted] % intervals[name] === 0) best = name;
  }
  return best;
}

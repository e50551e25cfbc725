/** Arithmetic on candles: buckets, order, building a long interval from a short one. */
import { minute } from '../../config/time.ts';
import { isMeanWithin } from './checks.ts';
import { Calendar } from './days.ts';
import { allIntervals, type Interval, intervals } from './intervals.ts';

/** A candle before it is known whether its interval has ended. */
export interface Bar {
  /** Open time, Unix ms. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** In canonical base units. */
  volume: number;
  /** In quote; null where neither the wire nor arithmetic gives it. */
  turnover: number | null;
  /** Where the exchange states them. */
  flow?: Flow;
}

/** The number of trades, and what takers bought: canonical base units and quote. */
export interface Flow {
  trades: number;
  base: number;
  quote: number;
}

/** A candle of one interval. */
export interface Candle extends Bar {
  /** False while the interval still runs. */
  closed: boolean;
}

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

/** The time `count` candles after one that opened at `open`: when the last of them ends. */
export function afterCandles(open: number, interval: Interval, count: number): number {
  if (interval !== '1M') return open + count * intervals[interval];
  const date = new Calendar(open);
  return Calendar.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
}

/** Days of the 3 days and weeks of an exchange are not documented everywhere: any midnight UTC may be their first. */
const gridOf = (interval: Interval): Interval =>
  interval === '3d' || interval === '1w' ? '1d' : interval;

/** The first time from `from` on at which a candle may open, Unix ms. */
export function firstOpen(from: number, interval: Interval): number {
  const grid = gridOf(interval);
  const open = openOf(from, grid);
  return open < from ? endOf(open, grid) : open;
}

/**
 * A native candle in canonical units: of a thousand coins at once in coins. Nothing trades for nothing: a zero turnover
 * beside a volume is one that the venue did not fill in.
 */
export function scaled({ timestamp, turnover, flow, ...bar }: Bar, scale: number): Bar {
  const volume = bar.volume * scale;
  const isKnown = turnover !== null && turnover >= 0 && turnover < Infinity;
  return {
    timestamp,
    open: bar.open / scale,
    high: bar.high / scale,
    low: bar.low / scale,
    close: bar.close / scale,
    volume,
    turnover: isKnown && !(turnover === 0 && volume > 0) ? turnover : null,
    ...(flow && { flow: { ...flow, base: flow.base * scale } }),
  };
}

const isPrice = (value: number) => value > 0 && value < Infinity;

/**
 * A high or low further than this factor from the open and the close is of another unit. A book that is empty for a moment lets a price
 * fall to a three-thousandth within one candle (ATOM was 0.001 at Binance on 10 October 2025); none has risen like that.
 */
const mostWick = { up: 100, down: 10_000 } as const;

const hasFarWick = ({ open, high, low, close }: Bar): boolean =>
  high > Math.max(open, close) * mostWick.up || low < Math.min(open, close) / mostWick.down;

/** The candle without a turnover that is in another unit than its volume. */
const withTrueTurnover = (bar: Bar): Bar =>
  bar.turnover === null || bar.turnover === 0 || isMeanWithin(bar.turnover, bar.volume, bar)
    ? bar
    : { ...bar, turnover: null };

/** 2000-01-01 and 2100-01-01: seconds and microseconds of today lie outside. */
const [centuryStart, centuryEnd] = [Calendar.UTC(2000, 0), Calendar.UTC(2100, 0)];

/**
 * True when the time is in whole milliseconds of this century, prices and volume are finite, the prices are positive,
 * and open and close lie within low and high, of which the high is at most a hundred and the low ten thousand times away from them.
 */
export function isValid(bar: Bar): boolean {
  const { timestamp, open, high, low, close, volume } = bar;
  return (
    timestamp >= centuryStart &&
    timestamp < centuryEnd &&
    timestamp % 1 === 0 &&
    isPrice(low) &&
    isPrice(high) &&
    low <= open &&
    open <= high &&
    low <= close &&
    close <= high &&
    !hasFarWick(bar) &&
    volume >= 0 &&
    volume < Infinity
  );
}

/** The clocks of an exchange and of this machine differ by less, ms. */
const clockDifference = minute;

/**
 * True when a candle can open at `time`: it has ended, or it has begun where the interval has an opening. A finished one is what the
 * exchange keeps, wherever it opened: those of Binance after its stop of February 2018 open within the minute.
 */
function isOpening(time: number, { interval, now }: { interval: Interval; now: number }): boolean {
  if (endOf(time, interval) <= now) return true;
  return time <= now + clockDifference && openOf(time, gridOf(interval)) === time;
}

const close = (bar: Bar, interval: Interval, now: number): Candle => ({
  ...bar,
  closed: endOf(bar.timestamp, interval) <= now,
});

/**
 * Ascending by time, one per open time (the last given wins), each closed or not at `now`, when they were received.
 * Rows that are not valid or lie in the future, and a running one that does not open where the interval does, are left out and counted in
 * `bad`. A turnover that its volume contradicts is null.
 */
export function tidy(
  rows: readonly Bar[],
  { interval, now }: { interval: Interval; now: number },
): { candles: Candle[]; bad: number } {
  const good = rows.filter((row) => isValid(row) && isOpening(row.timestamp, { interval, now }));
  const byTime = new Map(good.map((row) => [row.timestamp, row]));
  const candles = [...byTime.values()]
    .sort((a, b) => a.timestamp - b.timestamp)
    .map((bar) => close(withTrueTurnover(bar), interval, now));
  return { candles, bad: rows.length - good.length };
}

/** What was done in two bars. */
const sumOf = (one: Flow, other: Flow): Flow => ({
  trades: one.trades + other.trades,
  base: one.base + other.base,
  quote: one.quote + other.quote,
});

/** The same bucket with one more bar behind it. */
const extend = ({ flow, ...bucket }: Bar, bar: Bar): Bar => ({
  ...bucket,
  ...(flow && bar.flow && { flow: sumOf(flow, bar.flow) }),
  high: Math.max(bucket.high, bar.high),
  low: Math.min(bucket.low, bar.low),
  close: bar.close,
  volume: bucket.volume + bar.volume,
  turnover:
    bucket.turnover === null || bar.turnover === null ? null : bucket.turnover + bar.turnover,
});

/**
 * Candles of `to` built from tidied ones of `from`, which must fill it exactly (`baseInterval`). Unless the bars are known to begin
 * where a bucket does (`isWhole`), a first bucket that does not begin with its own first bar is left out, because its open is unknown.
 */
export function aggregate(
  candles: readonly Candle[],
  { from, to, now }: { from: Interval; to: Interval; now: number },
  isWhole = false,
): Candle[] {
  if (intervals[to] % intervals[from] !== 0) throw new RangeError(`${from} does not fill ${to}`);
  const buckets: Bar[] = [];
  for (const candle of candles) {
    const timestamp = openOf(candle.timestamp, to);
    const bucket = buckets.at(-1);
    if (bucket?.timestamp === timestamp) buckets[buckets.length - 1] = extend(bucket, candle);
    else buckets.push({ ...candle, timestamp });
  }
  if (!isWhole && candles[0]?.timestamp !== buckets[0]?.timestamp) buckets.shift();
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

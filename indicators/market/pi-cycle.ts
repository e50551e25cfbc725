/** The Pi Cycle top indicator of Philip Swift, 2019. */
import { type DayClose, dayLength } from './days.ts';
import { type Enough, movingMeans } from './statistics.ts';

const short = 111;
const long = 350;
/** The long average and the day before it, without which nothing can cross. */
export const piCycleDays = long + 1;
/** Days for which a cross upwards stays a signal. */
const signalDays = 30;

/** The two averages on one day, US dollars. */
export interface PiCyclePoint {
  /** Unix ms of the day. */
  timestamp: number;
  price_usd: number;
  /** Mean of the last 111 closes. */
  ma_111d_usd: number;
  /** Twice the mean of the last 350 closes: the price is doubled, not the length. */
  ma_350d_x2_usd: number;
  provisional?: true;
}

/** A day on which the short line came to the other side of the long one. */
export interface PiCycleCross {
  timestamp: number;
  direction: 'up' | 'down';
  price_usd: number;
}

/** The indicator with its signal. */
export interface PiCycle extends PiCyclePoint {
  /** How far the short line is above the long one, percent. */
  gap_pct: number;
  /** True when the last day that is over was one of a cross. */
  crossed: boolean;
  state: 'above' | 'below';
  last_cross: PiCycleCross | null;
  /** Oldest first. */
  crosses: PiCycleCross[];
  signal: 'top' | 'approaching' | 'neutral';
}

/** One point a day from the 350th on; `closes` has every day once. */
export function piCycleSeries(closes: readonly DayClose[]): PiCyclePoint[] {
  const prices = closes.map(({ close }) => close);
  const shorts = movingMeans(prices, short).slice(long - short);
  const longs = movingMeans(prices, long);
  return closes.slice(long - 1).map(({ day, close, provisional }, at) => ({
    timestamp: day,
    price_usd: close,
    ma_111d_usd: shorts[at] ?? Number.NaN,
    ma_350d_x2_usd: 2 * (longs[at] ?? Number.NaN),
    ...(provisional && { provisional }),
  }));
}

const isAbove = (point: PiCyclePoint) => point.ma_111d_usd > point.ma_350d_x2_usd;

/** The crosses of days that are over: up from at most the long line to above it, down from above it to at most it. */
export function piCycleCrosses(series: readonly PiCyclePoint[]): PiCycleCross[] {
  const crosses: PiCycleCross[] = [];
  let before: PiCyclePoint | null = null;
  for (const point of series) {
    if (point.provisional) continue;
    if (before && isAbove(before) !== isAbove(point)) {
      const direction = isAbove(point) ? 'up' : 'down';
      crosses.push({ timestamp: point.timestamp, direction, price_usd: point.price_usd });
    }
    before = point;
  }
  return crosses;
}

/**
 * The indicator of the last of the closes, from 351 days on. With `crosses`, those of all days that are over, only the
 * last 352 closes are read, so that a live price costs no series of years.
 */
export function piCycle(
  closes: readonly DayClose[],
  crosses: PiCycleCross[] = piCycleCrosses(piCycleSeries(closes)),
): Enough<PiCycle> {
  const series = piCycleSeries(closes.slice(-piCycleDays - 1));
  const last = series.at(-1);
  if (!last || series.length < 2) return { ok: false, needs: piCycleDays, has: closes.length };
  const closed = series.findLast((point) => !point.provisional);
  const cross = crosses.at(-1) ?? null;
  const gap = (last.ma_111d_usd / last.ma_350d_x2_usd - 1) * 100;
  const value: PiCycle = {
    ...last,
    gap_pct: gap,
    crossed: cross !== null && cross.timestamp === closed?.timestamp,
    state: isAbove(last) ? 'above' : 'below',
    last_cross: cross,
    crosses,
    signal: signalOf(last.timestamp, gap, crosses),
  };
  return { ok: true, value };
}

/** `top` on the day of a cross upwards and for 30 days after it, `approaching` from 5 % below the long line on. */
function signalOf(now: number, gap: number, crosses: readonly PiCycleCross[]): PiCycle['signal'] {
  const up = crosses.findLast(({ direction }) => direction === 'up');
  if (up && now - up.timestamp <= signalDays * dayLength) return 'top';
  return gap > -5 ? 'approaching' : 'neutral';
}

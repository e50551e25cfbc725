/** The Pi Cycle top indicator of Philip Swift, 2019. */
import { type DayClose, dayLength } from './days.ts';
import { enough, movingMeans, newest } from './statistics.ts';

const short = 111;
const long = 350;
/** The long average and the day before it, without which nothing can cross. */
export const piCycleDays = long + 1;
/** Days for which a cross upwards stays a signal. */
const signalDays = 30;

/** The two averages in US dollars, one point a day from the 350th on; `closes` has every day once. Of the long one the price is doubled, not the length. */
export function piCycleSeries(closes: readonly DayClose[]) {
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

type PiCyclePoint = ReturnType<typeof piCycleSeries>[number];

const isAbove = (point: PiCyclePoint) => point.ma_111d_usd > point.ma_350d_x2_usd;

/** The crosses of days that are over: up from at most the long line to above it, down from above it to at most it. */
export function piCycleCrosses(series: readonly PiCyclePoint[]) {
  const crosses: { timestamp: number; direction: 'up' | 'down'; price_usd: number }[] = [];
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

export type PiCycleCrosses = ReturnType<typeof piCycleCrosses>;

/**
 * The indicator of the last of the closes, from 351 days on. With `crosses`, those of all days that are over, only the
 * last 352 closes are read, so that a live price costs no series of years.
 */
export function piCycle(
  closes: readonly DayClose[],
  crosses: PiCycleCrosses = piCycleCrosses(piCycleSeries(closes)),
) {
  const series = piCycleSeries(closes.slice(-piCycleDays - 1));
  const last = series.at(-1);
  if (!last || series.length < 2) return newest([], piCycleDays, closes.length);
  const closed = series.findLast((point) => !point.provisional);
  const cross = crosses.at(-1) ?? null;
  const gap = (last.ma_111d_usd / last.ma_350d_x2_usd - 1) * 100;
  return enough({
    ...last,
    gap_pct: gap,
    crossed: cross !== null && cross.timestamp === closed?.timestamp,
    state: isAbove(last) ? ('above' as const) : ('below' as const),
    last_cross: cross,
    crosses,
    signal: signalOf(last.timestamp, gap, crosses),
  });
}

/** `top` on the day of a cross upwards and for 30 days after it, `approaching` from 5 % below the long line on. */
function signalOf(
  now: number,
  gap: number,
  crosses: PiCycleCrosses,
): 'top' | 'approaching' | 'neutral' {
  const up = crosses.findLast(({ direction }) => direction === 'up');
  if (up && now - up.timestamp <= signalDays * dayLength) return 'top';
  return gap > -5 ? 'approaching' : 'neutral';
}

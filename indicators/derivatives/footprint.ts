/**
 * Footprints: what takers bought and sold at each price level of a bar, out of folded trades where there are any, else
 * estimated from candles of one minute. Pure.
 */
import { minute } from '../../config/time.ts';
import { less, rounded } from '../digits.ts';
import { bucketAt, bucketFrom, bucketStart } from '../market/round-step.ts';
import type { FoldedMinute, TakerSums } from './trade-fold.ts';

/** A candle of a minute with what takers bought and sold, base units and US dollars. */
export interface TakerMinute extends TakerSums {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** A minute of a bar. */
type Minute = TakerMinute | FoldedMinute;

interface Level extends TakerSums {
  /** Start of the bucket. */
  price: number;
  delta_base: number;
}

/** Share of the volume that the value area holds. */
const valueShare = 0.7;
const volumeOf = ({ buy_base, sell_base }: Level): number => buy_base + sell_base;

/** The largest level, and the smallest run around it with 70 % of the volume, grown to the larger neighbour. */
function valueArea(levels: readonly Level[]) {
  // Equal volumes are equal however they were added up.
  const volumes = levels.map((level) => rounded(volumeOf(level)));
  const most = Math.max(...volumes);
  const poc = volumes.indexOf(most);
  const wanted = valueShare * volumes.reduce((sum, one) => sum + one, 0);
  let [low, high, held] = [poc, poc, most];
  while (less(held, wanted) < 0 && (low > 0 || high < levels.length - 1)) {
    const [below, above] = [volumes[low - 1] ?? -1, volumes[high + 1] ?? -1];
    held += Math.max(below, above);
    if (below > above) low--;
    else high++;
  }
  return {
    poc_price: levels[poc]?.price ?? null,
    value_area_high: levels[high]?.price ?? null,
    value_area_low: levels[low]?.price ?? null,
  };
}

/** Adds a share of some sums to a level. */
function addTo(levels: Map<number, Level>, at: { number: number; step: number }, part: TakerSums) {
  const { number, step } = at;
  const empty = { buy_base: 0, sell_base: 0, buy_usd: 0, sell_usd: 0, delta_base: 0 };
  const level = levels.get(number) ?? { price: bucketStart(number, step), ...empty };
  levels.set(number, level);
  level.buy_base += part.buy_base;
  level.sell_base += part.sell_base;
  level.buy_usd += part.buy_usd;
  level.sell_usd += part.sell_usd;
  level.delta_base += part.buy_base - part.sell_base;
}

const times = (sums: TakerSums, share: number): TakerSums => ({
  buy_base: sums.buy_base * share,
  sell_base: sums.sell_base * share,
  buy_usd: sums.buy_usd * share,
  sell_usd: sums.sell_usd * share,
});

/** The volume of a candle, spread evenly over the levels from its low to its high. */
function addCandle(levels: Map<number, Level>, candle: TakerMinute, step: number): void {
  const [first, last] = [bucketAt(candle.low, step), bucketAt(candle.high, step)];
  const part = times(candle, 1 / (last - first + 1));
  for (let number = first; number <= last; number++) addTo(levels, { number, step }, part);
}

/** The buckets of folded trades; one that lies in several levels is divided by its share in each. */
function addFolded(levels: Map<number, Level>, folded: FoldedMinute, step: number): void {
  for (const [i, bucket] of folded.buckets.entries()) {
    if (bucket.buy_base + bucket.sell_base === 0) continue;
    const [from, to] = [folded.first + i, folded.first + i + 1].map((at) => at * folded.step);
    if (from === undefined || to === undefined) continue;
    const first = bucketAt(from, step);
    // The end of a bucket belongs to the next one.
    const last = Math.max(first, bucketFrom(to, step) - 1);
    for (let number = first; number <= last; number++) {
      const inside = Math.min(to, (number + 1) * step) - Math.max(from, number * step);
      const share = first === last ? 1 : inside / (to - from);
      addTo(levels, { number, step }, times(bucket, share));
    }
  }
}

function levelsOf(minutes: readonly Minute[], step: number): Level[] {
  const levels = new Map<number, Level>();
  for (const one of minutes) {
    if ('buckets' in one) addFolded(levels, one, step);
    else addCandle(levels, one, step);
  }
  return [...levels.values()].sort((a, b) => a.price - b.price);
}

/** What takers bought and sold in a minute, base units. */
const sumsOf = (one: Minute, name: 'buy_base' | 'sell_base'): number =>
  'buckets' in one ? one.buckets.reduce((sum, bucket) => sum + bucket[name], 0) : one[name];

const methodOf = (trades: number, candles: number): 'trades' | 'klines_1m' | 'mixed' => {
  if (trades === 0) return 'klines_1m';
  return candles === 0 ? 'trades' : 'mixed';
};

/** The bars of `length` ms that the minutes until `now` (Unix ms) make, ascending. `step` is the width of a level. */
export function footprintBars(
  minutes: readonly Minute[],
  { length, step, now }: { length: number; step: number; now: number },
) {
  const bars = Map.groupBy(minutes, ({ timestamp }) => Math.floor(timestamp / length) * length);
  return [...bars].map(([timestamp, rows]) => {
    const sum = (name: 'buy_base' | 'sell_base') =>
      rows.reduce((all, row) => all + sumsOf(row, name), 0);
    const trade_minutes = rows.filter((row) => 'buckets' in row).length;
    const [buy_base, sell_base] = [sum('buy_base'), sum('sell_base')];
    const levels = levelsOf(rows, step);
    const passed = Math.floor((Math.min(timestamp + length, now) - timestamp) / minute);
    return {
      timestamp,
      open: rows[0]?.open ?? 0,
      high: Math.max(...rows.map(({ high }) => high)),
      low: Math.min(...rows.map(({ low }) => low)),
      close: rows.at(-1)?.close ?? 0,
      ...{ volume_base: buy_base + sell_base, buy_base, sell_base },
      delta_base: buy_base - sell_base,
      ...valueArea(levels),
      ...{ trade_minutes, candle_minutes: rows.length - trade_minutes },
      missing_minutes: Math.max(0, passed - rows.length),
      method: methodOf(trade_minutes, rows.length - trade_minutes),
      levels,
    };
  });
}

/** Levels of the widest bar: a step that makes too many of them is refused. */
export const mostLevels = (minutes: readonly Minute[], step: number): number =>
  minutes.reduce((most, { low, high }) => Math.max(most, (high - low) / step), 0);

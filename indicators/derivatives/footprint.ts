/** Footprints: what takers bought and sold at each price level of a bar, estimated from candles of one minute. Pure. */
import { bucketStart } from '../market/round-step.ts';

/** A minute with what takers bought and sold, base units and US dollars. */
export interface TakerMinute {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  buy_base: number;
  sell_base: number;
  buy_usd: number;
  sell_usd: number;
}

interface Level {
  /** Start of the bucket. */
  price: number;
  buy_base: number;
  sell_base: number;
  buy_usd: number;
  sell_usd: number;
  delta_base: number;
}

export interface FootprintBar {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume_base: number;
  buy_base: number;
  sell_base: number;
  delta_base: number;
  /** Level with the largest volume. */
  poc_price: number | null;
  /** Highest and lowest level of the value area. */
  value_area_high: number | null;
  value_area_low: number | null;
  /** Ascending by price. */
  levels: Level[];
}

/** Share of the volume that the value area holds. */
const valueShare = 0.7;
const volumeOf = ({ buy_base, sell_base }: Level): number => buy_base + sell_base;

/** The largest level, and the smallest run around it with 70 % of the volume, grown to the larger neighbour. */
function valueArea(levels: readonly Level[]) {
  const volumes = levels.map(volumeOf);
  const most = Math.max(...volumes);
  const poc = volumes.indexOf(most);
  const wanted = valueShare * volumes.reduce((sum, one) => sum + one, 0);
  let [low, high, held] = [poc, poc, most];
  while (held < wanted && (low > 0 || high < levels.length - 1)) {
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

/** The volume of each minute, spread evenly over the levels from its low to its high. */
function levelsOf(minutes: readonly TakerMinute[], step: number): Level[] {
  const found = new Map<number, Level>();
  for (const { low, high, buy_base, sell_base, buy_usd, sell_usd } of minutes) {
    const [first, last] = [Math.floor(low / step), Math.floor(high / step)];
    const share = 1 / (last - first + 1);
    for (let number = first; number <= last; number++) {
      const empty = { buy_base: 0, sell_base: 0, buy_usd: 0, sell_usd: 0, delta_base: 0 };
      const level = found.get(number) ?? { price: bucketStart(number, step), ...empty };
      found.set(number, level);
      level.buy_base += buy_base * share;
      level.sell_base += sell_base * share;
      level.buy_usd += buy_usd * share;
      level.sell_usd += sell_usd * share;
      level.delta_base += (buy_base - sell_base) * share;
    }
  }
  return [...found.values()].sort((a, b) => a.price - b.price);
}

/** The bars of `length` ms that the minutes make, ascending. `step` is the width of a level. */
export function footprintBars(
  minutes: readonly TakerMinute[],
  { length, step }: { length: number; step: number },
): FootprintBar[] {
  const bars = Map.groupBy(minutes, ({ timestamp }) => Math.floor(timestamp / length) * length);
  return [...bars].map(([timestamp, rows]) => {
    const sum = (name: 'buy_base' | 'sell_base') => rows.reduce((all, row) => all + row[name], 0);
    const [buy_base, sell_base] = [sum('buy_base'), sum('sell_base')];
    const levels = levelsOf(rows, step);
    return {
      timestamp,
      open: rows[0]?.open ?? 0,
      high: Math.max(...rows.map(({ high }) => high)),
      low: Math.min(...rows.map(({ low }) => low)),
      close: rows.at(-1)?.close ?? 0,
      ...{ volume_base: buy_base + sell_base, buy_base, sell_base },
      delta_base: buy_base - sell_base,
      ...valueArea(levels),
      levels,
    };
  });
}

/** Levels of the widest bar: a step that makes too many of them is refused. */
export const mostLevels = (minutes: readonly TakerMinute[], step: number): number =>
  minutes.reduce((most, { low, high }) => Math.max(most, (high - low) / step), 0);

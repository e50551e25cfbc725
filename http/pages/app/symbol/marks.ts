/** The largest liquidations as marks on their candles. */
import type { SeriesMarker, Time } from 'lightweight-charts';
import type { Colours } from '../colours.ts';
import { compact } from '../format.ts';
import type { Candle } from './candles.ts';
import { seconds } from './panes.ts';

/** Marks at most. */
const most = 12;

/** A mark under a candle for its longs, over it for its shorts: of the candles with the largest sums, in order of time. */
export function marksOf(
  candles: readonly Candle[],
  { up, down }: Pick<Colours, 'up' | 'down'>,
): SeriesMarker<Time>[] {
  return candles
    .flatMap(({ time, long_liquidations_usd: long, short_liquidations_usd: short }) => [
      { time, value: long ?? 0, isLong: true },
      { time, value: short ?? 0, isLong: false },
    ])
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, most)
    .sort((a, b) => a.time - b.time)
    .map(({ time, value, isLong }) => ({
      time: seconds(time),
      position: isLong ? 'belowBar' : 'aboveBar',
      shape: isLong ? 'arrowDown' : 'arrowUp',
      color: isLong ? down : up,
      text: compact(value),
    }));
}

/** Trailing stops. */

import { less } from '../../digits.ts';
import { candles, define, factor, rmaSettle } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { at, blank } from '../columns.ts';
import { atr, type Range } from '../range.ts';

/** A parabolic stop on its way; `side` 1 while it is below the price, -1 above. */
interface Stop {
  side: number;
  value: number;
  extreme: number;
  acceleration: number;
}

type HighLow = Pick<Columns, 'high' | 'low'>;

/** First acceleration, also what each new extreme adds, and the highest one, which a larger step is taken for. */
export interface PsarFactors {
  readonly step: number;
  readonly max: number;
}

/** Down only when the second low fell, and by more than the second high rose. */
function startOf({ high, low }: HighLow, step: number): Stop {
  const fell = at(low, 0) > at(low, 1);
  // Of sums: the rounding of a difference is large beside it.
  return fell && less(at(low, 0) + at(high, 0), at(low, 1) + at(high, 1)) > 0
    ? { side: -1, value: at(high, 0), extreme: at(low, 1), acceleration: step }
    : { side: 1, value: at(low, 0), extreme: at(high, 1), acceleration: step };
}

/** Keeps the stop beyond this candle and the one before it, which in the first step is the candle itself. */
function hold(stop: Stop, { high, low }: HighLow, i: number): void {
  const column = stop.side > 0 ? low : high;
  const before = at(column, Math.max(i - 1, 1));
  const current = at(column, i);
  stop.value =
    stop.side > 0 ? Math.min(stop.value, before, current) : Math.max(stop.value, before, current);
}

/** Whether the candle touches the stop, which then goes over to the other side of the price. */
function turns(stop: Stop, columns: HighLow, i: number, step: number): boolean {
  const near = at(stop.side > 0 ? columns.low : columns.high, i);
  if (stop.side * less(near, stop.value) > 0) return false;
  stop.side = -stop.side;
  stop.value = stop.extreme;
  stop.extreme = near;
  stop.acceleration = step;
  hold(stop, columns, i);
  return true;
}

/** Draws the stop towards the extreme, faster when the candle set a new one. */
function draw(stop: Stop, columns: HighLow, i: number, { step, max }: PsarFactors): void {
  const far = at(stop.side > 0 ? columns.high : columns.low, i);
  if (stop.side * (far - stop.extreme) > 0) {
    stop.extreme = far;
    stop.acceleration = Math.min(stop.acceleration + step, max);
  }
  stop.value += stop.acceleration * (stop.extreme - stop.value);
  hold(stop, columns, i);
}

/**
 * Parabolic stop and reverse, as TA-Lib computes it; first at 1. `direction` 1 or -1 and `reversal` 1 or 0 are those
 * after the candle.
 */
export function psar(columns: HighLow, { step: stated, max }: PsarFactors) {
  const factors = { step: Math.min(stated, max), max };
  const length = columns.high.length;
  const value = blank(length);
  const direction = blank(length);
  const reversal = blank(length);
  const stop = startOf(columns, factors.step);
  for (let i = 1; i < length; i++) {
    reversal[i] = turns(stop, columns, i, factors.step) ? 1 : 0;
    value[i] = stop.value;
    direction[i] = stop.side;
    draw(stop, columns, i, factors);
  }
  return { value, direction, reversal };
}

/** `hl2 ± distance`, each kept where it only loosened and the close before is not beyond it; from index n. */
function tightening({ high, low, close }: Range, distance: Float64Array, n: number) {
  const upper = blank(high.length);
  const lower = blank(high.length);
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let i = n; i < high.length; i++) {
    const middle = (at(high, i) + at(low, i)) / 2;
    const before = at(close, i - 1);
    const above = middle + at(distance, i);
    const below = middle - at(distance, i);
    if (above < top || less(before, top) > 0) top = above;
    if (below > bottom || less(before, bottom) < 0) bottom = below;
    upper[i] = top;
    lower[i] = bottom;
  }
  return { upper, lower };
}

/**
 * SuperTrend: bands `hl2 ± mult * ATR(n)` that only tighten until the close before is beyond them; the value is the
 * band on the far side of the trend, which turns when a close reaches it; first at n.
 */
export function supertrend(columns: Range, n: number, mult: number) {
  const { high, low, close } = columns;
  const reach = atr(columns, n);
  for (let i = n; i < reach.length; i++) reach[i] = mult * at(reach, i);
  const { upper, lower } = tightening(columns, reach, n);
  const value = blank(high.length);
  const direction = blank(high.length);
  let rising = less(at(close, n), (at(high, n) + at(low, n)) / 2) >= 0;
  for (let i = n; i < high.length; i++) {
    rising = less(at(close, i), at(rising ? lower : upper, i)) > 0;
    value[i] = at(rising ? lower : upper, i);
    direction[i] = rising ? 1 : -1;
  }
  return { value, direction, upper, lower };
}

export const stopEntries = [
  define({
    name: 'psar',
    aliases: ['sar'],
    title: 'Parabolic stop and reverse',
    category: 'overlap',
    parameters: {
      step: factor(0.02, 'First acceleration and what each new extreme adds'),
      max: factor(0.2, 'Highest acceleration'),
    },
    inputs: ['high', 'low'],
    outputs: ['value', 'direction', 'reversal'],
    onPrice: ['value'],
    minimum: () => 2,
    settle: () => 250,
    compute: (columns, chosen) => {
      const { value, direction, reversal } = psar(columns, chosen);
      return [value, direction, reversal];
    },
    formula:
      'sar += af·(ep − sar), held outside the last two candles; turns when a candle touches it. af begins with step, with max where step is above it. Starts at bar 1, down when L0−L1 is above 0 and above H1−H0. direction 1 up, −1 down; reversal 1 where it turned, else 0',
    source:
      'Wilder 1978; TA-Lib SAR. Stock.Indicators always starts rising and does not hold back the value of a reversal; the two meet after the first common reversal',
  }),
  define({
    name: 'supertrend',
    title: 'SuperTrend',
    category: 'overlap',
    parameters: { length: candles(10), mult: factor(3, 'Multiple of the ATR') },
    inputs: ['high', 'low', 'close'],
    outputs: ['value', 'direction', 'upper', 'lower'],
    onPrice: ['value', 'upper', 'lower'],
    minimum: ({ length }) => length + 1,
    settle: ({ length }) => rmaSettle(length),
    compute: (columns, { length, mult }) => {
      const { value, direction, upper, lower } = supertrend(columns, length, mult);
      return [value, direction, upper, lower];
    },
    formula:
      'u, l = hl2 ± mult·ATR; upper = u if u < upper or the previous close > upper, lower mirrored; value = upper, direction −1 when close ≤ (up ? lower : upper), else lower, 1; the first candle is up when close ≥ hl2',
    source: 'Stock.Indicators; TradingView turns on strict inequality, which differs on ties only',
  }),
];

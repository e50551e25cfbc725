/** Oscillators of price. */

import { less, rounding, unlessRounding } from '../../digits.ts';
import { candles, define, ofCandles } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { sma } from '../averages.ts';
import {
  at,
  blank,
  difference,
  hl2,
  hlc3,
  ratio,
  scaled,
  withoutRounding,
  zeros,
} from '../columns.ts';
import type { Range } from '../range.ts';
import { extremes, sum } from '../windows.ts';

/** Commodity channel index `(tp - mean) / (0.015 * mean |tp - mean|)` over n candles; 0 when flat (D. Lambert). */
export function cci(columns: Columns, n: number): Float64Array {
  const typical = hlc3(columns);
  const out = blank(typical.length);
  for (let i = n - 1; i < out.length; i++) {
    // From the newest value, not from 0, so that a flat window deviates by exactly 0.
    const pivot = at(typical, i);
    let total = 0;
    for (let k = i - n + 1; k < i; k++) total += at(typical, k) - pivot;
    const mean = unlessRounding(total, pivot) / n;
    let away = 0;
    for (let k = i - n + 1; k <= i; k++) away += Math.abs(at(typical, k) - pivot - mean);
    out[i] = away <= rounding * Math.abs(pivot) ? 0 : -mean / ((0.015 * away) / n);
  }
  return out;
}

/** Lengths of the ultimate oscillator. */
export interface UltimateLengths {
  readonly fast: number;
  readonly medium: number;
  readonly slow: number;
}

/** Ultimate oscillator, 0 to 100: buying pressure over true range, of three windows weighing 4, 2 and 1 (L. Williams). */
export function ultosc({ high, low, close }: Range, { fast, medium, slow }: UltimateLengths) {
  const pressure = blank(high.length);
  const range = blank(high.length);
  for (let i = 1; i < high.length; i++) {
    const bottom = Math.min(at(low, i), at(close, i - 1));
    pressure[i] = at(close, i) - bottom;
    range[i] = Math.max(at(high, i), at(close, i - 1)) - bottom;
  }
  const out = zeros(high.length);
  for (const [weight, n] of [[4, fast] as const, [2, medium] as const, [1, slow] as const]) {
    const gained = sum(pressure, n);
    const ranged = sum(range, n);
    for (let i = 0; i < out.length; i++)
      out[i] = at(out, i) + weight * ratio(at(gained, i), at(ranged, i));
  }
  return scaled(out, 100 / 7);
}

/** Balance of power: the mean over n candles of `(C - O) / (H - L)`, 0 for a candle without range (I. Livshin). */
export function bop({ open, high, low, close }: Columns, n: number): Float64Array {
  const raw = blank(high.length);
  for (let i = 0; i < raw.length; i++) {
    const range = at(high, i) - at(low, i);
    raw[i] = range === 0 ? 0 : (at(close, i) - at(open, i)) / range;
  }
  return withoutRounding(sma(raw, n));
}

/** Midprice's extremes over the last n candles, over fewer while there are fewer. */
function openingExtremes(x: Float64Array, n: number) {
  const { highest, lowest } = extremes(x, x, n);
  let top = Number.NEGATIVE_INFINITY;
  let bottom = Number.POSITIVE_INFINITY;
  for (let i = 0; i < Math.min(n - 1, x.length); i++) {
    top = Math.max(top, at(x, i));
    bottom = Math.min(bottom, at(x, i));
    highest[i] = top;
    lowest[i] = bottom;
  }
  return { highest, lowest };
}

/**
 * Fisher transform of hl2: `f = 0.5 ln((1+x)/(1-x)) + 0.5 f_prev`, `x = 0.66 (position - 0.5) + 0.67 x_prev`, 0 when
 * the range is 0, beyond ±0.99 held at ±0.999; both start at 0 (J. Ehlers).
 */
export function fisher(columns: Pick<Columns, 'high' | 'low'>, n: number): Float64Array {
  const { high, low } = columns;
  const middle = zeros(high.length);
  for (let i = 0; i < middle.length; i++) middle[i] = (at(high, i) + at(low, i)) / 2;
  const { highest, lowest } = openingExtremes(middle, n);
  const out = zeros(middle.length);
  let x = 0;
  let value = 0;
  for (let i = 1; i < out.length; i++) {
    const range = less(at(highest, i), at(lowest, i));
    x = range === 0 ? 0 : 0.66 * ((at(middle, i) - at(lowest, i)) / range - 0.5) + 0.67 * x;
    if (Math.abs(x) > 0.99) x = 0.999 * Math.sign(x);
    value = 0.5 * Math.log((1 + x) / (1 - x)) + 0.5 * value;
    out[i] = value;
  }
  return out;
}

export const oscillatorEntries = [
  ofCandles({
    name: 'cci',
    title: 'Commodity channel index',
    category: 'momentum',
    length: candles(20),
    inputs: ['high', 'low', 'close'],
    compute: cci,
    formula:
      '(tp − SMA(tp)) / (0.015·mean absolute deviation from that SMA), tp = hlc3; 0 if nothing deviates',
    source: 'Lambert 1980; TradingView. TA-Lib has 14 as default',
  }),
  define({
    name: 'ultosc',
    title: 'Ultimate oscillator',
    category: 'momentum',
    parameters: {
      fast: candles(7, 'Candles of the window weighing 4'),
      medium: candles(14, 'Candles of the window weighing 2'),
      slow: candles(28, 'Candles of the window weighing 1'),
    },
    inputs: ['high', 'low', 'close'],
    outputs: ['value'],
    minimum: ({ fast, medium, slow }) => Math.max(fast, medium, slow) + 1,
    compute: (columns, lengths) => [ultosc(columns, lengths)],
    formula:
      '100·(4·A7 + 2·A14 + A28)/7, A = ΣBP/ΣTR, BP = C − min(L, Cprev), TR = max(H, Cprev) − min(L, Cprev); null where ΣTR is 0',
    source: 'Williams 1985; TA-Lib ULTOSC',
  }),
  define({
    name: 'awesome',
    aliases: ['ao'],
    title: 'Awesome oscillator',
    category: 'momentum',
    parameters: {
      fast: candles(5, 'Candles of the fast mean'),
      slow: candles(34, 'Candles of the slow mean'),
    },
    inputs: ['high', 'low'],
    outputs: ['value'],
    minimum: ({ fast, slow }) => Math.max(fast, slow),
    compute: (columns, { fast, slow }) => {
      const middle = hl2(columns);
      return [difference(sma(middle, fast), sma(middle, slow))];
    },
    formula: 'SMA(hl2, fast) − SMA(hl2, slow)',
    source: 'Bill Williams; Tulip AO',
  }),
  define({
    name: 'fisher',
    title: 'Fisher transform',
    category: 'momentum',
    parameters: { length: candles(10) },
    inputs: ['high', 'low'],
    outputs: ['value', 'trigger'],
    minimum: () => 2,
    settle: ({ length }) => length + 35,
    compute: (columns, { length }) => {
      const value = fisher(columns, length);
      const trigger = blank(value.length);
      trigger.set(value.subarray(0, -1), Math.min(1, value.length));
      return [value, trigger];
    },
    formula:
      'x = 0.66·((hl2 − lo)/(hi − lo) − 0.5) + 0.67·x, 0 if hi = lo, beyond ±0.99 held at ±0.999; f = 0.5·ln((1+x)/(1−x)) + 0.5·f; both 0 at first, the window shorter at the start; trigger = previous f',
    source: 'Ehlers 2002; Stock.Indicators',
  }),
  ofCandles({
    name: 'bop',
    title: 'Balance of power',
    category: 'momentum',
    length: candles(14),
    inputs: ['open', 'high', 'low', 'close'],
    compute: bop,
    formula: 'SMA of (C − O)/(H − L), 0 for a candle without range; length 1 is the raw value',
    source: 'TA-Lib BOP (length 1); Stock.Indicators',
  }),
];

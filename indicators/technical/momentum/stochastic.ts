/** Where the close is in the range of the last candles. */

import { less } from '../../digits.ts';
import { candles, define, ofCandles } from '../../entry.ts';
import { sma } from '../averages.ts';
import { at, blank } from '../columns.ts';
import type { Range } from '../range.ts';
import { extremes } from '../windows.ts';

/** `100 (close - lowest low) / (highest high - lowest low)` over n candles; 0 when the range is 0; first at n-1. */
export function position({ high, low, close }: Range, n: number): Float64Array {
  const { highest, lowest } = extremes(high, low, n);
  for (let i = 0; i < highest.length; i++) {
    const range = less(at(highest, i), at(lowest, i));
    highest[i] = range === 0 ? 0 : 100 * (less(at(close, i), at(lowest, i)) / range);
  }
  return highest;
}

/** Williams' %R: `-100 (highest high - close) / (highest high - lowest low)`; 0 when the range is 0; first at n-1. */
export function willr({ high, low, close }: Range, n: number): Float64Array {
  const { highest, lowest } = extremes(high, low, n);
  for (let i = 0; i < highest.length; i++) {
    const range = less(at(highest, i), at(lowest, i));
    highest[i] = range === 0 ? 0 : 100 * (less(at(close, i), at(highest, i)) / range);
  }
  return highest;
}

export const stochasticEntries = [
  define({
    name: 'stoch',
    title: 'Stochastic oscillator',
    category: 'momentum',
    parameters: {
      length: candles(14),
      k: candles(3, 'Values averaged for k'),
      d: candles(3, 'Values of k averaged for d'),
    },
    inputs: ['high', 'low', 'close'],
    outputs: ['k', 'd', 'j'],
    minimum: ({ length, k, d }) => length + k + d - 2,
    compute: (columns, chosen) => {
      const k = sma(position(columns, chosen.length), chosen.k);
      const d = sma(k, chosen.d);
      const j = blank(k.length);
      for (let i = 0; i < j.length; i++) j[i] = less(3 * at(k, i), 2 * at(d, i));
      return [k, d, j];
    },
    formula:
      'raw = 100·(C − LL)/(HH − LL) over length, 0 if HH = LL; k = SMA(raw, k), d = SMA(k, d), j = 3k − 2d',
    source: 'Lane; TA-Lib STOCH, which hides k until d exists',
  }),
  define({
    name: 'stochf',
    title: 'Fast stochastic oscillator',
    category: 'momentum',
    parameters: { length: candles(14), d: candles(3, 'Values of k averaged for d') },
    inputs: ['high', 'low', 'close'],
    outputs: ['k', 'd'],
    minimum: ({ length, d }) => length + d - 1,
    compute: (columns, chosen) => {
      const k = position(columns, chosen.length);
      return [k, sma(k, chosen.d)];
    },
    formula: 'k = 100·(C − LL)/(HH − LL) over length, 0 if HH = LL; d = SMA(k, d)',
    source: 'TA-Lib STOCHF',
  }),
  ofCandles({
    name: 'willr',
    title: "Williams' %R",
    category: 'momentum',
    length: candles(14),
    inputs: ['high', 'low', 'close'],
    compute: willr,
    formula: '−100·(HH − C)/(HH − LL), −100 to 0; 0 if HH = LL',
    source: 'TA-Lib WILLR',
  }),
];

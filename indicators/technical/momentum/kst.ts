/** Pring's "know sure thing". */

import { anyPrice, candles, define, source } from '../../entry.ts';
import { sma } from '../averages.ts';
import { at, price, withoutRounding, zeros } from '../columns.ts';
import { sum } from '../windows.ts';
import { roc } from './change.ts';

/** A rate of change of `roc` candles, averaged over `sma` values. */
export interface RateOfChange {
  readonly roc: number;
  readonly sma: number;
}

/** The sum of the averaged rates of change, in percent, the first weighing 1, the next 2 and so on (M. Pring). */
export function kst(x: Float64Array, terms: readonly RateOfChange[]): Float64Array {
  const total = zeros(x.length);
  for (const [place, term] of terms.entries()) {
    const summed = sum(roc(x, term.roc), term.sma);
    const weight = (place + 1) / term.sma;
    for (let i = 0; i < x.length; i++) total[i] = at(total, i) + weight * at(summed, i);
  }
  return withoutRounding(total);
}

interface Lengths {
  readonly roc_1: number;
  readonly roc_2: number;
  readonly roc_3: number;
  readonly roc_4: number;
  readonly sma_1: number;
  readonly sma_2: number;
  readonly sma_3: number;
  readonly sma_4: number;
}

const termsOf = (lengths: Lengths): readonly RateOfChange[] => [
  { roc: lengths.roc_1, sma: lengths.sma_1 },
  { roc: lengths.roc_2, sma: lengths.sma_2 },
  { roc: lengths.roc_3, sma: lengths.sma_3 },
  { roc: lengths.roc_4, sma: lengths.sma_4 },
];

export const kstEntries = [
  define({
    name: 'kst',
    title: 'Know sure thing',
    category: 'momentum',
    parameters: {
      roc_1: candles(10, 'Candles back, weight 1'),
      roc_2: candles(15, 'Candles back, weight 2'),
      roc_3: candles(20, 'Candles back, weight 3'),
      roc_4: candles(30, 'Candles back, weight 4'),
      sma_1: candles(10, 'Values averaged, weight 1'),
      sma_2: candles(10, 'Values averaged, weight 2'),
      sma_3: candles(10, 'Values averaged, weight 3'),
      sma_4: candles(15, 'Values averaged, weight 4'),
      signal: candles(9, 'Values averaged for the signal'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value', 'signal'],
    minimum: ({ signal, ...lengths }) =>
      Math.max(...termsOf(lengths).map((term) => term.roc + term.sma)) + signal - 1,
    compute: (columns, { signal, source, ...lengths }) => {
      const value = kst(price(columns, source), termsOf(lengths));
      return [value, withoutRounding(sma(value, signal))];
    },
    formula: 'Σ w·SMA(ROC(roc_w), sma_w), w = 1…4, ROC in percent; signal = SMA(value)',
    source: 'Pring 1992; technicalindicators',
  }),
];

/** Volatility from the ranges of candles. */

import { less } from '../../digits.ts';
import { candles, define, emaSettle, ofCandles, rmaSettle } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { ema } from '../averages.ts';
import { at, blank, difference, percentage, quotient, ratio } from '../columns.ts';
import { atr, type Range, trueRange } from '../range.ts';
import { extremes, sum } from '../windows.ts';

/**
 * Choppiness, about 0 (straight) to 100 (sideways): `100 log10(sum of TR / (highest - lowest)) / log10 n` over n
 * candles, the close before each counted to its range; first at n, no value when the range is 0; n at least 2.
 */
export function chop({ high, low, close }: Range, n: number): Float64Array {
  const out = blank(high.length);
  const top = blank(high.length);
  const bottom = blank(high.length);
  for (let i = 1; i < out.length; i++) {
    top[i] = Math.max(at(high, i), at(close, i - 1));
    bottom[i] = Math.min(at(low, i), at(close, i - 1));
  }
  const path = sum(difference(top, bottom), n);
  const { highest, lowest } = extremes(top, bottom, n);
  const scale = 100 / Math.log10(n);
  for (let i = n; i < out.length; i++) {
    // The path is the range in a straight market, and by rounding less.
    const share = Math.max(1, ratio(at(path, i), less(at(highest, i), at(lowest, i))));
    out[i] = scale * Math.log10(share);
  }
  return out;
}

/** Mass index: the sum over n candles of `e / EMA(e)`, `e = EMA(H - L)` (D. Dorsey). */
export function massIndex(
  { high, low }: Pick<Columns, 'high' | 'low'>,
  n: number,
  average: number,
) {
  const range = ema(difference(high, low), average);
  return sum(quotient(range, ema(range, average)), n);
}

export const rangeEntries = [
  define({
    name: 'tr',
    title: 'True range',
    category: 'volatility',
    parameters: {},
    inputs: ['high', 'low', 'close'],
    outputs: ['value'],
    minimum: () => 2,
    compute: (columns) => [trueRange(columns)],
    formula: 'max(H−L, |H−Cprev|, |L−Cprev|), null for the first candle',
    source: 'Wilder 1978; TA-Lib TRANGE. Tulip and TradingView begin with H−L',
  }),
  ofCandles({
    name: 'atr',
    title: 'Average true range',
    category: 'volatility',
    length: candles(14),
    inputs: ['high', 'low', 'close'],
    minimum: (n) => n + 1,
    settle: rmaSettle,
    compute: atr,
    formula:
      "Wilder's average of the true range, seeded with the mean of TR[1…n]; in units of price",
    source: 'Wilder 1978; TA-Lib ATR',
  }),
  ofCandles({
    name: 'natr',
    title: 'Normalised average true range',
    category: 'volatility',
    length: candles(14),
    inputs: ['high', 'low', 'close'],
    minimum: (n) => n + 1,
    settle: rmaSettle,
    compute: (columns, n) => percentage(atr(columns, n), columns.close),
    formula: '100·ATR/close',
    source: 'TA-Lib NATR',
  }),
  ofCandles({
    name: 'chop',
    title: 'Choppiness index',
    category: 'volatility',
    length: candles(14, 'Candles in the window', 2),
    inputs: ['high', 'low', 'close'],
    minimum: (n) => n + 1,
    compute: chop,
    formula:
      '100·log10(ΣTR / (max(H, Cprev) − min(L, Cprev))) / log10(n), extremes over the n candles; null if that range is 0',
    source: 'Dreiss; Stock.Indicators',
  }),
  define({
    name: 'mass_index',
    title: 'Mass index',
    category: 'volatility',
    parameters: {
      ema_length: candles(9, 'Candles of both EMAs'),
      length: candles(25, 'Candles summed'),
    },
    inputs: ['high', 'low'],
    outputs: ['value'],
    minimum: ({ ema_length, length }) => 2 * ema_length + length - 2,
    settle: ({ ema_length, length }) => 2 * emaSettle(ema_length) + length,
    compute: (columns, { ema_length, length }) => [massIndex(columns, length, ema_length)],
    formula:
      'Σ over length of EMA(H−L)/EMA(EMA(H−L)); null while a candle of the window has a divisor of 0',
    source: 'Dorsey 1992; Tulip seeds its EMAs with the first value',
  }),
];

/** Moving averages of one series and one length. */

import { candles, emaSettle, ofSeries, rmaSettle } from '../../entry.ts';
import { ema, rma, sma, wma } from '../averages.ts';
import { at, blank } from '../columns.ts';

/** `2 e1 - e2`, e1 the EMA and e2 the EMA of it; first at 2(n-1) (P. Mulloy). */
export function dema(x: Float64Array, n: number): Float64Array {
  const first = ema(x, n);
  const second = ema(first, n);
  for (let i = 0; i < x.length; i++) first[i] = 2 * at(first, i) - at(second, i);
  return first;
}

/** `3 e1 - 3 e2 + e3`, each the EMA of the one before; first at 3(n-1) (P. Mulloy). */
export function tema(x: Float64Array, n: number): Float64Array {
  const first = ema(x, n);
  const second = ema(first, n);
  const third = ema(second, n);
  for (let i = 0; i < x.length; i++) first[i] = 3 * at(first, i) - 3 * at(second, i) + at(third, i);
  return first;
}

/** The mean of means whose lengths add up to n+1, so the weights are a triangle; first at n-1. */
export function trima(x: Float64Array, n: number): Float64Array {
  const half = Math.ceil(n / 2);
  return sma(sma(x, half), n + 1 - half);
}

/** `WMA(2 WMA(x, n/2) - WMA(x, n), sqrt n)`, lengths rounded down (A. Hull). */
export function hma(x: Float64Array, n: number): Float64Array {
  const fast = wma(x, Math.floor(n / 2));
  const slow = wma(x, n);
  for (let i = 0; i < x.length; i++) fast[i] = 2 * at(fast, i) - at(slow, i);
  return wma(fast, Math.floor(Math.sqrt(n)));
}

/** EMA of `x[i] + (x[i] - x[i-lag])`, lag (n-1)/2 rounded down; first at lag+n-1 (J. Ehlers, R. Way). */
export function zlema(x: Float64Array, n: number): Float64Array {
  const lag = Math.floor((n - 1) / 2);
  const lead = blank(x.length);
  for (let i = lag; i < x.length; i++) lead[i] = 2 * at(x, i) - at(x, i - lag);
  return ema(lead, n);
}

export const averageEntries = [
  ofSeries({
    name: 'sma',
    title: 'Simple moving average',
    category: 'overlap',
    length: candles(20),
    compute: sma,
    formula: 'Mean of the last n values',
    source: 'TA-Lib SMA',
  }),
  ofSeries({
    name: 'ema',
    title: 'Exponential moving average',
    category: 'overlap',
    length: candles(20),
    settle: emaSettle,
    compute: ema,
    formula:
      'e += 2/(n+1)·(x−e), seeded with the mean of the first n values, which is its first value',
    source: 'TA-Lib EMA; Tulip seeds with the first value',
  }),
  ofSeries({
    name: 'wma',
    title: 'Weighted moving average',
    category: 'overlap',
    length: candles(20),
    compute: wma,
    formula: 'Weights 1 to n, the newest n, divided by n(n+1)/2',
    source: 'TA-Lib WMA',
  }),
  ofSeries({
    name: 'dema',
    title: 'Double exponential moving average',
    category: 'overlap',
    length: candles(20),
    minimum: (n) => 2 * n - 1,
    settle: (n) => 2 * emaSettle(n),
    compute: dema,
    formula:
      '2·e1 − e2, e1 = EMA(x), e2 = EMA(e1), each seeded with the mean of the first n values it has',
    source: 'TA-Lib DEMA',
  }),
  ofSeries({
    name: 'tema',
    title: 'Triple exponential moving average',
    category: 'overlap',
    length: candles(20),
    minimum: (n) => 3 * n - 2,
    settle: (n) => 3 * emaSettle(n),
    compute: tema,
    formula: '3·e1 − 3·e2 + e3, each the EMA of the one before',
    source: 'TA-Lib TEMA',
  }),
  ofSeries({
    name: 'trima',
    title: 'Triangular moving average',
    category: 'overlap',
    length: candles(20),
    compute: trima,
    formula: 'n odd: SMA(SMA(x, (n+1)/2), (n+1)/2); n even: SMA(SMA(x, n/2), n/2+1)',
    source: 'TA-Lib TRIMA',
  }),
  ofSeries({
    name: 'hma',
    title: 'Hull moving average',
    category: 'overlap',
    length: candles(20, 'Candles in the window', 2),
    minimum: (n) => n + Math.floor(Math.sqrt(n)) - 1,
    compute: hma,
    formula: 'WMA(2·WMA(x, ⌊n/2⌋) − WMA(x, n), ⌊√n⌋)',
    source: 'Stock.Indicators, Tulip',
  }),
  ofSeries({
    name: 'rma',
    aliases: ['smma', 'wilders'],
    title: "Wilder's moving average",
    category: 'overlap',
    length: candles(14),
    settle: rmaSettle,
    compute: rma,
    formula: 'e += 1/n·(x−e), seeded with the mean of the first n values, which is its first value',
    source: 'Wilder 1978; Tulip WILDERS, Stock.Indicators SMMA',
  }),
  ofSeries({
    name: 'zlema',
    title: 'Zero lag exponential moving average',
    category: 'overlap',
    length: candles(20),
    minimum: (n) => Math.floor((n - 1) / 2) + n,
    settle: (n) => Math.floor((n - 1) / 2) + emaSettle(n),
    compute: zlema,
    formula: 'EMA of x[i] + (x[i] − x[i−lag]), lag = ⌊(n−1)/2⌋, seeded as every EMA here',
    source: 'Ehlers and Way 2010; Tulip seeds with the first value',
  }),
];

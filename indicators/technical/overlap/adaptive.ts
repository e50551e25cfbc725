/** Averages whose weights follow the price, the volume or a curve. */

import { less } from '../../digits.ts';
import { anyPrice, candles, define, emaSettle, factor, source } from '../../entry.ts';
import { ema, sma } from '../averages.ts';
import { at, blank, change, magnitudes, price, product, quotient, scaled } from '../columns.ts';
import { sum } from '../windows.ts';

/**
 * Kaufman's adaptive average: `k += sc * (x - k)`, `sc = (ER * (2/(fast+1) - 2/(slow+1)) + 2/(slow+1))²`,
 * `ER = |x[i] - x[i-n]| / sum of the last n |changes|`, 0 when nothing moved; starts as x at n-1.
 */
export function kama(x: Float64Array, n: number, fast: number, slow: number): Float64Array {
  const out = blank(x.length);
  if (x.length < n) return out;
  const path = sum(magnitudes(change(x, 1)), n);
  const slowest = 2 / (slow + 1);
  const span = 2 / (fast + 1) - slowest;
  let value = at(x, n - 1);
  out[n - 1] = value;
  for (let i = n; i < x.length; i++) {
    const way = at(path, i);
    const efficiency = way === 0 ? 0 : Math.abs(less(at(x, i), at(x, i - n))) / way;
    const constant = efficiency * span + slowest;
    value += constant * constant * (at(x, i) - value);
    out[i] = value;
  }
  return out;
}

/** `SMA(x v) / SMA(v)`; no value where no volume was traded. */
export const vwma = (x: Float64Array, volume: Float64Array, n: number): Float64Array =>
  quotient(sum(product(x, volume), n), sum(volume, n));

/** Six chained EMAs e1 to e6, `c1 e6 + c2 e5 + c3 e4 + c4 e3` with polynomials of the factor; first at 6(n-1) (T. Tillson). */
export function t3(x: Float64Array, n: number, factor: number): Float64Array {
  const e3 = ema(ema(ema(x, n), n), n);
  const e4 = ema(e3, n);
  const e5 = ema(e4, n);
  const e6 = ema(e5, n);
  const squared = factor * factor;
  const cubed = squared * factor;
  const c1 = -cubed;
  const c2 = 3 * squared + 3 * cubed;
  const c3 = -6 * squared - 3 * factor - 3 * cubed;
  const c4 = 1 + 3 * factor + cubed + 3 * squared;
  for (let i = 0; i < x.length; i++)
    e6[i] = c1 * at(e6, i) + c2 * at(e5, i) + c3 * at(e4, i) + c4 * at(e3, i);
  return e6;
}

/** Gaussian weights `exp(-(k-m)² / (2 s²))`, k = 0 the oldest, `m = offset (n-1)`, `s = n / sigma`, normalised. */
export function alma(x: Float64Array, n: number, offset: number, sigma: number): Float64Array {
  const out = blank(x.length);
  const centre = offset * (n - 1);
  const width = n / sigma;
  const weights = Float64Array.from({ length: n }, (_, k) =>
    Math.exp(-((k - centre) ** 2) / (2 * width * width)),
  );
  const total = weights.reduce((a, b) => a + b, 0);
  for (let i = n - 1; i < x.length; i++) {
    let weighted = 0;
    for (let k = 0; k < n; k++) weighted += at(weights, k) * at(x, i - n + 1 + k);
    out[i] = weighted / total;
  }
  return out;
}

export const adaptiveEntries = [
  define({
    name: 'kama',
    title: "Kaufman's adaptive moving average",
    category: 'overlap',
    parameters: {
      length: candles(10, 'Candles of the efficiency ratio'),
      fast: candles(2, 'EMA length in a straight market'),
      slow: candles(30, 'EMA length in a sideways market'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => length,
    // In a market that goes nowhere each candle takes (2/(slow+1))², as an EMA of half the square of slow+1 does.
    settle: ({ slow }) => emaSettle((slow + 1) ** 2 / 2),
    compute: (columns, { length, fast, slow, source }) => [
      kama(price(columns, source), length, fast, slow),
    ],
    formula:
      'ER = |x[i] − x[i−n]| / Σ|Δx| over n, 0 if that sum is 0; sc = (ER·(2/(fast+1) − 2/(slow+1)) + 2/(slow+1))²; k[n−1] = x[n−1], k += sc·(x − k)',
    source: 'Kaufman 1995; TA-Lib KAMA has the same values but shows them from index n',
  }),
  define({
    name: 'vwma',
    title: 'Volume weighted moving average',
    category: 'overlap',
    parameters: { length: candles(20), source },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => length,
    compute: (columns, { length, source }) => [
      vwma(price(columns, source), columns.volume, length),
    ],
    formula: 'SMA(x·volume) / SMA(volume); null where no volume was traded',
    source: 'Tulip VWMA',
  }),
  define({
    name: 't3',
    title: "Tillson's T3",
    category: 'overlap',
    parameters: { length: candles(5), factor: factor(0.7, 'Volume factor a'), source },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => 6 * length - 5,
    settle: ({ length }) => 6 * emaSettle(length),
    compute: (columns, { length, factor, source }) => [t3(price(columns, source), length, factor)],
    formula: 'Six chained EMAs e1…e6; −a³·e6 + (3a²+3a³)·e5 + (−6a²−3a−3a³)·e4 + (1+3a+a³+3a²)·e3',
    source: 'Tillson 1998; TA-Lib T3',
  }),
  define({
    name: 'alma',
    title: 'Arnaud Legoux moving average',
    category: 'overlap',
    parameters: {
      length: candles(9),
      offset: {
        type: 'number',
        default: 0.85,
        minimum: 0,
        maximum: 1,
        description: 'Where the weights peak: 0 the oldest candle, 1 the newest',
      },
      sigma: factor(6, 'Window over width of the curve'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => length,
    compute: (columns, { length, offset, sigma, source }) => [
      alma(price(columns, source), length, offset, sigma),
    ],
    formula:
      'Weights exp(−(k−m)²/(2s²)), k = 0 the oldest, m = offset·(n−1) not rounded, s = n/sigma, divided by their sum',
    source: 'Legoux and Kouzis-Loukas 2009; Stock.Indicators',
  }),
  define({
    name: 'ma_envelope',
    title: 'Moving average envelope',
    category: 'overlap',
    parameters: {
      length: candles(20),
      percent: factor(2.5, 'Distance from the average in percent'),
      source,
    },
    inputs: anyPrice,
    outputs: ['upper', 'middle', 'lower'],
    minimum: ({ length }) => length,
    compute: (columns, { length, percent, source }) => {
      const middle = sma(price(columns, source), length);
      return [scaled(middle, 1 + percent / 100), middle, scaled(middle, 1 - percent / 100)];
    },
    formula: 'SMA·(1 ± percent/100)',
    source: 'Stock.Indicators',
  }),
];

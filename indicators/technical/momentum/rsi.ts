/** Strength of rises against falls. */

import { less, rounding } from '../../digits.ts';
import { anyPrice, candles, define, ofSeries, rmaSettle, source } from '../../entry.ts';
import { sma } from '../averages.ts';
import { at, blank, hasVanished, price, zeros } from '../columns.ts';
import { sum } from '../windows.ts';
import { roc } from './change.ts';
import { position } from './stochastic.ts';

/** Rises and falls from one value to the next, both at least 0; first at 1. */
export function moves(x: Float64Array): { up: Float64Array; down: Float64Array } {
  const up = blank(x.length);
  const down = blank(x.length);
  for (let i = 1; i < x.length; i++) {
    const step = less(at(x, i), at(x, i - 1));
    up[i] = Math.max(step, 0);
    down[i] = Math.max(-step, 0);
  }
  return { up, down };
}

/** `100 * gain / (gain + loss)`, at most 100: that when nothing fell, 50 when nothing moved. */
export const strength = (gain: number, loss: number): number =>
  gain === 0 && loss === 0 ? 50 : 100 * (gain / (gain + loss));

/**
 * Wilder's relative strength index, 0 to 100: `100 g / (g + l)`, g and l Wilder averages of rises and falls, each
 * seeded with the mean of the first n; first at n. No falls 100, a flat series 50 (Wilder 1978). While nothing moves it stays as it is.
 */
export function rsi(x: Float64Array, n: number): Float64Array {
  const out = blank(x.length);
  let gain = 0;
  let loss = 0;
  for (let i = 1; i < x.length; i++) {
    const step = less(at(x, i), at(x, i - 1));
    // 1/i makes the mean of the first n, which is the seed.
    const alpha = 1 / Math.min(i, n);
    gain += alpha * (Math.max(step, 0) - gain);
    loss += alpha * (Math.max(-step, 0) - loss);
    const isStill = n > 1 && i > n && hasVanished(gain + loss);
    if (i >= n) out[i] = isStill ? at(out, i - 1) : strength(gain, loss);
  }
  return out;
}

/** Chande's momentum, -100 to 100: `100 (u - d) / (u + d)`, plain sums of n rises and falls; 0 when flat; first at n. */
export function cmo(x: Float64Array, n: number): Float64Array {
  const { up, down } = moves(x);
  const rises = sum(up, n);
  const falls = sum(down, n);
  for (let i = n; i < x.length; i++) {
    const path = at(rises, i) + at(falls, i);
    rises[i] = path === 0 ? 0 : 100 * (less(at(rises, i), at(falls, i)) / path);
  }
  return rises;
}

/** Lengths of the stochastic RSI. */
export interface StochRsiLengths {
  readonly length: number;
  readonly stoch_length: number;
  readonly k: number;
  readonly d: number;
}

/** Where the RSI is in its own range, 0 to 100, smoothed twice (T. Chande, S. Kroll). */
export function stochRsi(x: Float64Array, { length, stoch_length, k, d }: StochRsiLengths) {
  const strengths = rsi(x, length);
  const raw = position({ high: strengths, low: strengths, close: strengths }, stoch_length);
  const smooth = sma(raw, k);
  return { k: smooth, d: sma(smooth, d) };
}

/** Length of the run of rises (positive) or falls (negative) that ends at each value; 0 at equal ones and at first. */
function streaks(x: Float64Array): Float64Array {
  const out = zeros(x.length);
  for (let i = 1; i < x.length; i++) {
    const side = Math.sign(less(at(x, i), at(x, i - 1)));
    const before = at(out, i - 1);
    out[i] = side * before > 0 ? before + side : side;
  }
  return out;
}

/** How many of ascending numbers are below a value. */
function below(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sorted, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Percent of the n returns before each that are below it by more than the rounding of prices, in percent as they are;
 * first at n+1, since the first candle has no return. A return that has no value is below none.
 */
function rank(returns: Float64Array, n: number): Float64Array {
  const out = blank(returns.length);
  if (returns.length < n + 2) return out;
  const ranked = returns.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value));
  const sorted = ranked.slice(1, n + 1).sort();
  for (let i = n + 1; i < out.length; i++) {
    const value = at(ranked, i);
    const place = below(sorted, value);
    if (value < Number.POSITIVE_INFINITY)
      out[i] = (100 * below(sorted, value - 100 * rounding)) / n;
    const oldest = below(sorted, at(ranked, i - n));
    if (oldest < place) {
      sorted.copyWithin(oldest, oldest + 1, place);
      sorted[place - 1] = value;
    } else {
      sorted.copyWithin(place + 1, place, oldest);
      sorted[place] = value;
    }
  }
  return out;
}

/** Lengths of Connors' RSI. */
export interface ConnorsLengths {
  readonly rsi_length: number;
  readonly streak_length: number;
  readonly rank_length: number;
}

/** Connors' RSI, 0 to 100: the mean of the RSI, the RSI of the streaks and the rank of the last return. */
export function connorsRsi(x: Float64Array, lengths: ConnorsLengths): Float64Array {
  const fast = rsi(x, lengths.rsi_length);
  const streak = rsi(streaks(x), lengths.streak_length);
  const rankOfReturn = rank(roc(x, 1), lengths.rank_length);
  for (let i = 0; i < x.length; i++)
    fast[i] = (at(fast, i) + at(streak, i) + at(rankOfReturn, i)) / 3;
  return fast;
}

export const rsiEntries = [
  ofSeries({
    name: 'rsi',
    title: 'Relative strength index',
    category: 'momentum',
    length: candles(14),
    minimum: (n) => n + 1,
    settle: rmaSettle,
    compute: rsi,
    formula:
      '100·g/(g+l), g and l the Wilder averages of rises and falls of consecutive values, each seeded with the mean of the first n. No falls 100, a flat series 50',
    source: 'Wilder 1978. For a flat series TA-Lib gives 0, Stock.Indicators 50 or 100',
  }),
  define({
    name: 'stochrsi',
    title: 'Stochastic RSI',
    category: 'momentum',
    parameters: {
      length: candles(14, 'Candles of the RSI'),
      stoch_length: candles(14, 'Values of the RSI in the window'),
      k: candles(3, 'Values averaged for k'),
      d: candles(3, 'Values of k averaged for d'),
      source,
    },
    inputs: anyPrice,
    outputs: ['k', 'd'],
    minimum: ({ length, stoch_length, k, d }) => length + stoch_length + k + d - 2,
    settle: ({ length, stoch_length, k, d }) => rmaSettle(length) + stoch_length + k + d,
    compute: (columns, { source, ...lengths }) => {
      const { k, d } = stochRsi(price(columns, source), lengths);
      return [k, d];
    },
    formula:
      'raw = 100·(RSI − lowest)/(highest − lowest) of the RSI over stoch_length, 0 if they are equal; k = SMA(raw, k), d = SMA(k, d)',
    source: 'Chande and Kroll 1994; TA-Lib and Stock.Indicators by default do not smooth k: k 1',
  }),
  ofSeries({
    name: 'cmo',
    title: 'Chande momentum oscillator',
    category: 'momentum',
    length: candles(14),
    minimum: (n) => n + 1,
    compute: cmo,
    formula: '100·(Σup − Σdown)/(Σup + Σdown), plain sums over n changes; 0 in a flat market',
    source: 'Chande 1994; TA-Lib smooths as Wilder did and so gives 2·RSI − 100',
  }),
  define({
    name: 'crsi',
    title: "Connors' RSI",
    category: 'momentum',
    parameters: {
      rsi_length: candles(3, 'Candles of the RSI'),
      streak_length: candles(2, 'Candles of the RSI of the streaks'),
      rank_length: candles(100, 'Returns that the last one is ranked among'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ rsi_length, streak_length, rank_length }) =>
      Math.max(rsi_length + 1, streak_length + 1, rank_length + 2),
    settle: ({ rsi_length, streak_length, rank_length }) =>
      Math.max(rmaSettle(rsi_length), rmaSettle(streak_length), rank_length + 2),
    compute: (columns, { source, ...lengths }) => [connorsRsi(price(columns, source), lengths)],
    formula:
      '(RSI(x) + RSI(streak) + rank)/3; streak: signed run of rises or falls, 0 when equal; rank: percent of the rank_length returns before the last one that are below it',
    source: 'Connors 2012; Stock.Indicators',
  }),
];

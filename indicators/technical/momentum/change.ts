/** Momentum from changes over a number of candles. */

import { less } from '../../digits.ts';
import { anyPrice, candles, define, emaSettle, ofSeries, source } from '../../entry.ts';
import { ema, sma, wma } from '../averages.ts';
import {
  at,
  blank,
  change,
  hasVanished,
  magnitudes,
  price,
  ratio,
  withoutRounding,
} from '../columns.ts';

/** `100 (x[i] - x[i-n]) / x[i-n]`, percent; no value where the older is 0; first at n. */
export function roc(x: Float64Array, n: number): Float64Array {
  const out = blank(x.length);
  for (let i = n; i < x.length; i++)
    out[i] = 100 * ratio(less(at(x, i), at(x, i - n)), at(x, i - n));
  return out;
}

/** Change of the threefold EMA over one candle, in percent; first at 3n-2 (J. Hutson). */
export const trix = (x: Float64Array, n: number): Float64Array => roc(ema(ema(ema(x, n), n), n), 1);

/** `WMA(ROC(long) + ROC(short), n)`, in percent (E. Coppock). */
export function coppock(
  x: Float64Array,
  { long, short, wma: n }: { readonly long: number; readonly short: number; readonly wma: number },
): Float64Array {
  const total = roc(x, long);
  const near = roc(x, short);
  for (let i = 0; i < x.length; i++) total[i] = at(total, i) + at(near, i);
  return withoutRounding(wma(total, n));
}

/**
 * Detrended price: `x[i - s] - SMA(n)[i]`, s = n/2 rounded down plus 1. Centred: `x[i] - SMA(n)[i + s]`, which looks
 * ahead and so has no value for the last s candles.
 */
export function dpo(x: Float64Array, n: number, centred: boolean): Float64Array {
  const out = blank(x.length);
  const mean = sma(x, n);
  const shift = Math.floor(n / 2) + 1;
  for (let i = Math.max(n - 1, shift); i < x.length; i++)
    out[centred ? i - shift : i] = less(at(x, i - shift), at(mean, i));
  return out;
}

/** True strength, -100 to 100: change over its absolute value, both smoothed twice; no value when nothing moved. */
export function tsi(x: Float64Array, long: number, short: number): Float64Array {
  const steps = change(x, 1);
  const sizes = magnitudes(steps);
  const moved = ema(ema(steps, long), short);
  const travelled = ema(ema(sizes, long), short);
  const isAverage = Math.max(long, short) > 1;
  for (let i = 0; i < x.length; i++) {
    const isStill = isAverage && hasVanished(at(travelled, i));
    moved[i] = isStill ? at(moved, i - 1) : 100 * ratio(at(moved, i), at(travelled, i));
  }
  return withoutRounding(moved);
}

export const changeEntries = [
  ofSeries({
    name: 'roc',
    title: 'Rate of change',
    category: 'momentum',
    length: candles(10, 'Candles back'),
    minimum: (n) => n + 1,
    compute: roc,
    formula: '100·(x − x[−n])/x[−n], percent; null where x[−n] is 0',
    source: 'TA-Lib ROC; Tulip gives the fraction',
  }),
  ofSeries({
    name: 'mom',
    title: 'Momentum',
    category: 'momentum',
    length: candles(10, 'Candles back'),
    minimum: (n) => n + 1,
    compute: change,
    formula: 'x − x[−n]',
    source: 'TA-Lib MOM',
  }),
  define({
    name: 'trix',
    title: 'Triple exponential average',
    category: 'momentum',
    parameters: {
      length: candles(18, 'Candles of each of the three EMAs'),
      signal: candles(9, 'Values in the EMA of the signal'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value', 'signal'],
    minimum: ({ length, signal }) => 3 * length + signal - 2,
    settle: ({ length, signal }) => 3 * emaSettle(length) + emaSettle(signal),
    compute: (columns, { length, signal, source }) => {
      const value = trix(price(columns, source), length);
      return [value, ema(value, signal)];
    },
    formula: 'Change of EMA(EMA(EMA(x))) over one candle in percent; signal = EMA(value)',
    source: 'TA-Lib TRIX; TradingView takes ln(close) times 10000',
  }),
  define({
    name: 'coppock',
    title: 'Coppock curve',
    category: 'momentum',
    parameters: {
      long: candles(14, 'Candles of the longer change'),
      short: candles(11, 'Candles of the shorter change'),
      wma: candles(10, 'Values in the weighted average'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ long, short, wma }) => Math.max(long, short) + wma,
    compute: (columns, { source, ...lengths }) => [coppock(price(columns, source), lengths)],
    formula: 'WMA(ROC(long) + ROC(short)), percent',
    source: 'Coppock 1962; TradingView',
  }),
  define({
    name: 'dpo',
    title: 'Detrended price oscillator',
    category: 'momentum',
    parameters: {
      length: candles(20),
      centered: {
        type: 'word',
        default: 'false',
        allowed: ['false', 'true'],
        description: 'true: at the middle of the average, which looks ahead',
      },
      source,
    },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => Math.max(length, Math.floor(length / 2) + 2),
    compute: (columns, { length, centered, source }) => [
      dpo(price(columns, source), length, centered === 'true'),
    ],
    formula:
      's = ⌊n/2⌋+1: x[i−s] − SMA(n)[i]; centered: x[i] − SMA(n)[i+s], null for the last s candles',
    source: 'Tulip DPO; centered as Stock.Indicators',
  }),
  define({
    name: 'tsi',
    title: 'True strength index',
    category: 'momentum',
    parameters: {
      long: candles(25, 'Candles of the first EMA'),
      short: candles(13, 'Candles of the second EMA'),
      signal: candles(13, 'Values in the EMA of the signal'),
      source,
    },
    inputs: anyPrice,
    outputs: ['value', 'signal'],
    minimum: ({ long, short, signal }) => long + short + signal - 1,
    settle: ({ long, short, signal }) => emaSettle(long) + emaSettle(short) + emaSettle(signal),
    compute: (columns, { long, short, signal, source }) => {
      const value = tsi(price(columns, source), long, short);
      return [value, ema(value, signal)];
    },
    formula:
      '100·EMA_short(EMA_long(Δx)) / EMA_short(EMA_long(|Δx|)); signal = EMA(value); null while nothing moved',
    source: 'Blau 1991; Stock.Indicators, whose signal is 7 by default',
  }),
];

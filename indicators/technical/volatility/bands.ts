/** Bands around an average and channels around a range. */

import { less } from '../../digits.ts';
import {
  anyPrice,
  candles,
  ddof,
  define,
  emaSettle,
  factor,
  rmaSettle,
  source,
} from '../../entry.ts';
import { ema, sma } from '../averages.ts';
import { at, blank, price, ratio } from '../columns.ts';
import { atr, type Range } from '../range.ts';
import { deviation, extremes } from '../windows.ts';

/** Columns on both sides of a middle, `distance[i]` away. */
function around(middle: Float64Array, distance: Float64Array, mult: number) {
  const upper = blank(middle.length);
  const lower = blank(middle.length);
  for (let i = 0; i < middle.length; i++) {
    upper[i] = at(middle, i) + mult * at(distance, i);
    lower[i] = at(middle, i) - mult * at(distance, i);
  }
  return { upper, middle, lower };
}

/**
 * Bollinger bands `SMA ± mult * standard deviation`, first at n-1; `percentB = (x - lower) / (upper - lower)`, no
 * value at zero width; `bandwidth = (upper - lower) / middle`, a fraction.
 */
export function bbands(
  x: Float64Array,
  { length, mult, ddof }: { readonly length: number; readonly mult: number; readonly ddof: number },
) {
  const middle = sma(x, length);
  const width = deviation(x, length, ddof);
  const upper = blank(x.length);
  const lower = blank(x.length);
  const percentB = blank(x.length);
  for (let i = length - 1; i < x.length; i++) {
    const half = mult * at(width, i);
    const mean = at(middle, i);
    upper[i] = mean + half;
    lower[i] = mean - half;
    percentB[i] = ratio(less(at(x, i), mean - half), 2 * half);
    width[i] = ratio(2 * half, mean);
  }
  return { upper, middle, lower, percentB, bandwidth: width };
}

/** Chandelier exits: `highest high - mult ATR` and `lowest low + mult ATR` over n candles; first at n. */
export function chandelier(columns: Range, n: number, mult: number) {
  const { highest: long, lowest: short } = extremes(columns.high, columns.low, n);
  const reach = atr(columns, n);
  for (let i = 0; i < long.length; i++) {
    long[i] = at(long, i) - mult * at(reach, i);
    short[i] = at(short, i) + mult * at(reach, i);
  }
  return { long, short };
}

export const bandEntries = [
  define({
    name: 'bbands',
    aliases: ['bollinger'],
    title: 'Bollinger bands',
    category: 'volatility',
    parameters: {
      length: candles(20, 'Candles in the window', 2),
      mult: factor(2, 'Standard deviations'),
      ddof,
      source,
    },
    inputs: anyPrice,
    outputs: ['upper', 'middle', 'lower', 'percent_b', 'bandwidth'],
    onPrice: ['upper', 'middle', 'lower'],
    minimum: ({ length }) => length,
    compute: (columns, { source, ...chosen }) => {
      const bands = bbands(price(columns, source), chosen);
      return [bands.upper, bands.middle, bands.lower, bands.percentB, bands.bandwidth];
    },
    formula:
      'middle SMA(n), upper and lower ± mult·stddev(n); percent_b = (x − lower)/(upper − lower), null at zero width; bandwidth = (upper − lower)/middle, a fraction',
    source:
      'Bollinger. Sample deviation (ddof 1); TA-Lib, Tulip, TradingView and Stock.Indicators take the population (ddof 0)',
  }),
  define({
    name: 'keltner',
    title: 'Keltner channel',
    category: 'volatility',
    parameters: {
      length: candles(20, 'Candles of the EMA'),
      mult: factor(2, 'Multiple of the ATR'),
      atr_length: candles(10, 'Candles of the ATR'),
    },
    inputs: ['high', 'low', 'close'],
    outputs: ['upper', 'middle', 'lower'],
    onPrice: ['upper', 'middle', 'lower'],
    minimum: ({ length, atr_length }) => Math.max(length, atr_length + 1),
    settle: ({ length, atr_length }) => Math.max(emaSettle(length), rmaSettle(atr_length)),
    compute: (columns, { length, mult, atr_length }) => {
      const middle = ema(columns.close, length);
      const { upper, lower } = around(middle, atr(columns, atr_length), mult);
      return [upper, middle, lower];
    },
    formula: "middle EMA(close, length), upper and lower ± mult·ATR(atr_length), Wilder's",
    source: 'Stock.Indicators',
  }),
  define({
    name: 'donchian',
    title: 'Donchian channel',
    category: 'volatility',
    parameters: { length: candles(20) },
    inputs: ['high', 'low'],
    outputs: ['upper', 'lower', 'middle'],
    onPrice: ['upper', 'lower', 'middle'],
    minimum: ({ length }) => length,
    compute: (columns, { length }) => {
      const { highest, lowest } = extremes(columns.high, columns.low, length);
      const middle = blank(highest.length);
      for (let i = 0; i < middle.length; i++) middle[i] = (at(highest, i) + at(lowest, i)) / 2;
      return [highest, lowest, middle];
    },
    formula:
      'Highest high and lowest low over n candles, the current one included; middle their mean',
    source: 'TradingView, pandas-ta; Stock.Indicators leaves the current candle out',
  }),
  define({
    name: 'chandelier',
    title: 'Chandelier exits',
    category: 'volatility',
    parameters: { length: candles(22), mult: factor(3, 'Multiple of the ATR') },
    inputs: ['high', 'low', 'close'],
    outputs: ['long', 'short'],
    onPrice: ['long', 'short'],
    minimum: ({ length }) => length + 1,
    settle: ({ length }) => rmaSettle(length),
    compute: (columns, { length, mult }) => {
      const { long, short } = chandelier(columns, length, mult);
      return [long, short];
    },
    formula: 'long = highest high(n) − mult·ATR(n); short = lowest low(n) + mult·ATR(n)',
    source: 'LeBeau; Stock.Indicators',
  }),
];

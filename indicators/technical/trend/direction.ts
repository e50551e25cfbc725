/** Which side prevails. */

import { candles, define, emaSettle } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { ema } from '../averages.ts';
import { at, blank, difference, quotient, scaled, zeros } from '../columns.ts';
import { type Range, trueRange } from '../range.ts';
import { sinceHighest, sum } from '../windows.ts';

/** `100 (n - candles since the highest) / n` over n+1 candles; the most recent of equal ones counts; first at n. */
function recency(x: Float64Array, n: number): Float64Array {
  const out = sinceHighest(x, n + 1);
  for (let i = 0; i < out.length; i++) out[i] = (100 * (n - at(out, i))) / n;
  return out;
}

/** Aroon, 0 to 100: how recent the highest high and the lowest low are (T. Chande). */
export function aroon({ high, low }: Pick<Columns, 'high' | 'low'>, n: number) {
  const up = recency(high, n);
  const down = recency(scaled(low, -1), n);
  return { up, down, oscillator: difference(up, down) };
}

/** Vortex: `sum |H - Lprev| / sum TR` and `sum |L - Hprev| / sum TR` over n candles; first at n (E. Botes, D. Siepman). */
export function vortex(columns: Range, n: number) {
  const { high, low } = columns;
  const plus = blank(high.length);
  const minus = blank(high.length);
  for (let i = 1; i < high.length; i++) {
    plus[i] = Math.abs(at(high, i) - at(low, i - 1));
    minus[i] = Math.abs(at(low, i) - at(high, i - 1));
  }
  const range = sum(trueRange(columns), n);
  return { plus: quotient(sum(plus, n), range), minus: quotient(sum(minus, n), range) };
}

/** Heikin-Ashi candles: `C = ohlc4`, `O = (Oprev + Cprev) / 2`, at first `(o + c) / 2`; H and L reach to both. */
export function heikinAshi(columns: Columns) {
  const length = columns.close.length;
  const open = zeros(length);
  const high = zeros(length);
  const low = zeros(length);
  const close = zeros(length);
  for (let i = 0; i < length; i++) {
    const o = at(columns.open, i);
    const h = at(columns.high, i);
    const l = at(columns.low, i);
    const c = at(columns.close, i);
    const first = i === 0 ? (o + c) / 2 : (at(open, i - 1) + at(close, i - 1)) / 2;
    const last = (o + h + l + c) / 4;
    open[i] = first;
    close[i] = last;
    high[i] = Math.max(h, first, last);
    low[i] = Math.min(l, first, last);
  }
  return { open, high, low, close };
}

/** Whether each of `span` values on both sides of i is above it. */
function lowerThanAround(x: Float64Array, i: number, span: number): boolean {
  const value = at(x, i);
  for (let k = 1; k <= span; k++) if (at(x, i - k) <= value || at(x, i + k) <= value) return false;
  return true;
}

/** Values of x that are lower than the `span` ones on each side; no value elsewhere, nor for the last `span`. */
export function troughs(x: Float64Array, span: number): Float64Array {
  const out = blank(x.length);
  for (let i = span; i < x.length - span; i++) if (lowerThanAround(x, i, span)) out[i] = at(x, i);
  return out;
}

export const directionEntries = [
  define({
    name: 'aroon',
    title: 'Aroon',
    category: 'trend',
    parameters: { length: candles(14, 'Candles back') },
    inputs: ['high', 'low'],
    outputs: ['up', 'down', 'oscillator'],
    minimum: ({ length }) => length + 1,
    compute: (columns, { length }) => {
      const { up, down, oscillator } = aroon(columns, length);
      return [up, down, oscillator];
    },
    formula:
      'up = 100·(n − candles since the highest high)/n over n+1 candles, down by the lowest low; the most recent of equal ones counts; oscillator = up − down',
    source: 'Chande 1995; TA-Lib, Tulip. Stock.Indicators takes the older of equal ones',
  }),
  define({
    name: 'vortex',
    title: 'Vortex',
    category: 'trend',
    parameters: { length: candles(14) },
    inputs: ['high', 'low', 'close'],
    outputs: ['plus', 'minus'],
    minimum: ({ length }) => length + 1,
    compute: (columns, { length }) => {
      const { plus, minus } = vortex(columns, length);
      return [plus, minus];
    },
    formula: 'plus = Σ|H − Lprev|/ΣTR, minus = Σ|L − Hprev|/ΣTR over n; null where ΣTR is 0',
    source: 'Botes and Siepman 2010; Stock.Indicators',
  }),
  define({
    name: 'elder_ray',
    title: 'Elder ray',
    category: 'trend',
    parameters: { length: candles(13, 'Candles of the EMA') },
    inputs: ['high', 'low', 'close'],
    outputs: ['bull_power', 'bear_power', 'ema'],
    onPrice: ['ema'],
    minimum: ({ length }) => length,
    settle: ({ length }) => emaSettle(length),
    compute: ({ high, low, close }, { length }) => {
      const middle = ema(close, length);
      return [difference(high, middle), difference(low, middle), middle];
    },
    formula: 'bull_power = H − EMA(C), bear_power = L − EMA(C), ema = EMA(C)',
    source: 'Elder 1989; Stock.Indicators',
  }),
  define({
    name: 'heikin_ashi',
    title: 'Heikin-Ashi candles',
    category: 'trend',
    parameters: {},
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['open', 'high', 'low', 'close'],
    onPrice: ['open', 'high', 'low', 'close'],
    minimum: () => 1,
    settle: () => 50,
    compute: (columns) => {
      const { open, high, low, close } = heikinAshi(columns);
      return [open, high, low, close];
    },
    formula:
      'close = (o+h+l+c)/4; open = (open prev + close prev)/2, at first (o+c)/2; high = max(h, open, close), low = min(l, open, close)',
    source: 'Stock.Indicators, TradingView',
  }),
  define({
    name: 'fractal',
    title: 'Williams fractal',
    category: 'trend',
    parameters: { span: candles(2, 'Candles on each side') },
    inputs: ['high', 'low'],
    outputs: ['bull', 'bear'],
    onPrice: ['bull', 'bear'],
    minimum: ({ span }) => 2 * span + 1,
    compute: ({ high, low }, { span }) => {
      const peaks = scaled(troughs(scaled(high, -1), span), -1);
      return [troughs(low, span), peaks];
    },
    formula:
      'bull: a low below the span lows on each side; bear: a high above the span highs on each side; its price at the middle candle, null elsewhere and for the last span candles, which cannot be known yet',
    source: 'Bill Williams; Stock.Indicators',
  }),
];

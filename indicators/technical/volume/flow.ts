/** Volume that flows in and out. */

import { less } from '../../digits.ts';
import { candles, define, emaSettle, ofCandles } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { ema } from '../averages.ts';
import { at, blank, difference, hlc3, quotient, withoutRounding, zeros } from '../columns.ts';
import { strength } from '../momentum/rsi.ts';
import { sum } from '../windows.ts';

type Traded = Pick<Columns, 'high' | 'low' | 'close' | 'volume'>;

/** On balance volume: volume added on a rise of the close and taken off on a fall; starts at 0 (J. Granville). */
export function obv({ close, volume }: Pick<Columns, 'close' | 'volume'>): Float64Array {
  const out = zeros(close.length);
  let total = 0;
  for (let i = 1; i < out.length; i++) {
    total += Math.sign(at(close, i) - at(close, i - 1)) * at(volume, i);
    out[i] = total;
  }
  return out;
}

/** Volume times `((C - L) - (H - C)) / (H - L)`, which is 0 for a candle without range. */
function moneyFlow({ high, low, close, volume }: Traded): Float64Array {
  const out = zeros(close.length);
  for (let i = 0; i < out.length; i++) {
    const range = at(high, i) - at(low, i);
    const balance = less(2 * at(close, i), at(low, i) + at(high, i));
    out[i] = range === 0 ? 0 : (balance / range) * at(volume, i);
  }
  return out;
}

/** Accumulation and distribution: the running total of money flow, the first candle included (M. Chaikin). */
export function ad(columns: Traded): Float64Array {
  const out = moneyFlow(columns);
  for (let i = 1; i < out.length; i++) out[i] = at(out, i - 1) + at(out, i);
  return out;
}

/** Money flow index, 0 to 100: flow `hlc3 v` of rising against falling candles over n; first at n (G. Quong, A. Soudack). */
export function mfi(columns: Columns, n: number): Float64Array {
  const typical = hlc3(columns);
  const positive = blank(typical.length);
  const negative = blank(typical.length);
  for (let i = 1; i < typical.length; i++) {
    const flow = at(typical, i) * at(columns.volume, i);
    const step = less(at(typical, i), at(typical, i - 1));
    positive[i] = step > 0 ? flow : 0;
    negative[i] = step < 0 ? flow : 0;
  }
  const rising = sum(positive, n);
  const falling = sum(negative, n);
  for (let i = n; i < rising.length; i++) rising[i] = strength(at(rising, i), at(falling, i));
  return rising;
}

export const flowEntries = [
  define({
    name: 'obv',
    title: 'On balance volume',
    category: 'volume',
    cumulative: true,
    parameters: {},
    inputs: ['close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [obv(columns)],
    formula: 'Starts at 0; + volume when the close rose, − when it fell, unchanged when equal',
    source: 'Tulip, TradingView, Stock.Indicators; TA-Lib starts at the first volume',
  }),
  define({
    name: 'ad',
    aliases: ['adl'],
    title: 'Accumulation and distribution',
    category: 'volume',
    cumulative: true,
    parameters: {},
    inputs: ['high', 'low', 'close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [ad(columns)],
    formula: 'Σ mfm·volume, mfm = ((C−L) − (H−C))/(H−L), 0 if H = L; the first candle included',
    source: 'TA-Lib AD',
  }),
  define({
    name: 'adosc',
    aliases: ['chaikin_osc'],
    title: 'Chaikin oscillator',
    category: 'volume',
    parameters: {
      fast: candles(3, 'Candles of the fast EMA'),
      slow: candles(10, 'Candles of the slow EMA'),
    },
    inputs: ['high', 'low', 'close', 'volume'],
    outputs: ['value'],
    minimum: ({ fast, slow }) => Math.max(fast, slow),
    settle: ({ fast, slow }) => emaSettle(Math.max(fast, slow)),
    compute: (columns, { fast, slow }) => {
      const line = ad(columns);
      return [difference(ema(line, fast), ema(line, slow))];
    },
    formula: 'EMA(ad, fast) − EMA(ad, slow)',
    source:
      'Stock.Indicators; TA-Lib and Tulip seed with the first ad: the same after 65 to 100 bars',
  }),
  ofCandles({
    name: 'cmf',
    title: 'Chaikin money flow',
    category: 'volume',
    length: candles(20),
    inputs: ['high', 'low', 'close', 'volume'],
    compute: (columns, n) =>
      withoutRounding(quotient(sum(moneyFlow(columns), n), sum(columns.volume, n))),
    formula: 'Σ(mfm·volume)/Σ volume over n, mfm as ad; null where no volume was traded',
    source: 'Stock.Indicators, TradingView',
  }),
  ofCandles({
    name: 'mfi',
    title: 'Money flow index',
    category: 'volume',
    length: candles(14),
    inputs: ['high', 'low', 'close', 'volume'],
    minimum: (n) => n + 1,
    compute: mfi,
    formula:
      '100 − 100/(1 + pos/neg), sums over n of hlc3·volume where hlc3 rose or fell; no falls 100, neither 50',
    source: 'TA-Lib MFI',
  }),
];

/** Middles of price ranges. */

import { candles, define, ofCandles } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { at, blank, hl2, hlc3, ohlc4, zeros } from '../columns.ts';
import { extremes } from '../windows.ts';

type HighLow = Pick<Columns, 'high' | 'low'>;

/** `(highest high + lowest low) / 2` over the last n candles; first at n-1. */
export function midprice({ high, low }: HighLow, n: number): Float64Array {
  const { highest, lowest } = extremes(high, low, n);
  for (let i = 0; i < highest.length; i++) highest[i] = (at(highest, i) + at(lowest, i)) / 2;
  return highest;
}

/** x moved by a number of candles, later when positive. */
function shifted(x: Float64Array, by: number): Float64Array {
  const out = blank(x.length);
  if (by >= x.length) return out;
  if (by >= 0) out.set(x.subarray(0, x.length - by), by);
  else out.set(x.subarray(Math.min(-by, x.length)));
  return out;
}

/** Lengths of the lines of the Ichimoku chart. */
export interface IchimokuLengths {
  readonly conversion: number;
  readonly base: number;
  readonly span_b: number;
  readonly displacement: number;
}

/** Ichimoku: midprices, of which the two spans are shown `displacement` candles later and the close as many earlier. */
export function ichimoku(columns: HighLow & Pick<Columns, 'close'>, lengths: IchimokuLengths) {
  const tenkan = midprice(columns, lengths.conversion);
  const kijun = midprice(columns, lengths.base);
  const ahead = zeros(tenkan.length);
  for (let i = 0; i < ahead.length; i++) ahead[i] = (at(tenkan, i) + at(kijun, i)) / 2;
  return {
    tenkan,
    kijun,
    senkouA: shifted(ahead, lengths.displacement),
    senkouB: shifted(midprice(columns, lengths.span_b), lengths.displacement),
    chikou: shifted(columns.close, -lengths.displacement),
  };
}

export const rangeMiddleEntries = [
  ofCandles({
    name: 'midprice',
    title: 'Midpoint of the range',
    category: 'overlap',
    length: candles(14),
    inputs: ['high', 'low'],
    compute: midprice,
    formula: '(highest high + lowest low) / 2 over n candles, the current one included',
    source: 'TA-Lib MIDPRICE',
  }),
  define({
    name: 'ichimoku',
    title: 'Ichimoku cloud',
    category: 'overlap',
    parameters: {
      conversion: candles(9, 'Candles of tenkan'),
      base: candles(26, 'Candles of kijun'),
      span_b: candles(52, 'Candles of senkou B'),
      displacement: candles(26, 'Candles by which spans and chikou are moved'),
    },
    inputs: ['high', 'low', 'close'],
    outputs: ['tenkan', 'kijun', 'senkou_a', 'senkou_b', 'chikou'],
    minimum: ({ conversion, base, span_b, displacement }) =>
      Math.max(conversion, base, span_b) + displacement,
    compute: (columns, lengths) => {
      const { tenkan, kijun, senkouA, senkouB, chikou } = ichimoku(columns, lengths);
      return [tenkan, kijun, senkouA, senkouB, chikou];
    },
    formula:
      'tenkan, kijun: midprice of 9 and 26; senkou_a[i] = (tenkan+kijun)/2 at i−26; senkou_b[i] = midprice of 52 at i−26; chikou[i] = close[i+26], null for the last 26',
    source: 'Stock.Indicators, moved by exactly displacement; TradingView moves by one less',
  }),
];

export const transformEntries = [
  define({
    name: 'hl2',
    title: 'Median price',
    category: 'transform',
    parameters: {},
    inputs: ['high', 'low'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [hl2(columns)],
    formula: '(high + low) / 2',
    source: 'TA-Lib MEDPRICE',
  }),
  define({
    name: 'hlc3',
    title: 'Typical price',
    category: 'transform',
    parameters: {},
    inputs: ['high', 'low', 'close'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [hlc3(columns)],
    formula: '(high + low + close) / 3',
    source: 'TA-Lib TYPPRICE',
  }),
  define({
    name: 'ohlc4',
    title: 'Average price',
    category: 'transform',
    parameters: {},
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [ohlc4(columns)],
    formula: '(open + high + low + close) / 4',
    source: 'TA-Lib AVGPRICE',
  }),
];

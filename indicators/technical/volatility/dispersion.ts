/** How widely values lie. */

import { day } from '../../../config/time.ts';
import { less } from '../../digits.ts';
import { anyPrice, candles, ddof, define, ofSeries, source, type Words } from '../../entry.ts';
import { sma } from '../averages.ts';
import { at, blank, price, ratio, scaled } from '../columns.ts';
import { lengthOf } from '../periods.ts';
import { deviation, variance } from '../windows.ts';

/** `(x - SMA) / standard deviation`; no value where nothing deviates. */
export function zscore(x: Float64Array, n: number, ddof: number): Float64Array {
  const mean = sma(x, n);
  const width = deviation(x, n, ddof);
  for (let i = 0; i < x.length; i++) mean[i] = ratio(less(at(x, i), at(mean, i)), at(width, i));
  return mean;
}

/** Logarithms of `x[i] / x[i-1]`; first at 1, no value where one of the two is not above 0. */
export function logReturns(x: Float64Array): Float64Array {
  const out = blank(x.length);
  for (let i = 1; i < x.length; i++) {
    const before = at(x, i - 1);
    if (before > 0 && at(x, i) > 0) out[i] = Math.log1p(less(at(x, i), before) / before);
  }
  return out;
}

const year = 365 * day;

/** Candles per year by the time between two; months (28 days and more) are 12, without a time between it is days. */
function perYear(interval: number): number {
  if (interval <= 0) return 365;
  return interval >= 28 * day ? 12 : year / interval;
}

/**
 * Historical volatility in percent per year: sample deviation of n logarithmic returns times the root of the candles
 * per year; first at n. With 0 candles per year they come from the times.
 */
export function hv(
  { time, x }: { readonly time: Float64Array; readonly x: Float64Array },
  n: number,
  periodsPerYear: number,
): Float64Array {
  const factor = 100 * Math.sqrt(periodsPerYear || perYear(lengthOf(time)));
  return scaled(deviation(logReturns(x), n, 1), factor);
}

/** Ulcer index: root mean square of the drawdowns, in percent, from the highest value so far in the window of n. */
export function ulcer(x: Float64Array, n: number): Float64Array {
  const out = blank(x.length);
  for (let i = n - 1; i < x.length; i++) {
    let highest = Number.NEGATIVE_INFINITY;
    let squares = 0;
    for (let k = i - n + 1; k <= i; k++) {
      highest = Math.max(highest, at(x, k));
      const drawdown = (at(x, k) - highest) / highest;
      squares += drawdown * drawdown;
    }
    out[i] = 100 * Math.sqrt(squares / n);
  }
  return out;
}

/** An entry about the dispersion of a series in a window. */
const inWindow = ({
  compute,
  ...entry
}: Words & {
  compute(x: Float64Array, n: number, ddof: number): Float64Array;
}) =>
  define({
    ...entry,
    category: 'volatility',
    parameters: { length: candles(20, 'Candles in the window', 2), ddof, source },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ length }) => length,
    compute: (columns, { length, ddof, source }) => [compute(price(columns, source), length, ddof)],
  });

export const dispersionEntries = [
  inWindow({
    name: 'stddev',
    title: 'Standard deviation',
    compute: deviation,
    formula: '√(Σ(x − mean)² / (n − ddof))',
    source: 'TA-Lib STDDEV and Tulip take the population (ddof 0)',
  }),
  inWindow({
    name: 'variance',
    title: 'Variance',
    compute: variance,
    formula: 'Σ(x − mean)² / (n − ddof)',
    source: 'TA-Lib VAR takes the population (ddof 0)',
  }),
  inWindow({
    name: 'zscore',
    title: 'Standard score',
    compute: zscore,
    formula: '(x − SMA)/stddev; null where the deviation is 0',
    source: 'Stock.Indicators, with ddof 0',
  }),
  define({
    name: 'hv',
    title: 'Historical volatility',
    category: 'volatility',
    parameters: {
      length: candles(20, 'Returns in the window', 2),
      periods_per_year: {
        type: 'number',
        default: 0,
        minimum: 0,
        maximum: 525_600,
        description: 'Candles per year; 0: from the times of the candles (365 for 1d, 8760 for 1h)',
      },
      source,
    },
    inputs: ['time', ...anyPrice],
    outputs: ['value'],
    minimum: ({ length }) => length + 1,
    compute: (columns, { length, periods_per_year, source }) => [
      hv({ time: columns.time, x: price(columns, source) }, length, periods_per_year),
    ],
    formula:
      'Sample deviation of n logarithmic returns · √(candles per year) · 100; a year has 525,600 minutes, 12 months',
    source: 'RiskMetrics form, as TradingView Historical Volatility',
  }),
  ofSeries({
    name: 'ulcer',
    title: 'Ulcer index',
    category: 'volatility',
    length: candles(14),
    compute: ulcer,
    formula:
      '√(mean of squared drawdowns), each in percent from the highest value so far within the window',
    source: 'Martin 1987; Stock.Indicators',
  }),
];

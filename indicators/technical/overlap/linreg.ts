/** The straight line through a window. */

import { scatter, unlessRounding } from '../../digits.ts';
import { anyPrice, candles, define, source } from '../../entry.ts';
import { at, blank, price, ratio } from '../columns.ts';

/**
 * Least squares of x on k = 0 (oldest) to n-1 over the last n values, n at least 2; first at n-1. `value` is the line
 * at the newest candle, `intercept` at the oldest, `tsf` one ahead, `slope` per candle, `r2` has no value when flat.
 */
export function linreg(x: Float64Array, n: number) {
  const value = blank(x.length);
  const slope = blank(x.length);
  const intercept = blank(x.length);
  const r2 = blank(x.length);
  const tsf = blank(x.length);
  const middle = (n - 1) / 2;
  const spread = (n * (n * n - 1)) / 12;
  for (let i = n - 1; i < x.length; i++) {
    // From the newest value, not from 0, so that a flat window is exactly flat.
    const pivot = at(x, i);
    let total = 0;
    let squares = 0;
    let products = 0;
    for (let k = 0; k < n; k++) {
      const deviation = at(x, i - n + 1 + k) - pivot;
      total += deviation;
      squares += deviation * deviation;
      products += (k - middle) * deviation;
    }
    const b = unlessRounding(products, pivot) / spread;
    const mean = pivot + total / n;
    slope[i] = b;
    intercept[i] = mean - b * middle;
    value[i] = mean + b * middle;
    tsf[i] = mean + b * (middle + 1);
    r2[i] = Math.min(1, ratio(b * products, scatter(squares - (total * total) / n, pivot)));
  }
  return { value, slope, intercept, r2, tsf };
}

export const linregEntries = [
  define({
    name: 'linreg',
    aliases: ['lsma', 'epma'],
    title: 'Linear regression',
    category: 'overlap',
    parameters: { length: candles(14, 'Candles in the window', 2), source },
    inputs: anyPrice,
    outputs: ['value', 'slope', 'intercept', 'r2', 'tsf'],
    onPrice: ['value', 'intercept', 'tsf'],
    minimum: ({ length }) => length,
    compute: (columns, { length, source }) => {
      const { value, slope, intercept, r2, tsf } = linreg(price(columns, source), length);
      return [value, slope, intercept, r2, tsf];
    },
    formula:
      'Least squares a + b·k over k = 0 (oldest) to n−1: value a+b(n−1), slope b, intercept a, r2 (null in a flat window), tsf a+b·n',
    source: 'TA-Lib LINEARREG, TSF; Stock.Indicators',
  }),
];

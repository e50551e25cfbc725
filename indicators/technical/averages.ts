/**
 * Moving averages. They start late on a column that starts late, so they can be chained; where the input has no
 * value they have none.
 */
import { at, blank, zeros } from './columns.ts';
import { sum } from './windows.ts';

/** Simple moving average: the mean of the last n values, first at n-1. The mean of equal ones is exactly that value. */
export function sma(x: Float64Array, n: number): Float64Array {
  const out = sum(x, n);
  let equal = 0;
  for (let i = 0; i < out.length; i++) {
    equal = at(x, i) === at(x, i - 1) ? equal + 1 : 1;
    out[i] = equal >= n ? at(x, i) : at(out, i) / n;
  }
  return out;
}

/** The recurrence `e += alpha * (x - e)` from the mean of the first n values. A gap leaves it where it was. */
function smoothed(x: Float64Array, n: number, alpha: number): Float64Array {
  const out = blank(x.length);
  let value = 0;
  let seen = 0;
  let i = 0;
  for (; i < x.length && seen < n; i++) {
    const next = at(x, i);
    // The running mean of equal numbers is exactly that number, so flat prices give exact zeros further on.
    if (!Number.isNaN(next)) value += (next - value) / ++seen;
  }
  if (seen === n) out[i - 1] = value;
  for (; i < x.length; i++) {
    const next = at(x, i);
    if (Number.isNaN(next)) continue;
    value += alpha * (next - value);
    out[i] = value;
  }
  return out;
}

/**
 * Exponential moving average: alpha = 2/(n+1), seeded with the simple mean of the first n values, which is its
 * first value, at n-1 (TA-Lib, TradingView).
 */
export const ema = (x: Float64Array, n: number): Float64Array => smoothed(x, n, 2 / (n + 1));

/** Wilder's average: alpha = 1/n, seeded as the EMA (J. W. Wilder, New Concepts in Technical Trading Systems). */
export const rma = (x: Float64Array, n: number): Float64Array => smoothed(x, n, 1 / n);

/** Linearly weighted average: weights 1 to n, the newest the heaviest, over n(n+1)/2; first at n-1. */
export function wma(x: Float64Array, n: number): Float64Array {
  const out = zeros(x.length);
  const weight = (n * (n + 1)) / 2;
  // As `sum` in windows.ts, with the weighted sums beside the plain ones.
  const tail = blank(n + 1);
  tail[n] = 0;
  for (let start = 0; start < x.length; start += n) {
    const end = Math.min(start + n, x.length);
    let plain = 0;
    let weighted = 0;
    for (let i = start; i < end; i++) {
      const k = i - start + 1;
      plain += at(x, i);
      weighted += k * at(x, i);
      out[i] = (at(tail, k) + (n - k) * plain + weighted) / weight;
    }
    plain = 0;
    weighted = 0;
    for (let i = end - 1; i >= start; i--) {
      plain += at(x, i);
      weighted += plain;
      tail[i - start] = weighted;
    }
  }
  return out;
}

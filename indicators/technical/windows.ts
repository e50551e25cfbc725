/**
 * Sums and extremes of sliding windows in constant time per value. The column is cut into blocks of n; a window is
 * the tail of one block and the head of the next (van Herk, Gil-Werman). Unlike a sum that adds the newest and
 * subtracts the oldest, nothing cancels: a window of zeros is exactly 0 whatever came before it, and a gap is
 * forgotten when it has left the window. Where the window is not full or has a gap, there is no value.
 */
import { scatter } from '../digits.ts';
import { at, blank, zeros } from './columns.ts';

/** The sum of the last n values. */
export function sum(x: Float64Array, n: number): Float64Array {
  const out = zeros(x.length);
  const tail = blank(n + 1);
  tail[n] = 0;
  for (let start = 0; start < x.length; start += n) {
    const end = Math.min(start + n, x.length);
    let total = 0;
    for (let i = start; i < end; i++) {
      total += at(x, i);
      out[i] = at(tail, i - start + 1) + total;
    }
    total = 0;
    for (let i = end - 1; i >= start; i--) {
      total += at(x, i);
      tail[i - start] = total;
    }
  }
  return out;
}

/** The highest of the last n values of one column and the lowest of another, the current candle included. */
export function extremes(
  high: Float64Array,
  low: Float64Array,
  n: number,
): { highest: Float64Array; lowest: Float64Array } {
  const highest = zeros(high.length);
  const lowest = zeros(high.length);
  const tailHigh = blank(n + 1);
  const tailLow = blank(n + 1);
  tailHigh[n] = Number.NEGATIVE_INFINITY;
  tailLow[n] = Number.POSITIVE_INFINITY;
  for (let start = 0; start < high.length; start += n) {
    const end = Math.min(start + n, high.length);
    let top = Number.NEGATIVE_INFINITY;
    let bottom = Number.POSITIVE_INFINITY;
    for (let i = start; i < end; i++) {
      top = Math.max(top, at(high, i));
      bottom = Math.min(bottom, at(low, i));
      highest[i] = Math.max(at(tailHigh, i - start + 1), top);
      lowest[i] = Math.min(at(tailLow, i - start + 1), bottom);
    }
    top = Number.NEGATIVE_INFINITY;
    bottom = Number.POSITIVE_INFINITY;
    for (let i = end - 1; i >= start; i--) {
      top = Math.max(top, at(high, i));
      bottom = Math.min(bottom, at(low, i));
      tailHigh[i - start] = top;
      tailLow[i - start] = bottom;
    }
  }
  return { highest, lowest };
}

/** Candles since the highest of the last n values; the most recent of equal ones counts. Needs values throughout. */
export function sinceHighest(x: Float64Array, n: number): Float64Array {
  const out = blank(x.length);
  // Indices whose values fall, oldest first: each is the highest once those before it have left the window.
  const queue = zeros(x.length);
  let head = 0;
  let size = 0;
  for (let i = 0; i < x.length; i++) {
    while (size > head && at(x, at(queue, size - 1)) <= at(x, i)) size--;
    queue[size++] = i;
    if (at(queue, head) <= i - n) head++;
    if (i >= n - 1) out[i] = i - at(queue, head);
  }
  return out;
}

/**
 * Variance of the n values that end at i. Deviations are taken from the newest value, not from 0: a flat window is
 * exactly 0, one that is flat but for rounding too, and the digits lost stay below those of n times machine precision at any price.
 */
export function varianceAt(x: Float64Array, i: number, n: number, ddof: number): number {
  const pivot = at(x, i);
  let total = 0;
  let squares = 0;
  for (let k = i - n + 1; k < i; k++) {
    const deviation = at(x, k) - pivot;
    total += deviation;
    squares += deviation * deviation;
  }
  return scatter(squares - (total * total) / n, pivot) / (n - ddof);
}

/**
 * Variance over the last n values; `ddof` 1 for a sample, 0 for a population. No value when n is not above ddof.
 * As `varianceAt`, in blocks: the tail of one deviates from its last value, the head of the next from its first. Both
 * are in every window that spans them.
 */
export function variance(x: Float64Array, n: number, ddof: number): Float64Array {
  if (n <= ddof) return blank(x.length);
  const out = zeros(x.length);
  const tailTotal = blank(n + 1);
  const tailSquares = blank(n + 1);
  tailTotal[n] = 0;
  tailSquares[n] = 0;
  let pivot = 0;
  for (let start = 0; start < x.length; start += n) {
    const end = Math.min(start + n, x.length);
    const shift = pivot - at(x, start);
    pivot = at(x, start);
    let total = 0;
    let squares = 0;
    for (let i = start; i < end; i++) {
      const k = i - start + 1;
      const step = at(x, i) - pivot;
      total += step;
      squares += step * step;
      const before = at(tailTotal, k);
      const shifted = (n - k) * shift;
      const all = total + before + shifted;
      const allSquares = squares + at(tailSquares, k) + shift * (2 * before + shifted);
      out[i] = scatter(allSquares - (all * all) / n, pivot) / (n - ddof);
    }
    pivot = at(x, end - 1);
    total = 0;
    squares = 0;
    for (let i = end - 1; i >= start; i--) {
      const step = at(x, i) - pivot;
      total += step;
      squares += step * step;
      tailTotal[i - start] = total;
      tailSquares[i - start] = squares;
    }
  }
  return out;
}

/** Standard deviation over the last n values, in units of x. */
export function deviation(x: Float64Array, n: number, ddof: number): Float64Array {
  const out = variance(x, n, ddof);
  for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(at(out, i));
  return out;
}

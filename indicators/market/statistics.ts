/** Means, medians and deviations, and what a formula gives when its history is too short. */

import { less, scatter } from '../digits.ts';

/** A value, or how many days it needs and how many there are. */
export type Enough<T> = { ok: true; value: T } | { ok: false; needs: number; has: number };

/** A value of a history that is long enough. */
export const enough = <T>(value: T): Enough<T> => ({ ok: true, value });

/** The last of a series that begins once `needs` days are there; `has` says why it is empty. */
export function newest<T>(series: readonly T[], needs: number, has: number): Enough<T> {
  const last = series.at(-1);
  return last === undefined ? { ok: false, needs, has } : enough(last);
}

/**
 * Means over the last `length` values, from the first value that has enough before it; `means[i]` ends at `values[i + length - 1]`.
 * The running sum is computed from its parts every `length` steps, so that rounding does not add up over thousands of days.
 */
export function movingMeans(values: readonly number[], length: number): number[] {
  const means: number[] = [];
  let sum = 0;
  for (const [at, value] of values.entries()) {
    const first = at - length + 1;
    if (first >= 0 && first % length === 0) {
      sum = values.slice(first, at + 1).reduce((total, each) => total + each, 0);
    } else {
      sum += value - (values[first - 1] ?? 0);
    }
    if (first >= 0) means.push(sum / length);
  }
  return means;
}

/** The arithmetic mean; NaN of nothing. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The middle value, or the mean of the two middle ones. Throws on an empty list. */
export function median(values: readonly number[]): number {
  // The order of two does not matter.
  const sorted = values.length < 3 ? values : values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) throw new RangeError('the median of nothing');
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[(sorted.length >> 1) - 1] ?? upper) + upper) / 2;
}

/** The least value up to which half of the weight is reached, or all but a trillionth of that half; null without weight. */
export function weightedMedian(rows: readonly { value: number; weight: number }[]): number | null {
  const half = rows.reduce((sum, { weight }) => sum + weight, 0) / 2;
  if (!(half > 0)) return null;
  let sum = 0;
  for (const { value, weight } of rows.toSorted((a, b) => a.value - b.value)) {
    sum += weight;
    if (sum >= half * (1 - 2e-12)) return value;
  }
  return null;
}

/** The value below which a share of the sorted values lies, linear between neighbours (Hyndman and Fan, type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * The standard deviation of a sample (n - 1) of returns or ratios, 0 where they differ by rounding only: 1e-12 of 1, which a
 * return is a part of, or of a larger mean. NaN of fewer than two values.
 */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return values.length < 2
    ? Number.NaN
    : Math.sqrt(scatter(squares, Math.max(1, Math.abs(middle))) / (values.length - 1));
}

/** The change from one value to another in percent, 0 where they differ by rounding only; null where one is missing. */
export const changePct = (from: number | null | undefined, to: number): number | null =>
  from !== null && from !== undefined && from > 0 ? (less(to, from) / from) * 100 : null;

/** The logarithmic returns of consecutive values above 0, one fewer than those. */
export const logReturns = (values: readonly number[]): number[] =>
  values.slice(1).map((value, i) => Math.log(value / (values[i] ?? value)));

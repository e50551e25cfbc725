/** Order flow: what takers bought and sold, as ratio, difference and running sum. */

/** Bought over sold; null where nothing was sold or a side is not known. */
export const buySellRatio = (buy: number | null, sell: number | null): number | null =>
  buy === null || sell === null || sell === 0 ? null : buy / sell;

/** Bought less sold; null where a side is not known. */
export const delta = (buy: number | null, sell: number | null): number | null =>
  buy === null || sell === null ? null : buy - sell;

/** Cumulative volume delta: the sum of each difference and all before it, from 0 before the first. */
export function runningSums(deltas: readonly number[]): number[] {
  let sum = 0;
  return deltas.map((each) => {
    sum += each;
    return sum;
  });
}

/** Long over short; null where nothing is short. */
export const longShortRatio = (long: number, short: number): number | null =>
  short === 0 ? null : long / short;

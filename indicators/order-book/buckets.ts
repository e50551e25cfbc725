/** The value of an order book by distance from its mid price: a hundred buckets within 5 %. */
import { bucketAt } from '../market/round-step.ts';
import type { Book, Level } from './book.ts';

/** Buckets of each side, and the width of one as a share of the mid price. */
export const bucketForm = { perSide: 50, width: 0.001 } as const;

/** US dollars by distance, the nearest bucket first. */
export interface Buckets {
  mid: number;
  bids: readonly number[];
  asks: readonly number[];
}

const { perSide, width } = bucketForm;
const none = (): number[] => Array.from({ length: perSide }, () => 0);

/** The bucket at a distance, a share of the mid price. */
const placeOf = (distance: number): number => Math.max(0, bucketAt(distance, width));

function sideOf(levels: readonly Level[], mid: number): number[] {
  const values = none();
  for (const { price, quantity } of levels) {
    const at = placeOf(Math.abs(price - mid) / mid);
    const before = values[at];
    if (before !== undefined) values[at] = before + price * quantity;
  }
  return values;
}

/** The buckets of a book. Example: a bid of 2 at 99.95 with a mid price of 100 is 199.9 in the first one. */
export const bucketsOf = ({ bids, asks }: Book, mid: number): Buckets => ({
  mid,
  bids: sideOf(bids, mid),
  asks: sideOf(asks, mid),
});

/** The price in the middle of a bucket; `sign` is -1 for bids. */
export const priceOfBucket = (mid: number, at: number, sign: -1 | 1): number =>
  mid * (1 + sign * (at + 0.5) * width);

/**
 * Several books as one around the mean of their mid prices: the value of a bucket goes to the one that holds the middle
 * of it. Amounts beyond the mean mid price stay in the nearest bucket of their side. Null without buckets.
 */
export function mergeBuckets(all: readonly Buckets[]): Buckets | null {
  if (all.length === 0) return null;
  const mid = all.reduce((sum, one) => sum + one.mid, 0) / all.length;
  const sideOfAll = (sign: -1 | 1, valuesOf: (one: Buckets) => readonly number[]) => {
    const values = none();
    for (const one of all) {
      for (const [i, value] of valuesOf(one).entries()) {
        const at = placeOf((sign * (priceOfBucket(one.mid, i, sign) - mid)) / mid);
        const before = values[at];
        if (before !== undefined) values[at] = before + value;
      }
    }
    return values;
  };
  return { mid, bids: sideOfAll(-1, (one) => one.bids), asks: sideOfAll(1, (one) => one.asks) };
}

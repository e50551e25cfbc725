/** What one exchange's price is above those of others. */
import { consensus } from './prices.ts';

/** A premium with what it is made of. */
export interface Premium {
  /** Price over the mean of the others, less one, percent. */
  percent: number;
  /** Mean of the others that count, and how many those are. */
  mean: number;
  count: number;
}

/**
 * The premium of a price over the mean of others; null without others. As everywhere, prices more than 10 % from the
 * median of three or more are not part of the mean. Example: 101 over [100, 100, 150] is 1 %.
 */
export function premiumOver(price: number, others: readonly number[]): Premium | null {
  if (others.length === 0) return null;
  const { mean, count } = consensus(others);
  return { percent: (price / mean - 1) * 100, mean, count };
}

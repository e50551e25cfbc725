/** Values near the middle of an order book. */
import { type Book, type Level, midOf } from './book.ts';

const worthOf = (levels: readonly Level[]): number =>
  levels.reduce((sum, { price, quantity }) => sum + price * quantity, 0);

/**
 * Value of each side within a share of the mid price, in quote; 0 where a side is empty or the book is crossed. The best
 * level of each side comes first. Example: bids of 1 at 99 and 1 at 90, asks of 2 at 101, 2 %: 99 and 202.
 */
export function valueNear(
  { bids, asks }: Book,
  share: number,
): { bidsNear: number; asksNear: number } {
  const mid = midOf({ bids, asks });
  if (mid === null) return { bidsNear: 0, asksNear: 0 };
  return {
    bidsNear: worthOf(bids.filter(({ price }) => price >= mid * (1 - share))),
    asksNear: worthOf(asks.filter(({ price }) => price <= mid * (1 + share))),
  };
}

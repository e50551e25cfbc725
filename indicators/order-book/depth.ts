/** Values near the middle of an order book. */
import { less } from '../digits.ts';
import { type Book, type Level, midOf } from './book.ts';

/** Value, in quote, and quantity of the levels that are at most so far from `mid`, percent of it. */
export function sumsNear(levels: readonly Level[], mid: number, percent: number) {
  const farthest = (mid * percent) / 100;
  const sums = { value: 0, quantity: 0 };
  for (const { price, quantity } of levels) {
    if (less(Math.abs(price - mid), farthest) > 0) continue;
    sums.value += price * quantity;
    sums.quantity += quantity;
  }
  return sums;
}

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
    bidsNear: sumsNear(bids, mid, share * 100).value,
    asksNear: sumsNear(asks, mid, share * 100).value,
  };
}

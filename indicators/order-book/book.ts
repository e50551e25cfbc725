/** An order book as the formulas take it. */
import { spread } from './spread.ts';

/** One price level: price of a canonical unit in quote, quantity in canonical base units. */
export interface Level {
  price: number;
  quantity: number;
}

/** Both sides, the best level first. */
export interface Book {
  bids: readonly Level[];
  asks: readonly Level[];
}

/** The mid price; null where a side is empty or the book is crossed. */
export const midOf = ({ bids, asks }: Book): number | null => spread(bids[0], asks[0]).mid_price;

/** How far a book reaches from its mid price, percent: the shorter of its sides. */
export function reachOf({ bids, asks }: Book, mid: number): number {
  const [low, high] = [bids.at(-1)?.price ?? mid, asks.at(-1)?.price ?? mid];
  return (Math.min(mid - low, high - mid) / mid) * 100;
}

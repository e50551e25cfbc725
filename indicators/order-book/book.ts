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

/** The levels of a side by their place, the best first: a list, or a live book without a copy. */
export interface Ladder {
  readonly length: number;
  /** Of a place below `length`. */
  price(at: number): number;
  quantity(at: number): number;
}

export interface Ladders {
  bids: Ladder;
  asks: Ladder;
}

const ladderOf = (levels: readonly Level[]): Ladder => ({
  length: levels.length,
  price: (at) => levels[at]?.price ?? Number.NaN,
  quantity: (at) => levels[at]?.quantity ?? Number.NaN,
});

export const laddersOf = ({ bids, asks }: Book): Ladders => ({
  bids: ladderOf(bids),
  asks: ladderOf(asks),
});

/** The mid price; null where a side is empty or the book is crossed. */
export const midOf = ({ bids, asks }: Book): number | null => spread(bids[0], asks[0]).mid_price;

/** How far a book reaches from its mid price, percent: the shorter of its sides. */
export function reachOf({ bids, asks }: Book, mid: number): number {
  const [low, high] = [bids.at(-1)?.price ?? mid, asks.at(-1)?.price ?? mid];
  return (Math.min(mid - low, high - mid) / mid) * 100;
}

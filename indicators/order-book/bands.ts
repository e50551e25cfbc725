/** Sums of an order book within shares of its mid price. */
import type { Book } from './book.ts';
import { sumsNear } from './depth.ts';

/** Percent of the mid price on each side. */
export const bandRanges = [0.25, 0.5, 1, 2, 5] as const;

/** What rests within a range, US dollars (quotes count as one each) and base units. */
export interface Band {
  bids_usd: number;
  asks_usd: number;
  bids_base: number;
  asks_base: number;
}

/**
 * The bands of a book in the order of `bandRanges`. Example: bids of 1 at 99.9 and 1 at 99, asks of 2 at 100.1, mid 100:
 * within 0.25 % 99.9 and 200.2, within 1 % 198.9 and 200.2 US dollars.
 */
export const bandsOf = ({ bids, asks }: Book, mid: number): Band[] =>
  bandRanges.map((range) => {
    const [below, above] = [sumsNear(bids, mid, range), sumsNear(asks, mid, range)];
    return {
      bids_usd: below.value,
      asks_usd: above.value,
      bids_base: below.quantity,
      asks_base: above.quantity,
    };
  });

/** The bands of several books together. */
export const sumOfBands = (all: readonly (readonly Band[])[]): Band[] =>
  bandRanges.map((_, at) => {
    const sum = (of: (band: Band) => number) =>
      all.reduce((total, bands) => total + (bands[at] ? of(bands[at]) : 0), 0);
    return {
      ...{ bids_usd: sum((band) => band.bids_usd), asks_usd: sum((band) => band.asks_usd) },
      ...{ bids_base: sum((band) => band.bids_base), asks_base: sum((band) => band.asks_base) },
    };
  });

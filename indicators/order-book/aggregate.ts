/** Order books of several exchanges as one. */
import { less } from '../digits.ts';
import { weightedMean } from '../market/assets.ts';
import { bucketAt, bucketFrom, bucketStart, roundStep } from '../market/round-step.ts';
import { type Band, bandRanges, bandsOf, sumOfBands } from './bands.ts';
import { type Book, type Level, midOf, reachOf } from './book.ts';

/** The book of one exchange; several books of it may be given. */
export interface ExchangeBook extends Book {
  exchange: string;
  /** Its weight in the mid price: the turnover of 24 hours. */
  weight: number;
}

/** The levels of all exchanges within one step of prices. */
export interface AggregatedLevel extends Level {
  value_usd: number;
  /** Base units by exchange. */
  exchanges: Record<string, number>;
}

/** A book that ends nearer than this is limited, percent. */
const deep = 2;

/** The step of prices of books around a mid price: a ten-thousandth of it, rounded. Example: 6.3 for 63,000, so 5. */
export const stepOf = (mid: number): number => roundStep(mid * 0.0001);

/** The levels of one side in steps, the best first. Bids are rounded down, asks up: a bucket is never better than its levels. */
function steppedSide(
  books: readonly { exchange: string; levels: readonly Level[] }[],
  { step, sign, limit }: { step: number; sign: -1 | 1; limit: number },
): AggregatedLevel[] {
  const found = new Map<number, AggregatedLevel>();
  for (const { exchange, levels } of books) {
    for (const { price, quantity } of levels) {
      const ticks = sign < 0 ? bucketAt(price, step) : bucketFrom(price, step);
      // A bid below the first step has no bucket with a price.
      if (ticks <= 0) continue;
      const known = found.get(ticks) ?? { price: 0, quantity: 0, value_usd: 0, exchanges: {} };
      known.price = bucketStart(ticks, step);
      known.quantity += quantity;
      known.value_usd += price * quantity;
      known.exchanges[exchange] = (known.exchanges[exchange] ?? 0) + quantity;
      found.set(ticks, known);
    }
  }
  return [...found]
    .sort(([a], [b]) => sign * (a - b))
    .slice(0, limit)
    .map(([, level]) => level);
}

/**
 * The books of several exchanges as one; books that are crossed or have an empty side are left out, null without any
 * other. Levels of one exchange may cross those of another. Dollar quotes count as one dollar each.
 */
export function aggregateBooks(
  given: readonly ExchangeBook[],
  { step: wanted, limit }: { step?: number | undefined; limit: number },
) {
  const books = given.flatMap((book) => {
    const mid = midOf(book);
    return mid === null ? [] : [{ ...book, mid }];
  });
  const mid_price = weightedMean(books.map(({ mid, weight }) => [mid, weight]));
  if (mid_price === null) return null;
  const step = wanted ?? stepOf(mid_price);
  const best_bid = Math.max(...books.map(({ bids }) => bids[0]?.price ?? 0));
  const best_ask = Math.min(...books.map(({ asks }) => asks[0]?.price ?? Infinity));
  const bands: Band[] = sumOfBands(books.map((book) => bandsOf(book, mid_price)));
  const bids = books.map(({ exchange, bids: levels }) => ({ exchange, levels }));
  const asks = books.map(({ exchange, asks: levels }) => ({ exchange, levels }));
  return {
    ...{ mid_price, best_bid, best_ask, crossed: best_bid >= best_ask, step },
    bids: steppedSide(bids, { step, sign: -1, limit }),
    asks: steppedSide(asks, { step, sign: 1, limit }),
    depth: bandRanges.flatMap((range, at) => {
      const { bids_usd = 0, asks_usd = 0 } = bands[at] ?? {};
      return [{ range, bids_usd, asks_usd }];
    }),
    depth_limited: [
      ...new Set(
        books.flatMap((one) => (less(reachOf(one, one.mid), deep) < 0 ? [one.exchange] : [])),
      ),
    ],
  };
}

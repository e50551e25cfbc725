/** Liquidity of an order book: spread, depth by distance, and slippage by size (definitions of Kaiko and CoinMetrics). */
import { less } from '../digits.ts';
import type { Book, Level } from './book.ts';
import { sumsNear } from './depth.ts';
import { spread } from './spread.ts';

/** Distances from the mid price, percent. */
export const depthDistances = [0.1, 0.5, 1, 2, 5] as const;
/** Sizes of orders, US dollars. */
export const orderSizes = [1_000, 10_000, 100_000, 1_000_000] as const;

/** A side known in full holds all of its levels: what lies beyond the last is nothing and not unknown. */
export interface LiquidityOptions {
  /** US dollars of one unit of the quote. */
  dollars: number;
  isWhole: boolean;
}

function depthOf(
  levels: readonly Level[],
  { mid, percent, isWhole }: { mid: number; percent: number; isWhole: boolean },
): number | null {
  const farthest = (mid * percent) / 100;
  const last = levels.at(-1)?.price ?? mid;
  if (!isWhole && less(Math.abs(last - mid), farthest) < 0) return null;
  return sumsNear(levels, mid, percent).value;
}

/**
 * Mean price of an order of `value` in quote against the mid price, a fraction, 0 or more; null where the levels are worth
 * less. Example: asks of 1 at 101 and 1 at 103, mid 100, value 204: 2 bought at 102 in the mean, 0.02.
 */
export function slippageOf(levels: readonly Level[], mid: number, value: number): number | null {
  let [left, base] = [value, 0];
  for (const { price, quantity } of levels) {
    const taken = Math.min(left, price * quantity);
    base += taken / price;
    left -= taken;
    // Rounding may leave less than a trillionth.
    if (left <= value * 1e-12) return Math.max(0, Math.abs((value - left) / base / mid - 1));
  }
  return null;
}

/**
 * The liquidity of a book: depth and slippage in the order of `depthDistances` and `orderSizes`, each null where the book that is known
 * ends before it. Null where a side is empty or the book is crossed.
 */
export function liquidityOf(book: Book, { dollars, isWhole }: LiquidityOptions) {
  const { spread_pct, mid_price: mid } = spread(book.bids[0], book.asks[0]);
  if (mid === null || spread_pct === null) return null;
  const side = (levels: readonly Level[], percent: number) => {
    const quote = depthOf(levels, { mid, percent, isWhole });
    return quote === null ? null : quote * dollars;
  };
  return {
    mid_price: mid * dollars,
    spread_percent: spread_pct,
    depth: depthDistances.map((percent) => ({
      bid_usd: side(book.bids, percent),
      ask_usd: side(book.asks, percent),
    })),
    slippage: orderSizes.map((usd: number) => ({
      usd,
      buy: slippageOf(book.asks, mid, usd / dollars),
      sell: slippageOf(book.bids, mid, usd / dollars),
    })),
  };
}
export type Liquidity = NonNullable<ReturnType<typeof liquidityOf>>;

/** The two sides of an order book against each other. */

/** The best price of a side; absent where the side is empty. */
type Best = { price: number } | undefined;

/** True where the best bid is at or above the best ask: the two sides are not of one moment. */
export const isCrossed = (bid: Best, ask: Best): boolean =>
  bid !== undefined && ask !== undefined && bid.price >= ask.price;

/**
 * The best ask less the best bid in percent of the mid price, and the mid price in quote; null where a side is empty or
 * the book is crossed. Example: 99 and 101: 2 % of 100.
 */
export function spread(
  bid: Best,
  ask: Best,
): { spread_pct: number | null; mid_price: number | null } {
  if (bid === undefined || ask === undefined || isCrossed(bid, ask))
    return { spread_pct: null, mid_price: null };
  const mid = (bid.price + ask.price) / 2;
  return { spread_pct: ((ask.price - bid.price) / mid) * 100, mid_price: mid };
}

/** Trades of one market, and folds of them. */
import { type Trade, TradeFold } from '../../../indicators/derivatives/trade-fold.ts';

/** A trade of the one market: sold where the quantity is below 0. */
export const trade = (id: number, seconds: number, price: number, quantity: number): Trade => ({
  market: 'A',
  id,
  timestamp: seconds * 1_000,
  price,
  quantity: Math.abs(quantity),
  bought: quantity > 0,
});

/** A fold that received all of the minutes after the first. */
export function heard(...trades: readonly Trade[]): TradeFold {
  const fold = new TradeFold();
  for (const one of trades) fold.take(one);
  return fold;
}

/**
 * The public trades of a market: two a second, what takers bought in it at its highest price and what they sold at its lowest,
 * so that they add up to the candles; the one nearer to its close is the last.
 */
import type { Market } from '../market.ts';

/** A trade; quantities in the market's own unit. */
export interface TapeTrade {
  /** One more than that of the trade before. */
  id: number;
  time: number;
  price: number;
  quantity: number;
  bought: boolean;
}

const second = 1_000;

/** The trades of the second before `end`, a whole second; none is smaller than a lot, so that every second has two. */
export function tradesOfSecond(market: Market, end: number): TapeTrade[] {
  const { high, low, open, close, quantity, bought } = market.stretch(end - second, end);
  const least = 10 ** -Math.max(0, market.lot);
  const buys = { price: high, quantity: Math.max(bought, least), bought: true };
  const sells = { price: low, quantity: Math.max(quantity - bought, least), bought: false };
  const [first, last] = close > open ? [sells, buys] : [buys, sells];
  const id = (end / second) * 2;
  return [
    { ...first, id, time: end - 600 },
    { ...last, id: id + 1, time: end - 300 },
  ];
}

/** The newest trades until `now`, newest first. */
export function newestTrades(market: Market, now: number, limit: number): TapeTrade[] {
  const found: TapeTrade[] = [];
  const last = Math.floor(now / second) * second;
  for (let end = last; found.length < limit && end > market.listed; end -= second)
    found.push(...tradesOfSecond(market, end).reverse());
  return found.slice(0, limit);
}

type TradeFact = (about: { trade: TapeTrade }) => unknown;

/** What rows say of a trade besides its price and quantity; `taker` is `buy` or `sell`. */
export const tradeFacts: Readonly<Record<string, TradeFact>> = {
  tradeId: ({ trade }) => trade.id,
  taker: ({ trade }) => (trade.bought ? 'buy' : 'sell'),
  isMakerBuyer: ({ trade }) => !trade.bought,
  traded: ({ trade }) => trade.time,
  tradedSeconds: ({ trade }) => trade.time / 1000,
  tradedIso: ({ trade }) => new Date(trade.time).toISOString(),
};

/** A public trade, or the one that closes a position, and what rows say of it. */
/** A trade; quantities in the market's own unit. */
export interface Trade {
  /** One more than that of the trade before. */
  id: number;
  time: number;
  price: number;
  quantity: number;
  /** The taker bought. */
  bought: boolean;
}

type TradeFact = (about: { trade: Trade }) => unknown;

/** What rows say of a trade besides its price and quantity. */
export const tradeFacts: Readonly<Record<string, TradeFact>> = {
  tradeId: ({ trade }) => trade.id,
  /** `buy` or `sell`: what the taker did, and the other side, which is that of a position that is closed. */
  taker: ({ trade }) => (trade.bought ? 'buy' : 'sell'),
  maker: ({ trade }) => (trade.bought ? 'sell' : 'buy'),
  Taker: ({ trade }) => (trade.bought ? 'Buy' : 'Sell'),
  Maker: ({ trade }) => (trade.bought ? 'Sell' : 'Buy'),
  TAKER: ({ trade }) => (trade.bought ? 'BUY' : 'SELL'),
  MAKER: ({ trade }) => (trade.bought ? 'SELL' : 'BUY'),
  /** The side of a position that is closed. */
  position: ({ trade }) => (trade.bought ? 'short' : 'long'),
  isMakerBuyer: ({ trade }) => !trade.bought,
  traded: ({ trade }) => trade.time,
  tradedSeconds: ({ trade }) => trade.time / 1000,
  tradedIso: ({ trade }) => new Date(trade.time).toISOString(),
};

/**
 * The public trades of a simulated market: two a second, what takers bought in it at its highest price and what they sold at its
 * lowest, so that they add up to the candles.
 */
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';

const second = 1_000;

/** A trade as texts in the market's own unit. */
export interface SimulatedTrade {
  market: Market;
  /** Numbers of a market follow each other. */
  id: number;
  price: string;
  size: string;
  bought: boolean;
  /** Unix ms. */
  at: number;
}

/** The trades of the second before `now`; none is smaller than a lot, so that every second has two ids. */
function tradesOf(market: Market, now: number): SimulatedTrade[] {
  const { high, low, quantity, bought } = market.stretch(now - second, now);
  const lots = Math.max(0, market.lot);
  return [
    { price: high, size: bought, at: now - 600, bought: true },
    { price: low, size: quantity - bought, at: now - 300, bought: false },
  ].map(({ price, size, ...rest }, i) => ({
    ...{ market, id: (now / second) * 2 + i, ...rest },
    price: plain(price, market.decimals),
    size: plain(Math.max(size, 10 ** -lots), lots),
  }));
}

/** How a venue sends trades. */
interface TradeChannels {
  venue: string;
  named: Channels['named'];
  channel(market: Market): string;
  /** The messages about the trades of a market in a second. */
  tell(trades: readonly SimulatedTrade[], now: number): readonly unknown[];
}

/** Channels of trades of one market each. */
export const tradeChannels = ({ venue, named, channel, tell }: TradeChannels): Channels => ({
  every: second,
  named,
  messages(channels, { now, model, first }) {
    // The subscription itself is followed by nothing: each second is sent once.
    if (first) return [];
    return model
      .markets(venue, now)
      .filter((market) => market.state === 'live' && channels.has(channel(market)))
      .flatMap((market) => tell(tradesOf(market, now), now));
  },
});

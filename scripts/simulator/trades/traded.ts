/** Streams of the public trades of simulated markets. */
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';
import { tradesOfSecond } from './tape.ts';

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

/** The trades of the second before `now`. */
const tradesOf = (market: Market, now: number): SimulatedTrade[] =>
  tradesOfSecond(market, now).map(({ id, time: at, price, quantity, bought }) => ({
    ...{ market, id, at, bought },
    price: plain(price, market.decimals),
    size: plain(quantity, Math.max(0, market.lot)),
  }));

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

/** Streams of the public trades of simulated markets. */
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
import { newestTrades, type TapeTrade, tradesOfSecond } from './tape.ts';

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

const textsOf =
  (market: Market) =>
  ({ id, time: at, price, quantity, bought }: TapeTrade): SimulatedTrade => ({
    ...{ market, id, at, bought },
    price: plain(price, market.decimals),
    size: plain(quantity, Math.max(0, market.lot)),
  });

/** How a venue sends trades. */
interface TradeChannels {
  venue: string;
  named: Channels['named'];
  channel(market: Market): string;
  /** The markets that trade in a second; all that are live when absent. */
  trading?(model: Model, now: number): readonly Market[];
  /** The messages about the trades of a market in a second, oldest first. */
  tell(trades: readonly SimulatedTrade[], now: number): readonly unknown[];
  /** The message that follows a subscription, about the newest trades before it, newest first; none when absent. */
  past?(trades: readonly SimulatedTrade[], now: number): unknown;
}

/** Trades of the message that follows a subscription. */
const mostPast = 30;

/** Channels of trades of one market each. */
export const tradeChannels = ({
  venue,
  named,
  channel,
  trading = (model, now) => model.markets(venue, now),
  tell,
  past,
}: TradeChannels): Channels => ({
  every: second,
  named,
  messages(channels, { now, model, first }) {
    // The second of the subscription is part of the past: each second is sent once.
    if (first && !past) return [];
    return trading(model, now)
      .filter((market) => market.state === 'live' && channels.has(channel(market)))
      .flatMap((market) => {
        const written = textsOf(market);
        return first && past
          ? [past(newestTrades(market, now, mostPast).map(written), now)]
          : tell(tradesOfSecond(market, now).map(written), now);
      });
  },
});

/** `ticker` of Coinbase Advanced Trade, and its heartbeats. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';
import { quoteOf } from './quote.ts';

const about = (channel: string, now: number, event: object) => ({
  ...{ channel, client_id: '', timestamp: new Date(now).toISOString() },
  events: [event],
});

export const tickers = marketChannels({
  venue: 'coinbase',
  named(frame) {
    const { type, channel, product_ids } = objectOf(frame);
    const ids = type === 'subscribe' && channel === 'ticker' ? textsOf(product_ids) : [];
    return ids.map((id) => channelOf({ group: 'spot', id }));
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const quote = quoteOf(market, at);
      const ticker = {
        ...{ type: 'ticker', product_id: market.id, price: quote.last },
        ...{ volume_24_h: quote.base, low_24_h: quote.low, high_24_h: quote.high },
        ...{ low_52_w: quote.low, high_52_w: quote.high, price_percent_chg_24_h: quote.percent },
        ...{ best_bid: quote.bid, best_ask: quote.ask },
        ...{ best_bid_quantity: quote.bidSize, best_ask_quantity: quote.askSize },
      };
      return about('ticker', at.now, { type: 'update', tickers: [ticker] });
    }),
});

export const heartbeats: Channels = {
  every: 1_000,
  named: (frame) => (objectOf(frame).channel === 'heartbeats' ? ['heartbeats'] : []),
  messages: (_channels, { now }) => [
    about('heartbeats', now, {
      current_time: new Date(now).toISOString(),
      heartbeat_counter: now / 1_000,
    }),
  ],
};

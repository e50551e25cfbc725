/** `ticker` of Coinbase Advanced Trade, and its heartbeats. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

/** A message of a channel with one event. */
export const about = (channel: string, now: number, event: object) => ({
  ...{ channel, client_id: '', timestamp: new Date(now).toISOString() },
  events: [event],
});

const ticker = rowsWith().row(`
  type='ticker' product_id=id price=last volume_24_h=base low_24_h=low high_24_h=high
  low_52_w=low high_52_w=high price_percent_chg_24_h=percent.6f best_bid=bestBid best_ask=bestAsk
  best_bid_quantity=bestBidSize best_ask_quantity=bestAskSize`);

export const tickers = marketChannels({
  venue: 'coinbase',
  named(frame) {
    const { type, channel, product_ids } = objectOf(frame);
    const ids = type === 'subscribe' && channel === 'ticker' ? textsOf(product_ids) : [];
    return ids.map((id) => channelOf({ group: 'spot', id }));
  },
  tell: (markets, at) =>
    markets.map((market) =>
      about('ticker', at.now, { type: 'update', tickers: [ticker(market, at)] }),
    ),
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

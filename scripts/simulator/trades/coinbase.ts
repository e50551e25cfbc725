/** `market_trades` of Coinbase Advanced Trade: the past of a product, then its trades, the newest of a message first. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { about } from '../live/coinbase.ts';
import { channelOf } from '../live/moving.ts';
import { type SimulatedTrade, tradeChannels } from './traded.ts';

const event = (type: 'snapshot' | 'update', trades: readonly SimulatedTrade[], now: number) =>
  about('market_trades', now, {
    type,
    // The side is that of the maker.
    trades: trades.map(({ market, id, price, size, at, bought }) => ({
      ...{ product_id: market.id, trade_id: `${id}`, price, size },
      ...{ time: new Date(at).toISOString(), side: bought ? 'SELL' : 'BUY' },
    })),
  });

export const marketTrades = tradeChannels({
  venue: 'coinbase',
  named(frame) {
    const { type, channel, product_ids } = objectOf(frame);
    const ids = type === 'subscribe' && channel === 'market_trades' ? textsOf(product_ids) : [];
    return ids.map((id) => channelOf({ group: 'spot', id }));
  },
  channel: channelOf,
  tell: (trades, now) => [event('update', trades.toReversed(), now)],
  past: (trades, now) => event('snapshot', trades, now),
});

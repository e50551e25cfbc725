/** `trade` of Kraken's spot pairs (version 2). */
import { nameOf, subscriptionIn } from '../live/kraken.ts';
import { tradeChannels } from './traded.ts';

export const spotTrades = tradeChannels({
  venue: 'kraken',
  named(frame) {
    const { channel, pairs } = subscriptionIn(frame);
    return channel === 'trade' ? pairs.map((name) => `spot ${name}`) : [];
  },
  channel: (market) => `${market.group} ${nameOf(market)}`,
  tell: (trades) => [
    {
      ...{ channel: 'trade', type: 'update' },
      data: trades.map(({ market, id, price, size, at, bought }) => ({
        ...{ symbol: nameOf(market), side: bought ? 'buy' : 'sell', price: Number(price) },
        ...{ qty: Number(size), ord_type: 'market', trade_id: id },
        timestamp: new Date(at).toISOString(),
      })),
    },
  ],
});

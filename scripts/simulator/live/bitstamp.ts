/** `live_trades_<market>` of Bitstamp: a trade in each second in which a market moves. */
import { asRow, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { channelOf, marketChannels } from './moving.ts';
import { quoteOf } from './quote.ts';

const prefix = 'live_trades_';

export const trades = marketChannels({
  venue: 'bitstamp',
  named(frame) {
    const { event, data } = objectOf(frame);
    const name = event === 'bts:subscribe' ? text(asRow(data).channel) : '';
    if (!name.startsWith(prefix)) return [];
    return [channelOf({ group: 'markets', id: name.slice(prefix.length) })];
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { last, bidSize } = quoteOf(market, at);
      const [timestamp, microtimestamp] = [`${at.now / 1_000}`, `${at.now}000`];
      const data = {
        ...{ id: at.now, timestamp, microtimestamp, type: 0 },
        ...{ price: Number(last), price_str: last, amount: Number(bidSize), amount_str: bidSize },
        ...{ buy_order_id: at.now, sell_order_id: at.now + 1 },
      };
      return { data, channel: `${prefix}${market.id}`, event: 'trade' };
    }),
});

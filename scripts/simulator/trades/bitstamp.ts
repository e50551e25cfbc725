/** `live_trades_<market>` of Bitstamp, in each second in which a market moves: every market is subscribed to for its price. */
import { asRow, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { channelOf, movingMarkets } from '../live/moving.ts';
import { tradeChannels } from './traded.ts';

const group = 'markets';
const prefix = 'live_trades_';

export const liveTrades = tradeChannels({
  venue: 'bitstamp',
  named(frame) {
    const { event, data } = objectOf(frame);
    const name = event === 'bts:subscribe' ? text(asRow(data).channel) : '';
    return name.startsWith(prefix) ? [channelOf({ group, id: name.slice(prefix.length) })] : [];
  },
  channel: channelOf,
  trading: (model, now) => movingMarkets(model, 'bitstamp', group, now),
  tell: (trades) =>
    trades.map(({ market, id, price, size, at, bought }) => ({
      data: {
        ...{ id, timestamp: `${Math.floor(at / 1_000)}`, microtimestamp: `${at}000` },
        ...{ amount: Number(size), amount_str: size, price: Number(price), price_str: price },
        ...{ type: bought ? 0 : 1, buy_order_id: 2 * id + 1, sell_order_id: 2 * id },
      },
      ...{ channel: `${prefix}${market.id}`, event: 'trade' },
    })),
});

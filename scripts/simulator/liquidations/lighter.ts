/** The liquidations beside the trades of Lighter, `trade/<id>`. */
import { type Forced, liquidationChannels, objectOf } from './forced.ts';

const trade = ({ market, long, size, at, quantity, price, time, id }: Forced) => ({
  trade_id: id,
  trade_id_str: `${id}`,
  type: 'liquidation',
  market_id: Number(market.id),
  size,
  price: at,
  usd_amount: (quantity * price).toFixed(6),
  is_maker_ask: !long,
  timestamp: time,
});

const channelOf = (id: string) => `trade/${id}`;

export const channels = liquidationChannels({
  venue: 'lighter',
  named(frame) {
    const { type, channel } = objectOf(frame);
    return type === 'subscribe' && String(channel).startsWith('trade/') ? [String(channel)] : [];
  },
  channel: ({ id }) => channelOf(id),
  tell: (forced) =>
    forced.map((one) => ({
      channel: `trade:${one.market.id}`,
      liquidation_trades: [trade(one)],
      trades: [],
      type: 'update/trade',
    })),
});

/** What is acknowledged: a channel of trades, which has none yet. */
export const firstOf = (channel: string) => ({
  channel: channel.replace('/', ':'),
  liquidation_trades: [],
  trades: [],
  type: 'subscribed/trade',
});

/** `v4_trades` of dYdX, of each market. */
import { type Forced, liquidationChannels, objectOf } from './forced.ts';

const trade = ({ long, size, at, time, id }: Forced) => ({
  id: `${id}`,
  size,
  price: at,
  side: long ? 'SELL' : 'BUY',
  createdAt: new Date(time).toISOString(),
  type: 'LIQUIDATED',
});

const base = { connection_id: '3a2e4c0c-7579-4bf6-a570-e0979418bbe9', channel: 'v4_trades' };

export const channels = liquidationChannels({
  venue: 'dydx',
  named(frame) {
    const { type, channel, id } = objectOf(frame);
    return type === 'subscribe' && channel === 'v4_trades' ? [String(id)] : [];
  },
  channel: ({ id }) => id,
  tell: (forced) =>
    forced.map((one) => ({
      ...{ type: 'channel_data', connection_id: base.connection_id, message_id: 0 },
      ...{ id: one.market.id, channel: base.channel, version: '2.1.0' },
      contents: { trades: [trade(one)] },
    })),
});

/** A subscription is acknowledged with the trades before it. */
export function reply(frame: string): string[] {
  const { type, channel, id } = objectOf(frame);
  const contents = { trades: [] };
  return type === 'subscribe' && channel === base.channel
    ? [JSON.stringify({ type: 'subscribed', ...base, message_id: 1, id, contents })]
    : [];
}

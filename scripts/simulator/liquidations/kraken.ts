/** `trade` and `heartbeat` of Kraken Futures. */
import { type Forced, isEvery, liquidationChannels, objectOf, textsOf } from './forced.ts';

const trade = ({ market, long, quantity, price, time, id }: Forced) => ({
  feed: 'trade',
  product_id: market.id,
  uid: `00000000-0000-4000-8000-${id}`,
  side: long ? 'sell' : 'buy',
  type: 'liquidation',
  seq: id % 1e8,
  time,
  qty: quantity,
  price,
});

export const channels = liquidationChannels({
  venue: 'kraken',
  named(frame) {
    const { event, feed, product_ids } = objectOf(frame);
    return event === 'subscribe' && feed === 'trade' ? textsOf(product_ids) : [];
  },
  channel: ({ id }) => id,
  tell: (forced) => forced.map(trade),
  beside: (_channels, now) => (isEvery(5, now) ? [{ time: now, feed: 'heartbeat' }] : []),
});

/** A subscription is acknowledged with its products. */
export function reply(frame: string): string[] {
  const message = objectOf(frame);
  if (message.event !== 'subscribe') return [];
  return [JSON.stringify({ ...message, event: 'subscribed' })];
}

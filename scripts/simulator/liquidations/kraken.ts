/** `trade` and `heartbeat` of Kraken Futures. */
import type { Ask } from '../venue.ts';
import {
  type Forced,
  isEvery,
  liquidationChannels,
  objectOf,
  pastForced,
  textsOf,
} from './forced.ts';

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

/** `history?symbol=&lastTime=`: the hundred trades before a time, of half an hour, all of them liquidations. */
export function history(ask: Ask) {
  const wants = ({ kind }: Forced['market']) => kind === 'perpetual';
  const to = Date.parse(ask.query.get('lastTime') ?? '') || ask.now;
  const range = { from: to - 1_800_000, to, limit: 10_000 };
  const found = pastForced(ask, { venue: 'kraken', wants }, range);
  const rows = found.filter(({ market }) => market.id === ask.query.get('symbol'));
  return {
    result: 'success',
    history: rows.slice(0, 100).map((one) => {
      const { uid, side, type, price, qty: size, time, seq: trade_id } = trade(one);
      return { time: new Date(time).toISOString(), trade_id, price, size, side, type, uid };
    }),
  };
}

/** A subscription is acknowledged with its products. */
export function reply(frame: string): string[] {
  const message = objectOf(frame);
  if (message.event !== 'subscribe') return [];
  return [JSON.stringify({ ...message, event: 'subscribed' })];
}

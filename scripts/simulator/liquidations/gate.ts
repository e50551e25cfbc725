/** `futures.public_liquidates` of Gate: a list, with signed sizes as text. */

import type { Ask } from '../venue.ts';
import type { Group } from '../venues/gate-answers.ts';
import {
  type Forced,
  liquidationChannels,
  objectOf,
  pastForced,
  textsOf,
  wholeOf,
} from './forced.ts';

const row = ({ market, long, size, price, time }: Forced) => ({
  price,
  size: long ? size : `-${size}`,
  time_ms: time,
  contract: market.id,
});

export const channels = liquidationChannels({
  venue: 'gate',
  named(frame, { path }) {
    const { channel, event, payload } = objectOf(frame);
    const asked = channel === 'futures.public_liquidates' && event === 'subscribe';
    return asked && textsOf(payload).includes('!all') ? [path.split('/').at(-1) ?? ''] : [];
  },
  channel: ({ group }) => group,
  tell: (forced, now) => [
    {
      ...{ channel: 'futures.public_liquidates', event: 'update' },
      ...{ time: now / 1_000, time_ms: now, result: forced.map(row) },
    },
  ],
});

/** `liq_orders?contract=&from=&to=&limit=`: times in seconds. */
export const orders = (settle: Group) => (ask: Ask) => {
  const contract = ask.query.get('contract');
  const wants = ({ group }: Forced['market']) => group === settle;
  const to = wholeOf(ask, 'to', ask.now / 1_000);
  const from = wholeOf(ask, 'from', to - 3_600);
  const range = { from: from * 1_000, to: to * 1_000 + 999, limit: wholeOf(ask, 'limit', 100) };
  return pastForced(ask, { venue: 'gate', wants }, range)
    .filter(({ market }) => contract === null || market.id === contract)
    .map(({ market, long, size, price, time }) => ({
      time: Math.floor(time / 1_000),
      contract: market.id,
      size: Number(long ? size : `-${size}`),
      left: 0,
      order_price: `${price}`,
      fill_price: `${price}`,
    }));
};

/** A subscription is acknowledged on its channel, a ping answered. */
export function reply(frame: string): string[] {
  const { channel, event = 'subscribe' } = objectOf(frame);
  if (channel === undefined) return [];
  if (channel === 'futures.ping' || channel === 'spot.ping') {
    const pong = channel.replace('ping', 'pong');
    return [JSON.stringify({ channel: pong, event: '', result: null })];
  }
  return [JSON.stringify({ channel, event, result: { status: 'success' } })];
}

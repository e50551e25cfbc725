/** `futures.public_liquidates` of Gate: a list, with signed sizes as text. */

import { type Forced, liquidationChannels, objectOf, textsOf } from './forced.ts';

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

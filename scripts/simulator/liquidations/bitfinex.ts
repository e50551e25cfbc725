/** `status` with `liq:global` of Bitfinex: each liquidation, then its fill. */
import type { Ask } from '../venue.ts';
import {
  type Forced,
  isEvery,
  liquidationChannels,
  objectOf,
  pastForced,
  wholeOf,
} from './forced.ts';

const row = ({ market, long, quantity, price, time, id }: Forced, isMatch: 0 | 1) => [
  ...['pos', id, time, null, market.id, long ? quantity : -quantity, price],
  ...[null, isMatch, 1, null, isMatch ? price : null],
];

const chanId = 386_841;

export const channels = liquidationChannels({
  venue: 'bitfinex',
  named(frame) {
    const { event, channel, key } = objectOf(frame);
    const asked = event === 'subscribe' && channel === 'status' && key === 'liq:global';
    return asked ? ['all'] : [];
  },
  channel: ({ group }) => group,
  tell: (forced) => [
    [chanId, forced.map((one) => row(one, 0))],
    [chanId, forced.map((one) => row(one, 1))],
  ],
  beside: (_channels, now) => (isEvery(15, now) ? [[chanId, 'hb']] : []),
});

/** `liquidations/hist?start=&end=&limit=`: newest first, each in a list of its own. */
export function history(ask: Ask) {
  const wants = ({ group }: Forced['market']) => group === 'all';
  const to = wholeOf(ask, 'end', ask.now);
  const range = { from: wholeOf(ask, 'start', 0), to, limit: wholeOf(ask, 'limit', 50) };
  return pastForced(ask, { venue: 'bitfinex', wants }, range).map((one) => [row(one, 0)]);
}

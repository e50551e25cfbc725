/** `status` with `liq:global` of Bitfinex: each liquidation, then its fill. */
import { type Forced, isEvery, liquidationChannels, objectOf } from './forced.ts';

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

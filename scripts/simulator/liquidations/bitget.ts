/** `liquidation` of Bitget, version 3: the side is that of the position, coin-margined ids end in `_CM`. */
import { isRecord } from '../../../actors/read.ts';
import { type Forced, liquidationChannels, objectOf } from './forced.ts';

const row = ({ market, long, size, at, time }: Forced) => ({
  symbol: market.group === 'coin-futures' ? `${market.id}_CM` : market.id,
  side: long ? 'buy' : 'sell',
  price: at,
  amount: size,
  ts: `${time}`,
});

export const channels = liquidationChannels({
  venue: 'bitget',
  named(frame) {
    const { op, args } = objectOf(frame);
    const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
    return asked
      .filter(({ topic }) => topic === 'liquidation')
      .map(({ instType }) => String(instType));
  },
  channel: ({ group }) => group,
  tell: (forced, now) =>
    [...Map.groupBy(forced, ({ market }) => market.group)].map(([instType, rows]) => ({
      action: 'update',
      arg: { instType, topic: 'liquidation' },
      data: rows.map(row),
      ts: now,
    })),
});

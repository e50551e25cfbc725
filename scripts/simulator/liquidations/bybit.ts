/** `allLiquidation.<symbol>` of Bybit: the side is that of the position. */
import { liquidationChannels, objectOf, textsOf } from './forced.ts';

export const channels = liquidationChannels({
  venue: 'bybit',
  named(frame) {
    const { op, args } = objectOf(frame);
    return op === 'subscribe' ? textsOf(args).filter((one) => one.startsWith('allLiq')) : [];
  },
  channel: ({ id }) => `allLiquidation.${id}`,
  tell: (forced, now) =>
    forced.map(({ market, long, size, at, time }) => ({
      topic: `allLiquidation.${market.id}`,
      type: 'snapshot',
      ts: now,
      data: [{ T: time, s: market.id, S: long ? 'Buy' : 'Sell', v: size, p: at }],
    })),
});

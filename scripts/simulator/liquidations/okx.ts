/** `liquidation-orders` of OKX. */
import { isRecord } from '../../../actors/read.ts';
import { liquidationChannels, objectOf } from './forced.ts';

export const channels = liquidationChannels({
  venue: 'okx',
  named(frame) {
    const { op, args } = objectOf(frame);
    const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
    return asked
      .filter(({ channel }) => channel === 'liquidation-orders')
      .map(({ instType }) => String(instType));
  },
  channel: ({ group }) => group,
  tell: (forced) =>
    forced.map(({ market, long, size, at, time }) => ({
      arg: { channel: 'liquidation-orders', instType: market.group },
      data: [
        {
          details: [
            {
              ...{ bkLoss: '0', bkPx: at, ccy: '', posSide: long ? 'long' : 'short' },
              ...{ side: long ? 'sell' : 'buy', sz: size, ts: `${time}` },
            },
          ],
          instFamily: `${market.symbol}-${market.quote}`,
          instId: market.id,
          instType: market.group,
          uly: `${market.symbol}-${market.quote}`,
        },
      ],
    })),
});

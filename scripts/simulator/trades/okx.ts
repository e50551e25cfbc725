/** `trades` of OKX: the one that takers bought stands for one number, the other one for one too. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { channelOf } from '../live/moving.ts';
import { groupOf } from '../venues/okx-answers.ts';
import { tradeChannels } from './traded.ts';

export const okxTrades = tradeChannels({
  venue: 'okx',
  named(frame) {
    const { op, args } = objectOf(frame);
    const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
    return asked
      .filter(({ channel }) => channel === 'trades')
      .map(({ instId }) => text(instId))
      .map((id) => channelOf({ group: groupOf(id), id }));
  },
  channel: channelOf,
  tell: (trades) =>
    trades.map(({ market, id, price, size, at, bought }) => ({
      arg: { channel: 'trades', instId: market.id },
      data: [
        {
          ...{ instId: market.id, tradeId: `${id}`, px: price, sz: size },
          ...{ side: bought ? 'buy' : 'sell', ts: `${at}`, count: '1', source: '0', seqId: id },
        },
      ],
    })),
});

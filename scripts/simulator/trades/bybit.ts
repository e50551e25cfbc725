/** `publicTrade.<symbol>` of Bybit: the trades of a moment in one message, without numbers that count. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { channelOf } from '../live/moving.ts';
import { tradeChannels } from './traded.ts';

const prefix = 'publicTrade.';

export const bybitTrades = tradeChannels({
  venue: 'bybit',
  named(frame, { path }) {
    const { op, args } = objectOf(frame);
    const group = path.split('/').at(-1) ?? '';
    const names = op === 'subscribe' ? textsOf(args).filter((one) => one.startsWith(prefix)) : [];
    return names.map((name) => channelOf({ group, id: name.slice(prefix.length) }));
  },
  channel: channelOf,
  tell: (trades, ts) => {
    const [first] = trades;
    if (!first) return [];
    const data = trades.map(({ market, id, price, size, at, bought }) => ({
      ...{ T: at, s: market.id, S: bought ? 'Buy' : 'Sell', v: size, p: price },
      ...{ L: 'PlusTick', i: `a9188a0a-${id}`, BT: false, RPI: false, seq: id * 7 },
    }));
    return [{ topic: `${prefix}${first.market.id}`, type: 'snapshot', ts, data }];
  },
});

/** `<symbol>@aggTrade` of Binance spot and USD-M. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { channelOf } from '../live/moving.ts';
import { tradeChannels } from './traded.ts';

/** The group of markets that an address serves, by its host; that of USD-M on one route only. */
const groups: Readonly<Record<string, { group: string; route: string }>> = {
  'data-stream.binance.vision': { group: 'spot', route: '/' },
  'fstream.binance.com': { group: 'fapi', route: '/market/' },
};
const suffix = '@aggTrade';

export const aggTrades = tradeChannels({
  venue: 'binance',
  named(frame, { host, path }) {
    const { method, params } = objectOf(frame);
    const own = groups[host];
    if (method !== 'SUBSCRIBE' || !own || !path.startsWith(own.route)) return [];
    return textsOf(params)
      .filter((stream) => stream.endsWith(suffix))
      .map((stream) => stream.slice(0, -suffix.length).toUpperCase())
      .map((id) => channelOf({ group: own.group, id }));
  },
  channel: channelOf,
  tell: (trades, now) =>
    trades.map(({ market, id, price, size, at, bought }) => ({
      ...{ e: 'aggTrade', E: now, a: id, s: market.id },
      ...{ p: price, q: size, T: at, m: !bought },
    })),
});

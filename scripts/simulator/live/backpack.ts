/** `ticker.<market>` of Backpack; a subscription is not answered. */
import { fixed, plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { channelOf, marketChannels } from './moving.ts';

export const channels = marketChannels({
  venue: 'backpack',
  named(frame) {
    const { method, params } = objectOf(frame);
    const asked = method === 'SUBSCRIBE' ? textsOf(params) : [];
    return asked
      .filter((name) => name.startsWith('ticker.'))
      .map((name) => channelOf({ group: 'all', id: name.slice('ticker.'.length) }));
  },
  tell: (markets, { now, model }) =>
    markets.map((market) => {
      const day = model.last24h(market, now);
      const price = (value: number) => plain(value, market.decimals);
      const data = {
        ...{ e: 'ticker', E: now * 1000, s: market.id, o: price(day.open), c: price(day.close) },
        ...{ h: price(day.high), l: price(day.low), n: day.trades },
        ...{ v: plain(day.quantity, market.lot), V: fixed(day.turnover, 6) },
      };
      return { stream: `ticker.${market.id}`, data };
    }),
});

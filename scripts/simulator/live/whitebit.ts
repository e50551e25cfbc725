/** `market_update` and `premiumIndex_update` of WhiteBIT. */
import { fixed, plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

const venue = 'whitebit';

const groupOf = (id: string): string => (id.endsWith('_PERP') ? 'futures' : 'spot');

export const channels = marketChannels({
  venue,
  named(frame) {
    const { method, params } = objectOf(frame);
    const asked = method === 'market_subscribe' ? textsOf(params) : [];
    return asked.map((id) => channelOf({ group: groupOf(id), id }));
  },
  tell: (markets, { now, model }) =>
    markets.map((market) => {
      const day = model.last24h(market, now);
      const price = (value: number) => plain(value, market.decimals);
      const values = {
        ...{ close: price(day.close), high: price(day.high), last: price(day.close) },
        ...{ low: price(day.low), open: price(day.open), period: 86_400 },
        ...{ deal: fixed(day.turnover, 8), volume: plain(day.quantity, market.lot) },
      };
      return { method: 'market_update', params: [market.id, values], id: null };
    }),
});

/** All contracts in one message, every second. */
export const premiums: Channels = {
  every: 1_000,
  named: (frame) => (objectOf(frame).method === 'premiumIndex_subscribe' ? ['premiums'] : []),
  messages(_channels, { now, model }) {
    const live = model.markets(venue, now, 'futures').filter(({ state }) => state === 'live');
    const params = live.map((market) => {
      const { next } = market.fundingTimes(now);
      const price = (value: number) => plain(value, market.decimals + 3);
      const [mark, index] = [price(market.exact(now)), price(market.index(now))];
      return [market.id, mark, index, plain(market.fundingRate(next), 8), next, now / 1_000];
    });
    return [{ method: 'premiumIndex_update', params, id: null }];
  },
};

/** A ping and a subscription are answered under their ids. */
export function reply(frame: string): string[] {
  const { id, method } = objectOf(frame);
  const result = method === 'ping' ? 'pong' : { status: 'success' };
  return [JSON.stringify({ id, result, error: null })];
}

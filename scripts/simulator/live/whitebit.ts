/** `market_update` of WhiteBIT. */
import { fixed, plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { channelOf, marketChannels } from './moving.ts';

const groupOf = (id: string): string => (id.endsWith('_PERP') ? 'futures' : 'spot');

export const channels = marketChannels({
  venue: 'whitebit',
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

/** A ping and a subscription are answered under their ids. */
export function reply(frame: string): string[] {
  const { id, method } = objectOf(frame);
  const result = method === 'ping' ? 'pong' : { status: 'success' };
  return [JSON.stringify({ id, result, error: null })];
}

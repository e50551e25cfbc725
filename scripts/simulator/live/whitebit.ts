/** `market_update` and `premiumIndex_update` of WhiteBIT. */
import { isLive, marketRows } from '../exchange.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

const venue = 'whitebit';

const groupOf = (id: string): string => (id.endsWith('_PERP') ? 'futures' : 'spot');

const { row, list } = rowsWith();
const update = row(`
  close high last=close low open period=86400 deal=turnover.8f volume=quantity`);
const premium = list('id mark+3 index+3 rate next seconds');

export const channels = marketChannels({
  venue,
  named(frame) {
    const { method, params } = objectOf(frame);
    const asked = method === 'market_subscribe' ? textsOf(params) : [];
    return asked.map((id) => channelOf({ group: groupOf(id), id }));
  },
  tell: (markets, at) =>
    markets.map((market) => ({
      ...{ method: 'market_update', params: [market.id, update(market, at)], id: null },
    })),
});

/** All contracts in one message, every second. */
export const premiums: Channels = {
  every: 1_000,
  named: (frame) => (objectOf(frame).method === 'premiumIndex_subscribe' ? ['premiums'] : []),
  messages(_channels, at) {
    const params = marketRows(premium, at, { venue, group: 'futures', keep: isLive });
    return [{ method: 'premiumIndex_update', params, id: null }];
  },
};

/** A ping and a subscription are answered under their ids. */
export function reply(frame: string): string[] {
  const { id, method } = objectOf(frame);
  const result = method === 'ping' ? 'pong' : { status: 'success' };
  return [JSON.stringify({ id, result, error: null })];
}

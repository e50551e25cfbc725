/** `ticker.<market>` of Crypto.com, and its questions whether we live. */
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Ask, Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

const namesIn = (frame: string): string[] => {
  const { method, params } = objectOf(frame);
  const asked = objectOf(JSON.stringify(params ?? {})).channels;
  return method === 'subscribe' ? textsOf(asked) : [];
};

/** Channels of what `ticker` says of a market. */
export const tickersBy = (ticker: (market: Market, at: Pick<Ask, 'model' | 'now'>) => object) =>
  marketChannels({
    venue: 'cryptocom',
    named: (frame) =>
      namesIn(frame)
        .filter((name) => name.startsWith('ticker.'))
        .map((name) => channelOf({ group: 'all', id: name.slice('ticker.'.length) })),
    tell: (markets, at) =>
      markets.map((market) => {
        const subscription = `ticker.${market.id}`;
        const about = { instrument_name: market.id, subscription, channel: 'ticker' };
        const result = { ...about, data: [ticker(market, at)] };
        return { id: -1, method: 'subscribe', code: 0, result };
      }),
  });

export const heartbeats: Channels = {
  every: 1_000,
  named: (frame) => (namesIn(frame).length > 0 ? ['heartbeat'] : []),
  messages: (_channels, { now, first }) =>
    !first && isEvery(30, now) ? [{ id: now, method: 'public/heartbeat', code: 0 }] : [],
};

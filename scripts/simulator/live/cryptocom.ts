/** `ticker`, `mark`, `index` and `funding` of single markets of Crypto.com, and its questions whether we live. */
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

/** Channels of one value each: `named` is what stands in the channel for a market, `value` is the value and its time. */
export function valuesBy(
  sort: string,
  {
    named = ({ id }) => id,
    value,
    seconds,
  }: {
    named?(market: Market): string;
    value(market: Market, now: number): readonly [v: string, t: number];
    /** Between two messages. */
    seconds: number;
  },
): Channels {
  const values = marketChannels({
    venue: 'cryptocom',
    named: (frame) =>
      namesIn(frame)
        .filter((name) => name.startsWith(`${sort}.`))
        .map((name) => channelOf({ group: 'all', id: name.slice(sort.length + 1) })),
    channel: (market) => channelOf({ group: 'all', id: named(market) }),
    tell: (markets, { now }) =>
      markets
        .filter(({ kind }) => kind === 'perpetual')
        .map((market) => {
          const about = {
            instrument_name: named(market),
            subscription: `${sort}.${named(market)}`,
          };
          const [v, t] = value(market, now);
          const result = { ...about, channel: sort, data: [{ v, t }] };
          return { id: -1, method: 'subscribe', code: 0, result };
        }),
  });
  return {
    ...values,
    messages: (channels, at) =>
      at.first || isEvery(seconds, at.now) ? values.messages(channels, at) : [],
  };
}

export const heartbeats: Channels = {
  every: 1_000,
  named: (frame) => (namesIn(frame).length > 0 ? ['heartbeat'] : []),
  messages: (_channels, { now, first }) =>
    !first && isEvery(30, now) ? [{ id: now, method: 'public/heartbeat', code: 0 }] : [],
};

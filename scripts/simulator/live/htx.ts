/** `market.tickers` of HTX's spot markets, details, mark prices, indices and funding of its contracts, and the pings of all. */
import { text } from '../../../actors/read.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { At, Row } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { details, spotTicker } from '../venues/htx-answers.ts';
import { indexCandle, mark, notice } from '../venues/htx-contracts.ts';
import { channelOf, marketChannels, tickerChannels } from './moving.ts';

const venue = 'htx';
const topicOf = (frame: string): string => text(objectOf(frame).sub);
const groups: Readonly<Record<string, string>> = {
  '/linear-swap-ws': 'linear',
  '/swap-ws': 'inverse',
};

export const spotChannels = tickerChannels({
  venue,
  named: (frame) => (topicOf(frame) === 'market.tickers' ? ['spot'] : []),
  tell: (markets, at) => [
    {
      ...{ ch: 'market.tickers', status: 'ok', ts: at.now },
      data: markets.map((market) => spotTicker(market, at)),
    },
  ],
});

export const contractChannels = marketChannels({
  venue,
  named(frame, { path }) {
    const [, id] = /^market\.([\w-]+)\.detail$/.exec(topicOf(frame)) ?? [];
    const group = groups[path];
    return id && group ? [channelOf({ group, id })] : [];
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const tick = details[market.inverse ? 'inverse' : 'linear'](market, at);
      return { ch: `market.${market.id}.detail`, ts: at.now, tick };
    }),
});

/** The group of a contract follows from its quote. */
const groupOf = (id: string): string => (id.endsWith('-USD') ? 'inverse' : 'linear');

/** `market.<code>.mark_price.1min` and `market.<code>.index.1min`: the running candle. */
const candles = (what: string, made: Row) =>
  marketChannels({
    venue,
    named(frame, { path }) {
      const [, id, topic] = /^market\.([\w-]+)\.(\w+)\.1min$/.exec(topicOf(frame)) ?? [];
      const asked = path === '/ws_index' && topic === what;
      return id && asked ? [channelOf({ group: groupOf(id), id })] : [];
    },
    tell: (markets, at) =>
      markets.map((market) => ({
        ...{ ch: `market.${market.id}.${what}.1min`, tick: made(market, at), ts: at.now },
      })),
  });

export const markChannels = candles('mark_price', mark);
export const indexChannels = candles('index', indexCandle);

/** The addresses of notifications, and the contracts that they are about. */
const notifications: Readonly<Record<string, string>> = {
  '/linear-swap-notification': 'linear',
  '/swap-notification': 'inverse',
};

const ofFunding = (code: string, markets: readonly Market[], at: At) => ({
  ...{ op: 'notify', topic: `public.${code}.funding_rate`, ts: at.now },
  data: markets.map((market) => notice(market, at)),
});

/** `public.*.funding_rate`: all contracts at first, then each of them every five seconds in a message of its own. */
export const fundingChannels: Channels = {
  every: 1_000,
  named(frame, { path }) {
    const group = objectOf(frame).topic === 'public.*.funding_rate' && notifications[path];
    return group ? [group] : [];
  },
  messages: (asked, { now, model, first }) =>
    [...asked].flatMap((group) => {
      const live = model.markets(venue, now, group).filter(({ state }) => state === 'live');
      if (first) return [ofFunding('*', live, { now, model })];
      const due = live.filter((_, at) => at % 5 === (now / 1_000) % 5);
      const ping = isEvery(5, now) ? [{ op: 'ping', ts: `${now}` }] : [];
      return [...ping, ...due.map((market) => ofFunding(market.id, [market], { now, model }))];
    }),
};

/** Market data has pings of its own form. */
export const pings: Channels = {
  every: 1_000,
  named: (frame) => (topicOf(frame) === '' ? [] : ['ping']),
  messages: (_channels, { now, first }) => (!first && isEvery(5, now) ? [{ ping: now }] : []),
};

/** A subscription is acknowledged. */
export function reply(frame: string): string[] {
  const { id } = objectOf(frame);
  const subbed = topicOf(frame);
  return subbed === '' ? [] : [JSON.stringify({ id, status: 'ok', subbed, ts: 0 })];
}

/** `market.tickers` of HTX's spot markets, details, mark prices, indices and funding of its contracts, and the pings of all. */
import { text } from '../../../actors/read.ts';
import { plain } from '../format.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';
import { contractTicker, spotTicker } from '../venues/htx-answers.ts';
import { rates } from '../venues/htx-contracts.ts';
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

/** The numbers of a detail are JSON numbers, and `vol` counts contracts. */
export const contractChannels = marketChannels({
  venue,
  named(frame, { path }) {
    const [, id] = /^market\.([\w-]+)\.detail$/.exec(topicOf(frame)) ?? [];
    const group = groups[path];
    return id && group ? [channelOf({ group, id })] : [];
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { number_of, ask, bid, ...texts } = contractTicker(market, at);
      const numbers = Object.entries(texts).map(([key, value]) => [key, Number(value)]);
      const tick = { ...Object.fromEntries(numbers), ask, bid, vol: Number(number_of) };
      return { ch: `market.${market.id}.detail`, ts: at.now, tick };
    }),
});

/** The group of a contract follows from its quote. */
const groupOf = (id: string): string => (id.endsWith('-USD') ? 'inverse' : 'linear');

/** `market.<code>.mark_price.1min` and `market.<code>.index.1min`: the running candle. */
const candles = (what: string, value: (market: Market, now: number) => number) =>
  marketChannels({
    venue,
    named(frame, { path }) {
      const [, id, topic] = /^market\.([\w-]+)\.(\w+)\.1min$/.exec(topicOf(frame)) ?? [];
      const asked = path === '/ws_index' && topic === what;
      return id && asked ? [channelOf({ group: groupOf(id), id })] : [];
    },
    tell: (markets, { now }) =>
      markets.map((market) => {
        const close = plain(value(market, now), market.decimals + 2);
        const none = { amount: '0', vol: '0', count: '0', trade_turnover: '0' };
        const id = Math.floor(now / 60_000) * 60;
        const tick = { id, open: close, close, high: close, low: close, ...none };
        return { ch: `market.${market.id}.${what}.1min`, tick, ts: now };
      }),
  });

export const markChannels = candles('mark_price', (market, now) => market.exact(now));
export const indexChannels = candles('index', (market, now) => market.index(now));

/** The addresses of notifications, and the contracts that they are about. */
const notifications: Readonly<Record<string, string>> = {
  '/linear-swap-notification': 'linear',
  '/swap-notification': 'inverse',
};

const ofFunding = (code: string, markets: readonly Market[], now: number) => ({
  ...{ op: 'notify', topic: `public.${code}.funding_rate`, ts: now },
  data: markets.map((market) => {
    const { funding_time, funding_rate, contract_code } = rates(market, now);
    const of = { symbol: market.symbol, contract_code, fee_asset: market.quote };
    const at = { funding_time: `${now}`, settlement_time: funding_time };
    return { ...of, ...at, funding_rate, estimated_rate: null };
  }),
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
      if (first) return [ofFunding('*', live, now)];
      const due = live.filter((_, at) => at % 5 === (now / 1_000) % 5);
      const ping = isEvery(5, now) ? [{ op: 'ping', ts: `${now}` }] : [];
      return [...ping, ...due.map((market) => ofFunding(market.id, [market], now))];
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

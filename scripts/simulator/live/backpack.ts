/** `ticker.<market>`, `markPrice.<market>` and `openInterest.<market>` of Backpack; a subscription is not answered. */
import { fixed, plain } from '../format.ts';
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels, together } from './moving.ts';

type At = { now: number; model: Model };

/** The streams of one sort; `facts` are what a message says beside the market and the time, which is in microseconds. */
const streams = (sort: string, facts: (market: Market, at: At) => object): Channels =>
  marketChannels({
    venue: 'backpack',
    named(frame) {
      const { method, params } = objectOf(frame);
      const asked = method === 'SUBSCRIBE' ? textsOf(params) : [];
      return asked
        .filter((name) => name.startsWith(`${sort}.`))
        .map((name) => channelOf({ group: 'all', id: name.slice(`${sort}.`.length) }));
    },
    tell: (markets, at) =>
      markets.map((market) => {
        const data = { e: sort, E: at.now * 1000, s: market.id, ...facts(market, at) };
        return { stream: `${sort}.${market.id}`, data };
      }),
  });

const tickers = streams('ticker', (market, { now, model }) => {
  const day = model.last24h(market, now);
  const price = (value: number) => plain(value, market.decimals);
  return {
    ...{ o: price(day.open), c: price(day.close), h: price(day.high), l: price(day.low) },
    ...{ v: plain(day.quantity, market.lot), V: fixed(day.turnover, 6), n: day.trades },
  };
});

const marks = streams('markPrice', (market, { now }) => {
  const { next } = market.fundingTimes(now);
  const price = (value: number) => plain(value, market.decimals + 4);
  return {
    ...{ p: price(market.exact(now)), i: price(market.index(now)), n: next },
    ...{ f: plain(market.fundingRate(next), 12), T: now * 1000 },
  };
});

const interests = streams('openInterest', (market, { now }) => ({
  o: plain(market.openInterest(now), market.lot),
}));

/** Open interest is sent every minute. */
const everyMinute: Channels = {
  ...interests,
  messages: (channels, at) =>
    at.first || isEvery(60, at.now) ? interests.messages(channels, at) : [],
};

export const channels = together(tickers, marks, everyMinute);

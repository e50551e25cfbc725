/** `ticker.<market>`, `markPrice.<market>` and `openInterest.<market>` of Backpack; a subscription is not answered. */
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import { type Row, rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels, together } from './moving.ts';

const { row } = rowsWith({ micros: ({ now }) => now * 1000 });

/** The streams of one sort; `facts` are what a message says beside the market and the time, which is in microseconds. */
const streams = (sort: string, facts: Row): Channels =>
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

const tickers = streams(
  'ticker',
  row('o=open c=close h=high l=low v=quantity V=turnover.6f n=trades'),
);
const marks = streams('markPrice', row('p=mark+4 i=index+4 n=next f=rate.12 T=micros'));
const interests = streams('openInterest', row('o=interest'));

/** Open interest is sent every minute. */
const everyMinute: Channels = {
  ...interests,
  messages: (channels, at) =>
    at.first || isEvery(60, at.now) ? interests.messages(channels, at) : [],
};

export const channels = together(tickers, marks, everyMinute);

/** The topic `tickers` of WOO X, and the topics of single perpetuals of version 3. */
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels, movingMarkets, together } from './moving.ts';

const { row } = rowsWith();
const ticker = row(`
  symbol=id open=#open close=#close high=#high low=#low volume=@quantity amount=@turnover
  count=trades`);

/** Both kinds of markets in one message. */
const tickers: Channels = {
  every: 1_000,
  named: (frame) => (objectOf(frame).topic === 'tickers' ? ['tickers'] : []),
  messages: (_, at) => {
    const markets = ['spot', 'perp'].flatMap((group) =>
      movingMarkets(at.model, 'woo', group, at.now),
    );
    return [{ topic: 'tickers', ts: at.now, data: markets.map((market) => ticker(market, at)) }];
  },
};

/** `topic@<name>`, every so many seconds; `facts` are what a message says beside the name and the time. */
function topics(
  topic: string,
  seconds: number,
  facts: Row,
  named: (market: Market) => string = ({ id }) => id,
): Channels {
  const all = marketChannels({
    venue: 'woo',
    named(frame) {
      const { cmd, params } = objectOf(frame);
      const asked = cmd === 'SUBSCRIBE' ? textsOf(params) : [];
      return asked
        .filter((name) => name.startsWith(`${topic}@`))
        .map((name) => channelOf({ group: 'perp', id: name.slice(topic.length + 1) }));
    },
    channel: (market) => channelOf({ group: 'perp', id: named(market) }),
    tell: (markets, at) =>
      markets.map((market) => {
        const [s, ts] = [named(market), at.now];
        return { topic: `${topic}@${s}`, ts, data: { ts, ...facts(market, at), s } };
      }),
  });
  return {
    ...all,
    messages: (channels, at) =>
      at.first || isEvery(seconds, at.now) ? all.messages(channels, at) : [],
  };
}

export const channels = together(
  tickers,
  topics('markprice', 1, row('px=mark')),
  topics('indexprice', 1, row('px=index'), ({ id }) => id.replace('PERP_', 'SPOT_')),
  topics('estfundingrate', 60, row('r=rate ft=next')),
  topics('openinterest', 5, row('oi=interest')),
);

/** A subscription is acknowledged with its topic, or of version 3 with all that it names. */
export function reply(frame: string): string[] {
  const message = objectOf(frame);
  if (message.cmd === 'PING') return ['{"cmd":"PONG"}'];
  if (message.cmd === 'SUBSCRIBE')
    return [
      JSON.stringify({ id: message.id, cmd: message.cmd, success: true, data: message.params }),
    ];
  return 'topic' in message
    ? [JSON.stringify({ ...message, event: 'subscribe', success: true })]
    : [];
}

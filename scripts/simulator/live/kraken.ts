/** `ticker` of Kraken's spot pairs (version 2) and of its futures, and the heartbeat of the former. */
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { ticker } from '../venues/kraken-futures.ts';
import { channelOf, marketChannels } from './moving.ts';

const venue = 'kraken';

/** The channel of a subscription, the pairs that it names, and whether it wants their past; no pairs in any other frame. */
export function subscriptionIn(frame: string) {
  const { method, params } = objectOf(frame);
  const { channel, symbol, snapshot = true } = objectOf(JSON.stringify(params ?? {}));
  return { channel, snapshot, pairs: method === 'subscribe' ? textsOf(symbol) : [] };
}

/** Version 2 has the usual names of assets. */
export const nameOf = ({ symbol, quote }: Market) => `${symbol}/${quote}`;

const { row } = rowsWith({ name: ({ market }) => nameOf(market) });
const pair = row(`
  symbol=name bid=#bestBid bid_qty=@bestBidSize ask=#bestAsk ask_qty=@bestAskSize last=#last
  volume=#base vwap=#mean+4 low=#low high=#high change=#rise change_pct=#percent timestamp=iso`);

export const spotChannels = marketChannels({
  venue,
  named(frame) {
    const { channel, pairs } = subscriptionIn(frame);
    return channel === 'ticker' ? pairs.map((name) => `spot ${name}`) : [];
  },
  channel: (market) => `spot ${nameOf(market)}`,
  tell: (markets, at) =>
    markets.map((market) => ({ channel: 'ticker', type: 'update', data: [pair(market, at)] })),
});

const hour = 3_600_000;

/** Rates are fractions an hour. */
function fundingOf(market: Market, now: number) {
  const next = (Math.floor(now / hour) + 1) * hour;
  const rate = (time: number) => market.fundingRate(time) / market.fundingHours;
  return {
    ...{ relative_funding_rate: rate(next), relative_funding_rate_prediction: rate(next + hour) },
    next_funding_rate_time: next,
  };
}

export const futuresChannels = marketChannels({
  venue,
  named(frame) {
    const { event, feed, product_ids } = objectOf(frame);
    const ids = event === 'subscribe' && feed === 'ticker' ? textsOf(product_ids) : [];
    return ids.map((id) => channelOf({ group: 'futures', id }));
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { symbol, vol24h, change24h, indexPrice, ...row } = ticker(market, at);
      const { bid, ask, last, markPrice, openInterest, suspended, tag, pair: name } = row;
      return {
        ...{ time: at.now, product_id: symbol, feed: 'ticker', bid, ask, last, suspended, tag },
        ...{ volume: vol24h, change: change24h, index: indexPrice, markPrice, openInterest },
        ...{ pair: name, post_only: false, volumeQuote: row.volumeQuote ?? vol24h },
        ...fundingOf(market, at.now),
      };
    }),
});

export const heartbeats: Channels = {
  every: 1_000,
  named: (frame) => (subscriptionIn(frame).pairs.length > 0 ? ['heartbeat'] : []),
  messages: (_channels, { now, first }) =>
    !first && isEvery(5, now) ? [{ channel: 'heartbeat' }] : [],
};

/** Each pair of a subscription is acknowledged, and a ping answered. */
export function reply(frame: string): string[] {
  if (objectOf(frame).method === 'ping') return ['{"method":"pong"}'];
  const { channel, snapshot, pairs } = subscriptionIn(frame);
  return pairs.map((symbol) =>
    JSON.stringify({ method: 'subscribe', success: true, result: { channel, symbol, snapshot } }),
  );
}

/** `<market>@ticker` and `<market>@markPrice` of BingX, and its pings. Frames are gzip. */
import { text } from '../../../actors/read.ts';
import { plain } from '../format.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Ask, Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';
import { quoteOf } from './quote.ts';

/** The group of the markets of a host. */
export const groups: Readonly<Record<string, string>> = {
  'open-api-ws.bingx.com': 'spot',
  'open-api-swap.bingx.com': 'linear',
  'open-api-cswap-ws.bingx.com': 'inverse',
};

export const hosts = Object.keys(groups);

const isSubscription = (frame: string): boolean => objectOf(frame).reqType === 'sub';

/** The channel of the market whose topic a frame subscribes to. */
function channelIn(frame: string, host: string, wanted: string): string[] {
  const { reqType, dataType } = objectOf(frame);
  const [id = '', topic] = reqType === 'sub' ? text(dataType).split('@') : [];
  const group = groups[host];
  return group === undefined || topic !== wanted ? [] : [channelOf({ group, id })];
}

function ticker(market: Market, at: Pick<Ask, 'model' | 'now'>) {
  const quote = quoteOf(market, at);
  const contracts = market.inverse && {
    ...{ m: quote.base, v: `${Math.round(at.model.last24h(market, at.now).quantity)}` },
  };
  return {
    ...{ e: '24hTicker', E: at.now, s: market.id, P: quote.percent, c: quote.last, o: quote.open },
    ...{ h: quote.high, l: quote.low, v: quote.base, q: quote.turnover, C: at.now },
    ...{ A: quote.ask, a: quote.askSize, B: quote.bid, b: quote.bidSize, ...contracts },
  };
}

export const tickers: Channels = {
  ...marketChannels({
    venue: 'bingx',
    named: (frame, { host }) => channelIn(frame, host, 'ticker'),
    tell: (markets, at) =>
      markets.map((market) => ({
        ...{ code: 0, dataType: `${market.id}@ticker` },
        data: ticker(market, at),
      })),
  }),
  gzip: true,
};

export const marks = marketChannels({
  venue: 'bingx',
  named: (frame, { host }) => channelIn(frame, host, 'markPrice'),
  tell: (markets, { now }) =>
    markets.map((market) => {
      const p = plain(market.exact(now), market.decimals + 1);
      const data = { e: 'markPriceUpdate', E: now, s: market.id, p };
      return { code: 0, dataType: `${market.id}@markPrice`, data };
    }),
});

/** Contracts ask in this form too, where the exchange has a text without quotes. */
export const pings: Channels = {
  every: 1_000,
  named: (frame) => (isSubscription(frame) ? ['ping'] : []),
  messages: (_channels, { now, first }) =>
    !first && isEvery(5, now) ? [{ ping: `${now}`, time: new Date(now).toISOString() }] : [],
};

/** A subscription is acknowledged under its id. */
export function reply(frame: string): string[] {
  const { id } = objectOf(frame);
  if (!isSubscription(frame)) return [];
  return [JSON.stringify({ id, code: 0, msg: '', dataType: '', data: null })];
}

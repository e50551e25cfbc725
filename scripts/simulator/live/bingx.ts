/** `<market>@ticker` and `<market>@markPrice` of BingX, and its pings. Frames are gzip. */
import { text } from '../../../actors/read.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

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

const { row } = rowsWith({ lots: ({ stretch }) => `${Math.round(stretch.quantity)}` });
const quoted = (volume: string) =>
  row(`
    e='24hTicker' E=now s=id P=percent.6f c=last o=open h=high l=low ${volume} q=turnover C=now
    A=bestAsk a=bestAskSize B=bestBid b=bestBidSize`);
const ticker = { inverse: quoted('m=base v=lots'), others: quoted('v=base') };

export const tickers: Channels = {
  ...marketChannels({
    venue: 'bingx',
    named: (frame, { host }) => channelIn(frame, host, 'ticker'),
    tell: (markets, at) =>
      markets.map((market) => ({
        ...{ code: 0, dataType: `${market.id}@ticker` },
        data: ticker[market.inverse ? 'inverse' : 'others'](market, at),
      })),
  }),
  gzip: true,
};

const mark = row("e='markPriceUpdate' E=now s=id p=mark+1");
export const marks = marketChannels({
  venue: 'bingx',
  named: (frame, { host }) => channelIn(frame, host, 'markPrice'),
  tell: (markets, at) =>
    markets.map((market) => {
      const data = mark(market, at);
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

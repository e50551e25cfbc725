/** `!miniTicker@arr` and `!markPrice@arr@1s` of Binance and Aster. */
import { isLive, marketRows } from '../exchange.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { tickerChannels } from './moving.ts';

const { row } = rowsWith({
  pair: ({ market }) => market.id.split('_')[0],
  rate: ({ market, funding }) =>
    market.expires === undefined ? market.fundingRate(funding.next) : '',
  next: ({ market, funding }) => (market.expires === undefined ? funding.next : 0),
});
const mini = "e='24hrMiniTicker' E=now s=id c=close o=open h=high l=low v=quantity";
const miniTicker = {
  linear: row(`${mini} q=turnover.8f`),
  inverse: row(`${mini} ps=pair q=base.8f`),
};
/** Mark, index and funding of every contract. */
const markPrice = row(
  "e='markPriceUpdate' E=now s=id p=mark.8f i=index.8f P=index.8f r=rate.8f T=next",
);

/** `!markPrice@arr@1s` of the contracts of a group. */
export const markPrices = (venue: string, host: string, group: string): Channels => ({
  every: 1_000,
  named(frame, to) {
    const { method, params } = objectOf(frame);
    const asked = method === 'SUBSCRIBE' && to.host === host ? textsOf(params) : [];
    return asked.includes('!markPrice@arr@1s') ? [group] : [];
  },
  messages: (_groups, at) => [marketRows(markPrice, at, { venue, group, keep: isLive })],
});

/** `groups` names the markets of a host; messages without the route of market streams do not arrive. */
export const miniTickers = (venue: string, groups: Readonly<Record<string, string>>) =>
  tickerChannels({
    venue,
    named(frame, { host, path }) {
      const { method, params } = objectOf(frame);
      const routed = host !== 'fstream.binance.com' || path.startsWith('/market/');
      const asked = method === 'SUBSCRIBE' && routed ? textsOf(params) : [];
      const group = groups[host];
      return group !== undefined && asked.includes('!miniTicker@arr') ? [group] : [];
    },
    tell: (markets, at) => [
      markets.map((market) => miniTicker[market.inverse ? 'inverse' : 'linear'](market, at)),
    ],
  });

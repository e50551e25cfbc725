/** The form of Binance's APIs, which Aster has as well: parameters, refusals, klines and streams. */

import { isLive, marketRows } from '../answers.ts';
import { bookMessages, deepEvery } from '../book-streams.ts';
import { forcedRows, liquidations, trades } from '../events.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsWith, type Sight } from '../rows.ts';
import { type Frame, ordered, textsOf, tickers, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

export const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg });
};
export const parameters = new Parameters((name, { query }) => {
  const value = query.get(name);
  if (!value)
    return refuse(
      -1102,
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
    );
  if (name === 'limit' && !/^\d+$/.test(value))
    return refuse(-1100, `Illegal characters found in parameter '${name}'.`);
  if (name === 'interval') return refuse(-1120, 'Invalid interval.');
  return refuse(-1130, `Data sent for parameter '${name}' is not valid.`);
});

/** The market of an exchange that `symbol` names. */
export const marketIn = (venue: string, ask: Ask, group: string): Market =>
  ask.model.market(venue, group, parameters.text(ask, 'symbol'), ask.now) ??
  refuse(-1121, 'Invalid symbol.');

/** One of the documented depths of contracts. */
export const legalDepth = (ask: Ask): number => {
  const limit = Number(ask.query.get('limit') ?? 500);
  const isLegal = [5, 10, 20, 50, 100, 500, 1000].includes(limit);
  return isLegal ? limit : refuse(-4021, `${limit} is not valid depth limit.`);
};

/** Rows from `startTime` on, or the newest before `endTime`. */
export const ranged = 'from startTime; to endTime; onward';
/** `klines`: the running candle is included. */
export const klinePage = (most = '1500') => `
  in interval 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M; rows limit 500 ${most}; ${ranged}`;

/** The part of the second volume that takers bought. */
const boughtPart = ({ stretch: { quantity, bought } }: Sight) =>
  quantity > 0 ? bought / quantity : 0;
/** Facts of tickers and klines; `none` is the id of a trade where there are none. */
export const factsOf = (none: number) => {
  const lastId = ({ market, now }: Sight) => (isLive(market) ? market.tradeId(now) : none);
  return {
    lastId,
    firstId: (sight: Sight) =>
      isLive(sight.market) ? Math.max(0, lastId(sight) - sight.stretch.trades + 1) : none,
    boughtBase: (sight: Sight) => sight.stretch.base * boughtPart(sight),
    boughtTurnover: (sight: Sight) => sight.stretch.turnover * boughtPart(sight),
  };
};

const { row } = rowsWith();
const mini = "e='24hrMiniTicker' E=now s=id c=close o=open h=high l=low v=quantity";
const miniTicker = {
  linear: row(`${mini} q=turnover.8f`),
  inverse: row(`${mini} q=base.8f`),
};
/** Mark, index and funding of every contract. */
const markPrice = row(`
  e='markPriceUpdate' E=now s=id p=mark.8f i=index.8f P=index.8f r=isDated?'':rate.8f
  T=isDated?0:next`);
const aggTrade = row(
  "e='aggTrade' E=now a=tradeId s=id p=tradePrice q=tradeSize T=traded m=isMakerBuyer",
);
const order = (more: string) =>
  row(`
    s=id ${more} S=TAKER o='LIMIT' f='IOC' q=tradeSize p=tradePrice ap=tradePrice X='FILLED'
    l=tradeSize z=tradeSize T=traded`);
const orders = { linear: order(''), inverse: order('ps=first') };
const sortOf = ({ inverse }: Market) => (inverse ? 'inverse' : 'linear');

const depth = "e='depthUpdate' E=now s=id U=following u=sequence b=bids a=asks";
const depths = { spot: row(depth), contract: row(`${depth} T=now pu=previous`) };
/** The largest liquidation of a second. */
const largestForced = liquidations((forced, at) => {
  const largest = forced.toSorted((a, b) => b.quantity * b.price - a.quantity * a.price)[0];
  if (!largest) return [];
  const [o] = forcedRows(orders[sortOf(largest.market)], [largest], at);
  return [{ e: 'forceOrder', E: at.now, o }];
});

/** The market streams; `groups` names the markets of a host, of which `fstream.binance.com` has routes. */
export function streamsOn(venue: string, groups: Readonly<Record<string, string>>) {
  const on =
    (route: string) =>
    (_: string, { host, path }: { host: string; path: string }) =>
      host !== 'fstream.binance.com' || path.startsWith(route) ? (groups[host] ?? null) : null;
  const all = timed(
    1,
    (at, names) => names.map((group) => marketRows(markPrice, at, { venue, group, keep: isLive })),
    { first: true },
  );
  /** The whole book is asked for. */
  const books = bookMessages(
    (market, at) => depths[market.group === 'spot' ? 'spot' : 'contract'](market, at),
    { depth: 1_000, every: deepEvery, part: 'updates', group: on('/public/') },
  );
  return {
    topics: ({ method, params }: Frame) => {
      const topics = textsOf(params).map((one) => one.replace(/^\w+@/, (id) => id.toUpperCase()));
      return ordered(method, ['SUBSCRIBE', 'UNSUBSCRIBE'], topics);
    },
    group: on('/market/'),
    channels: {
      '!forceOrder@arr': largestForced,
      '!miniTicker@arr': tickers((markets, at) => [
        markets.map((market) => miniTicker[sortOf(market)](market, at)),
      ]),
      '!markPrice@arr@1s': all,
      '{id}@aggTrade': trades(aggTrade),
      '{id}@depth@100ms': books,
    },
  };
}

/** What a message is answered with: null, or the streams that are subscribed to. */
export const reply = ({ method, id }: Frame) =>
  id === undefined
    ? []
    : [{ result: method === 'LIST_SUBSCRIPTIONS' ? ['!forceOrder@arr'] : null, id }];

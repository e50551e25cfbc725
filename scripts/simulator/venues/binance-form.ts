/** The form of Binance's APIs, which Aster has as well: parameters, refusals, klines, weights. */
import { type Bar, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { barsOf, candleRows, wholes } from '../exchange.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import type { Row, Sight } from '../rows.ts';
import { type Ask, Refused, type Route } from '../venue.ts';

export const bars: Readonly<Record<string, Bar>> = barsOf(
  '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M',
);

export const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg });
};
export const missing = (name: string) =>
  refuse(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
const integers = wholes((name) =>
  refuse(-1100, `Illegal characters found in parameter '${name}'.`),
);

/** A whole number, or `absent` without the parameter. */
export const integer = (ask: Ask, name: string, absent: number): number =>
  integers(ask, name, absent, [0, 1e16]);

/** A limit from 1 on; one over `most` is refused, or cut where `cuts`. */
export function limitOf(ask: Ask, absent: number, most: number, cuts = false): number {
  const limit = integer(ask, 'limit', absent);
  if (limit < 1 || (limit > most && !cuts))
    refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  return Math.min(limit, most);
}

/** Times from `startTime` on, or the newest before `endTime`. */
export function opensIn(ask: Ask, bar: Bar, first: number, limit: number): number[] {
  const start = Math.max(first, integer(ask, 'startTime', first));
  const end = Math.min(ask.now, integer(ask, 'endTime', ask.now));
  return (ask.query.has('startTime') ? opensFrom : opensUntil)(bar, start, end, limit);
}

/** `klines`: the running candle is included. */
export function klines(
  row: Row<unknown[]>,
  ask: Ask,
  market: Market,
  { most, cuts }: { most: number; cuts: boolean },
): unknown[][] {
  const interval = ask.query.get('interval') || missing('interval');
  const bar = bars[interval] ?? refuse(-1120, 'Invalid interval.');
  const limit = limitOf(ask, 500, most, cuts);
  if (market.state !== 'live') return [];
  const opens = opensIn(ask, bar, openOf(bar, market.listed), limit);
  return candleRows(row, market, { bar, opens }, ask);
}

export const legalDepth = (ask: Ask): number => {
  const limit = integer(ask, 'limit', 500);
  const isLegal = [5, 10, 20, 50, 100, 500, 1000].includes(limit);
  return isLegal ? limit : refuse(-4021, `${limit} is not valid depth limit.`);
};

/** The part of the second volume that takers bought. */
const boughtPart = ({ stretch: { quantity, bought } }: Sight) =>
  quantity > 0 ? bought / quantity : 0;

/** Ids of the trades of 24 hours; `none` where there are none. */
export const tradeIds = (none: number) => {
  const lastId = ({ market, now }: Sight) => (market.state === 'live' ? market.tradeId(now) : none);
  const firstId = (sight: Sight) =>
    sight.market.state === 'live' ? Math.max(0, lastId(sight) - sight.stretch.trades + 1) : none;
  return { lastId, firstId };
};

/** Facts of tickers and klines. */
export const facts = {
  boughtBase: (sight: Sight) => sight.stretch.base * boughtPart(sight),
  boughtTurnover: (sight: Sight) => sight.stretch.turnover * boughtPart(sight),
  perpetual: ({ market }: Sight) =>
    market.expires === undefined ? 'PERPETUAL' : 'CURRENT_QUARTER',
};
export const style = { write: fixed };

export type Weight = (query: URLSearchParams) => number;
export const one =
  (symbol: number, all: number): Weight =>
  (query) =>
    query.has('symbol') ? symbol : all;
/** By the limit: pairs of the largest limit and its weight. */
export const steps =
  (absent: number, table: readonly (readonly [upTo: number, weight: number])[]): Weight =>
  (query) => {
    const limit = Number(query.get('limit') ?? absent) || absent;
    return (table.find(([upTo]) => limit <= upTo) ?? table.at(-1))?.[1] ?? 1;
  };
export const depthWeight = steps(500, [
  [50, 2],
  [100, 5],
  [500, 10],
  [1000, 20],
]);
export const klinesWeight = steps(500, [
  [99, 1],
  [499, 2],
  [1000, 5],
  [1500, 10],
]);

export const route = (bucket: string, weight: number | Weight, answer: Route['answer']): Route => ({
  ...{ bucket, weight: typeof weight === 'number' ? () => weight : weight, answer },
});

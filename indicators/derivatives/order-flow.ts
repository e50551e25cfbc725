/** Order flow: what takers bought and sold, as ratio, difference and running sum. */

import { mean } from '../market/statistics.ts';

/** Bought over sold; null where nothing was sold or a side is not known. */
export const buySellRatio = (buy: number | null, sell: number | null): number | null =>
  buy === null || sell === null || sell === 0 ? null : buy / sell;

/** Bought less sold; null where a side is not known. */
export const delta = (buy: number | null, sell: number | null): number | null =>
  buy === null || sell === null ? null : buy - sell;

/** Long over short; null where nothing is short. */
export const longShortRatio = (long: number, short: number): number | null =>
  short === 0 ? null : long / short;

/** Open interest of a time, and the share of the volume since then that takers bought, null where it is not known. */
export interface InterestFlow {
  /** Base units. */
  interest: number;
  buyShare: number | null;
}

/**
 * Every open contract has a long and a short side, so who opened or closed is read from the takers. Of a rise of open
 * interest the bought share counts as longs and the rest as shorts; of a fall the sold share counts as longs that closed
 * and the bought share as shorts that did. The two changes add up to that of open interest.
 * Example: a rise of 10 of which takers bought 60 % is 6 long and 4 short; a fall of 10 is 4 long and 6 short.
 */
export function netPositions(rows: readonly InterestFlow[]) {
  let [long, short] = [0, 0];
  return rows.map(({ interest, buyShare }, i) => {
    const before = rows[i - 1];
    if (before === undefined || buyShare === null) {
      return { longChange: null, shortChange: null, long, short };
    }
    const change = interest - before.interest;
    const longChange = change * (change >= 0 ? buyShare : 1 - buyShare);
    const shortChange = change - longChange;
    long += longChange;
    short += shortChange;
    return { longChange, shortChange, long, short };
  });
}

/** Share that was bought of what was bought and sold; null where nothing was, or a side is not known. */
export const buyShare = (buy: number | null, sell: number | null): number | null =>
  buy === null || sell === null || buy + sell === 0 ? null : buy / (buy + sell);

/** What takers bought and sold on a market in an interval, dollars. */
interface Flow {
  timestamp: number;
  buy_usd: number | null;
  sell_usd: number | null;
}

/**
 * Bought less sold on each exchange and on all together in the newest `limit` intervals of several markets, ascending. An exchange of several markets has their sum; one without
 * a row is left out of the interval.
 */
export function deltasOf(
  markets: readonly { exchange: string; rows: readonly Flow[] }[],
  limit: number,
) {
  const byTime = new Map<number, Record<string, number>>();
  for (const { exchange, rows } of markets) {
    for (const { timestamp, buy_usd, sell_usd } of rows) {
      const difference = delta(buy_usd, sell_usd);
      if (difference === null) continue;
      const exchanges = byTime.get(timestamp) ?? {};
      exchanges[exchange] = (exchanges[exchange] ?? 0) + difference;
      byTime.set(timestamp, exchanges);
    }
  }
  const newest = [...byTime].sort(([a], [b]) => a - b).slice(-limit);
  let cumulated = 0;
  return newest.map(([timestamp, exchanges]) => {
    const sum = Object.values(exchanges).reduce((a, b) => a + b, 0);
    cumulated += sum;
    return { timestamp, exchanges, delta: sum, cumulated };
  });
}

/** What takers bought and sold in an interval on each exchange and on all together. */
export interface SummedFlow {
  timestamp: number;
  exchanges: Record<string, { taker_buy_usd: number; taker_sell_usd: number }>;
  buy_usd: number;
  sell_usd: number;
  /** Bought share of both; null where nothing was traded. */
  buy_share: number | null;
}

/** The newest `limit` intervals of one market of each exchange, ascending; one without a row is left out of the interval. */
export function flowsOf(
  markets: readonly { exchange: string; rows: readonly Flow[] }[],
  limit: number,
): SummedFlow[] {
  const byTime = new Map<number, SummedFlow>();
  for (const { exchange, rows } of markets) {
    for (const { timestamp, buy_usd: buy, sell_usd: sell } of rows) {
      if (buy === null || sell === null) continue;
      const empty = { timestamp, exchanges: {}, buy_usd: 0, sell_usd: 0, buy_share: null };
      const sum: SummedFlow = byTime.get(timestamp) ?? empty;
      byTime.set(timestamp, sum);
      sum.exchanges[exchange] = { taker_buy_usd: buy, taker_sell_usd: sell };
      sum.buy_usd += buy;
      sum.sell_usd += sell;
      sum.buy_share = buyShare(sum.buy_usd, sum.sell_usd);
    }
  }
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-limit);
}

/** The plain mean of long shares and what is left of one, with their ratio; null without a share, or where nothing is short. */
export function meanShares(longs: readonly number[]) {
  const long = mean(longs);
  return long < 1 ? { long, short: 1 - long, ratio: long / (1 - long) } : null;
}

/**
 * Shares that are of one time, largest share of long first, with their mean (`meanShares`), apart from those that are more than `most`
 * ms older than the newest.
 */
export function sharesAtOnce<S extends { timestamp: number; long: number }>(
  all: readonly S[],
  most: number,
) {
  const newest = Math.max(...all.map(({ timestamp }) => timestamp));
  const isLate = ({ timestamp }: S) => timestamp < newest - most;
  const fresh = all.filter((one) => !isLate(one)).sort((a, b) => b.long - a.long);
  return { fresh, late: all.filter(isLate), mean: meanShares(fresh.map(({ long }) => long)) };
}

/** What takers bought and sold in an interval, in both units; null where one is not known. */
interface FlowOfBoth extends Flow {
  buy_base: number | null;
  sell_base: number | null;
  /** Last price. */
  close?: number;
}

/** The differences of the rows that have both units, with their sums from the first one on. */
export function runningDeltas(rows: readonly FlowOfBoth[]) {
  let [cvd_usd, cvd_base] = [0, 0];
  return rows.flatMap(({ timestamp, close = null, ...row }) => {
    const delta_usd = delta(row.buy_usd, row.sell_usd);
    const delta_base = delta(row.buy_base, row.sell_base);
    if (delta_usd === null || delta_base === null) return [];
    cvd_usd += delta_usd;
    cvd_base += delta_base;
    return [{ timestamp, delta_usd, cvd_usd, delta_base, cvd_base, close }];
  });
}

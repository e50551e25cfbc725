/** Histories of Bybit: newest first, numbers as strings. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { barsOf, pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { candleBars, count, list, marketOf, ok, refuse, row } from './bybit-answers.ts';

const periods = barsOf('5min=5m 15min=15m 30min=30m 1h 4h 1d');
const ratio = row('symbol=id buyRatio=longAccounts.4 sellRatio=shortAccounts.4 timestamp=$now');
const interest = row('openInterest=bothUnits.8 singleOpenInterest=units.8 timestamp=$now');
const funding = row('symbol=id fundingRate=charged fundingRateTimestamp=$now');
const prices = {
  mark: list('$now mark mark mark mark'),
  index: list('$now index index index index'),
};

interface Range {
  bar: Bar | undefined;
  limits: readonly [fallback: number, most: number];
  names?: readonly [start: string, end: string];
}

/** The times of a history, newest first. */
function times(ask: Ask, market: Market, { bar, limits, names }: Range): number[] {
  if (!bar) return refuse('Invalid period!', ask.now);
  const [start, end] = names ?? ['startTime', 'endTime'];
  const until = Math.min(ask.now, Number(ask.query.get(end) ?? ask.now));
  const from = Math.max(openOf(bar, market.listed), Number(ask.query.get(start) ?? 0));
  return opensUntil(bar, from, until, count(ask, ...limits)).reverse();
}

const about = ({ id, group }: Market) => ({ symbol: id, category: group });

/** `account-ratio?category=&symbol=&period=`. */
export function accountRatio(ask: Ask) {
  const market = marketOf(ask);
  const bar = periods[ask.query.get('period') ?? ''];
  const opens = times(ask, market, { bar, limits: [50, 500] });
  return ok({ list: pointRows(ratio, market, { opens }, ask) }, ask.now);
}

/** `open-interest?category=&symbol=&intervalTime=`: both sides, and one. */
export function interestHistory(ask: Ask) {
  const market = marketOf(ask);
  const bar = periods[ask.query.get('intervalTime') ?? ''];
  const opens = times(ask, market, { bar, limits: [50, 200] });
  const rows = pointRows(interest, market, { opens }, ask);
  return ok({ ...about(market), list: rows, nextPageCursor: '' }, ask.now);
}

/** `funding/history?category=&symbol=`: a start without an end is refused. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask);
  if (ask.query.has('startTime') && !ask.query.has('endTime')) {
    return refuse('params error: endTime is required', ask.now);
  }
  const bar = { ms: market.fundingHours * 3_600_000 };
  const opens = times(ask, market, { bar, limits: [200, 200] });
  return ok({ category: market.group, list: pointRows(funding, market, { opens }, ask) }, ask.now);
}

/** `mark-price-kline` and `index-price-kline?category=&symbol=&interval=`: `[start, open, high, low, close]`. */
export const priceCandles = (of: keyof typeof prices) => (ask: Ask) => {
  const market = marketOf(ask);
  const bar = candleBars[ask.query.get('interval') ?? ''];
  const opens = times(ask, market, { bar, limits: [200, 1000], names: ['start', 'end'] });
  return ok({ ...about(market), list: pointRows(prices[of], market, { opens }, ask) }, ask.now);
};

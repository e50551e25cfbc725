/** Histories of Bybit: newest first, numbers as strings. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { candleBars, count, marketOf, ok, refuse, singleInterest } from './bybit-answers.ts';

const minute = 60_000;
const periods: Readonly<Record<string, Bar>> = {
  '5min': { ms: 5 * minute },
  '15min': { ms: 15 * minute },
  '30min': { ms: 30 * minute },
  '1h': { ms: 60 * minute },
  '4h': { ms: 240 * minute },
  '1d': { ms: 1440 * minute },
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

/** `account-ratio?category=&symbol=&period=`. */
export function accountRatio(ask: Ask) {
  const market = marketOf(ask);
  const bar = periods[ask.query.get('period') ?? ''];
  const list = times(ask, market, { bar, limits: [50, 500] }).map((time) => {
    const long = Number(plain(market.longShare(time, 0), 4));
    const [buyRatio, sellRatio] = [plain(long, 4), plain(1 - long, 4)];
    return { symbol: market.id, buyRatio, sellRatio, timestamp: String(time) };
  });
  return ok({ list }, ask.now);
}

/** `open-interest?category=&symbol=&intervalTime=`: both sides, and one. */
export function interestHistory(ask: Ask) {
  const market = marketOf(ask);
  const bar = periods[ask.query.get('intervalTime') ?? ''];
  const list = times(ask, market, { bar, limits: [50, 200] }).map((time) => {
    const single = singleInterest(market, time);
    const [openInterest, singleOpenInterest] = [plain(2 * single, 8), plain(single, 8)];
    return { openInterest, singleOpenInterest, timestamp: String(time) };
  });
  const about = { symbol: market.id, category: market.group };
  return ok({ ...about, list, nextPageCursor: '' }, ask.now);
}

/** `funding/history?category=&symbol=`: a start without an end is refused. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask);
  if (ask.query.has('startTime') && !ask.query.has('endTime')) {
    return refuse('params error: endTime is required', ask.now);
  }
  const bar = { ms: market.fundingHours * 60 * minute };
  const list = times(ask, market, { bar, limits: [200, 200] }).map((time) => ({
    symbol: market.id,
    fundingRate: plain(market.fundingRate(time), 8),
    fundingRateTimestamp: String(time),
  }));
  return ok({ category: market.group, list }, ask.now);
}

/** `mark-price-kline?category=&symbol=&interval=`: `[start, open, high, low, close]`. */
export function markCandles(ask: Ask) {
  const market = marketOf(ask);
  const bar = candleBars[ask.query.get('interval') ?? ''];
  const price = (time: number) => plain(market.exact(time), market.decimals + 2);
  const list = times(ask, market, { bar, limits: [200, 1000], names: ['start', 'end'] }).map(
    (time) => {
      const [open, close] = [price(time), price(time)];
      return [String(time), open, open, close, close];
    },
  );
  return ok({ symbol: market.id, category: market.group, list }, ask.now);
}

/** Histories of Bitget futures. */
import { type Bar, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { marketOf, ok } from './bitget-answers.ts';

const minute = 60_000;
const periods: Readonly<Record<string, Bar>> = Object.fromEntries(
  Object.entries({ '5m': 5, '15m': 15, '30m': 30, '1h': 60, '4h': 240, '1d': 1440 }).map(
    ([word, minutes]) => [word, { ms: minutes * minute }],
  ),
);
/** Rows of one answer. */
const rows = 500;

/** `account-long-short?symbol=&period=`: oldest first. */
export function accountRatio(ask: Ask) {
  const market = marketOf(ask, 'futures');
  const bar = periods[ask.query.get('period') ?? '5m'];
  if (!bar) {
    const msg = 'Parameter period error';
    throw new Refused(400, { code: '40020', msg, requestTime: ask.now, data: null });
  }
  const list = opensUntil(bar, market.listed, ask.now, rows).map((time) => {
    const long = Number(fixed(market.longShare(time, 0), 4));
    return {
      longAccountRatio: plain(long, 4),
      shortAccountRatio: plain(1 - long, 4),
      longShortAccountRatio: plain(long / (1 - long) / 100, 4),
      ts: String(time),
    };
  });
  return ok(list, ask.now);
}

/** `history-fund-rate?symbol=&productType=&pageSize=&pageNo=`: newest first. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask, 'futures');
  const size = Math.min(100, Number(ask.query.get('pageSize') ?? 20));
  const page = Number(ask.query.get('pageNo') ?? 1);
  const bar = { ms: market.fundingHours * 60 * minute };
  const times = opensUntil(bar, market.listed, ask.now, size * page).reverse();
  const list = times.slice(size * (page - 1)).map((time) => ({
    symbol: market.id,
    fundingRate: plain(market.fundingRate(time), 8),
    fundingTime: String(time),
  }));
  return ok(list, ask.now);
}

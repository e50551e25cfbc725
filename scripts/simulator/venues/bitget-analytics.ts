/** Histories of Bitget futures. */
import { opensUntil } from '../calendar.ts';
import { barsOf, pointRows } from '../exchange.ts';
import { rowsWith, type Sight } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { marketOf, ok, refuse, row } from './bitget-answers.ts';

const periods = barsOf('5m 15m 30m 1h 4h 1d');
/** Rows of one answer. */
const rows = 500;

const long = ({ market, now }: Sight): number => Number(market.longShare(now, 0).toFixed(4));
/** The ratio is of hundredths. */
const ratio = rowsWith({
  long,
  short: (sight) => 1 - long(sight),
  ratio: (sight) => long(sight) / (1 - long(sight)) / 100,
}).row('longAccountRatio=long.4 shortAccountRatio=short.4 longShortAccountRatio=ratio.4 ts=$now');
const funding = row('symbol=id fundingRate=charged fundingTime=$now');

/** `account-long-short?symbol=&period=`: oldest first. */
export function accountRatio(ask: Ask) {
  const market = marketOf(ask, 'futures');
  const bar =
    periods[ask.query.get('period') ?? '5m'] ?? refuse('40020', 'Parameter period error', ask.now);
  const opens = opensUntil(bar, market.listed, ask.now, rows);
  return ok(pointRows(ratio, market, { opens }, ask), ask.now);
}

/** `history-fund-rate?symbol=&productType=&pageSize=&pageNo=`: newest first. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask, 'futures');
  const size = Math.min(100, Number(ask.query.get('pageSize') ?? 20));
  const page = Number(ask.query.get('pageNo') ?? 1);
  const bar = { ms: market.fundingHours * 3_600_000 };
  const opens = opensUntil(bar, market.listed, ask.now, size * page).reverse();
  const wanted = opens.slice(size * (page - 1));
  return ok(pointRows(funding, market, { opens: wanted }, ask), ask.now);
}

/** Histories of KuCoin futures: newest first. */
import { opensUntil } from '../calendar.ts';
import { barsOf, pointRows } from '../exchange.ts';
import type { Ask } from '../venue.ts';
import { marketOf, ok, refuse, row } from './kucoin-answers.ts';

const periods = barsOf('5min=5m 15min=15m 30min=30m 1hour=1h 4hour=4h 1day=1d');
const interest = row('openInterest=$contracts ts=now');
const funding = row('symbol=id fundingRate=#charged timepoint=now');

const number = ({ query }: Ask, name: string, fallback: number) =>
  Number(query.get(name) ?? fallback);

/** `ua/v1/market/open-interest?symbol=&interval=&startAt=&endAt=&pageSize=`: contracts. */
export function interestHistory(ask: Ask) {
  const market = marketOf(ask, 'futures');
  const bar = periods[ask.query.get('interval') ?? ''] ?? refuse('400100', 'interval is invalid');
  const size = number(ask, 'pageSize', 30);
  if (size > 200) refuse('400100', 'pageSize is invalid');
  const from = Math.max(market.listed, number(ask, 'startAt', 0));
  const until = Math.min(ask.now, number(ask, 'endAt', ask.now));
  const opens = opensUntil(bar, from, until, size).reverse();
  return ok(pointRows(interest, market, { opens }, ask));
}

/** `contract/funding-rates?symbol=&from=&to=`: a hundred at most. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask, 'futures');
  if (!ask.query.has('from') || !ask.query.has('to')) refuse('400100', 'from and to are required');
  const from = Math.max(market.listed, number(ask, 'from', 0));
  const until = Math.min(ask.now, number(ask, 'to', ask.now));
  const opens = opensUntil({ ms: market.fundingHours * 3_600_000 }, from, until, 100).reverse();
  return ok(pointRows(funding, market, { opens }, ask));
}

/** Histories of KuCoin futures: newest first. */
import { type Bar, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Ask } from '../venue.ts';
import { marketOf, ok, refuse } from './kucoin-answers.ts';

const minute = 60_000;
const periods: Readonly<Record<string, Bar>> = Object.fromEntries(
  Object.entries({
    '5min': 5,
    '15min': 15,
    '30min': 30,
    '1hour': 60,
    '4hour': 240,
    '1day': 1440,
  }).map(([word, minutes]) => [word, { ms: minutes * minute }]),
);

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
  const times = opensUntil(bar, from, until, size).reverse();
  return ok(
    times.map((time) => {
      const base = market.openInterest(time);
      const contracts = (market.inverse ? base * market.exact(time) : base) / market.contract;
      return { openInterest: plain(contracts, 0), ts: time };
    }),
  );
}

/** `contract/funding-rates?symbol=&from=&to=`: a hundred at most. */
export function fundingHistory(ask: Ask) {
  const market = marketOf(ask, 'futures');
  if (!ask.query.has('from') || !ask.query.has('to')) refuse('400100', 'from and to are required');
  const from = Math.max(market.listed, number(ask, 'from', 0));
  const until = Math.min(ask.now, number(ask, 'to', ask.now));
  const times = opensUntil({ ms: market.fundingHours * 60 * minute }, from, until, 100).reverse();
  return ok(
    times.map((timepoint) => {
      const fundingRate = Number(plain(market.fundingRate(timepoint), 8));
      return { symbol: market.id, fundingRate, timepoint };
    }),
  );
}

/** The series of Kraken Futures' charts: lists side by side, times in seconds. */
import { type Bar, nextOpen, openOf, opensFrom } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { marketOf } from './kraken-futures.ts';

const minute = 60;
const lengths = new Set([1, 5, 15, 30, 60, 240, 720, 1440, 10_080].map((n) => n * minute));
/** Rows of one answer. */
const page = 2000;

/** Contracts of one side. */
function interest(market: Market, time: number): number {
  const base = market.openInterest(time);
  return market.inverse ? base * market.exact(time) : base;
}

interface Stretch {
  market: Market;
  time: number;
  end: number;
}

const cells: Readonly<Record<string, (stretch: Stretch) => unknown>> = {
  'open-interest': ({ market, time, end }) =>
    [time, time, end, end].map((at) => plain(interest(market, at), 4)),
  'trade-volume': ({ market, time, end }) => plain(market.stretch(time, end).quantity, market.lot),
  'aggressor-differential'({ market, time, end }) {
    const { quantity, bought } = market.stretch(time, end);
    return plain(2 * bought - quantity, market.lot);
  },
};

const accounts = 2000;

/** `analytics/{symbol}/{type}?since=&to=&interval=`: seconds, both times included. */
export const analytics = (ask: Ask) => {
  const [id, type = ''] = ask.path.split('/').slice(-2);
  const market = marketOf(ask, id);
  const seconds = Number(ask.query.get('interval'));
  if (!market || !lengths.has(seconds)) throw new Refused(404, { errors: [] });
  const bar: Bar = { ms: seconds * 1000 };
  const to = Math.min(ask.now, 1000 * Number(ask.query.get('to') ?? ask.now / 1000));
  const since = Math.max(openOf(bar, market.listed), 1000 * Number(ask.query.get('since') ?? 0));
  const opens = opensFrom(bar, since, to, page + 1);
  const rows = opens.slice(0, page).map((time) => {
    const end = Math.min(ask.now, nextOpen(bar, time));
    return { market, time, end };
  });
  const result = { timestamp: rows.map(({ time }) => time / 1000), more: opens.length > page };
  if (type === 'long-short-info') {
    const longs = rows.map(({ time }) => Math.round(accounts * market.longShare(time, 0)));
    const data = { longCount: longs, shortCount: longs.map((long) => accounts - long) };
    return { result: { ...result, data }, errors: [] };
  }
  const cell = cells[type];
  if (!cell) throw new Refused(404, { errors: [] });
  return { result: { ...result, data: rows.map(cell) }, errors: [] };
};

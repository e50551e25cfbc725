/** What the simulated exchanges share: routes, parameters, the words for intervals, candles and order books. */
import { bookOf } from './book.ts';
import { type Bar, monday, nextOpen } from './calendar.ts';
import type { Market } from './market.ts';
import type { At, Row } from './rows.ts';
import { newestTrades } from './trades/tape.ts';
import type { Ask, Route } from './venue.ts';

export type Answer = Route['answer'];

/** The routes of these paths, each of which weighs one in a bucket: one of its own, or that of all. */
export const routesOf = (
  prefix: string,
  answers: Readonly<Record<string, Answer>>,
  bucket?: string,
): ReadonlyMap<string, Route> =>
  new Map(
    Object.entries(answers).map(([path, answer]) => [
      `${prefix}${path}`,
      { bucket: bucket ?? path, weight: () => 1, answer },
    ]),
  );

/** The same limit for each path. */
export const eachPath = <Bucket>(answers: object, bucket: Bucket): Record<string, Bucket> =>
  Object.fromEntries(Object.keys(answers).map((path) => [path, bucket]));

/** Reads a whole number from `least` to `most`; `absent` without the parameter. Anything else is refused. */
export const wholes =
  (refuse: (name: string, ask: Ask) => never) =>
  (ask: Ask, name: string, absent: number, [least, most]: readonly [number, number]): number => {
    const text = ask.query.get(name);
    if (text === null) return absent;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : refuse(name, ask);
  };

const lengths: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A bar by our own word for it: `5m`, `1w` from Monday on, `1M`. */
function barOf(word: string, origin: number): Bar {
  const [count, unit = ''] = [Number.parseInt(word, 10), word.at(-1)];
  if (unit === 'M') return origin === 0 ? { months: count } : { months: count, origin };
  const ms = count * (lengths[unit] ?? Number.NaN);
  if (!(ms > 0)) throw new RangeError(`no interval: ${word}`);
  const start = origin + (unit === 'w' ? monday : 0);
  return start === 0 ? { ms } : { ms, origin: start };
}

/** Bars by the words of an exchange: each is our word, or `theirs=ours`. `origin` moves their openings. */
export const barsOf = (words: string, origin = 0): Readonly<Record<string, Bar>> =>
  Object.fromEntries(
    words.split(' ').map((word) => {
      const [theirs = '', ours = theirs] = word.split('=');
      return [theirs, barOf(ours, origin)];
    }),
  );

/** The candles that open at these times. */
export const candleRows = <Made>(
  row: Row<Made>,
  market: Market,
  { bar, opens }: { bar: Bar; opens: readonly number[] },
  at: At,
): Made[] => opens.map((time) => row(market, at, market.candle(time, nextOpen(bar, time), at.now)));

/** The candles that open at these times as lists side by side, one for each member. */
export function columnsOf(
  row: Row,
  market: Market,
  times: { bar: Bar; opens: readonly number[] },
  at: At,
): Record<string, unknown[]> {
  const rows = candleRows(row, market, times, at);
  const names = Object.keys(row(market, at, market.candle(market.listed, at.now, at.now)));
  return Object.fromEntries(names.map((name) => [name, rows.map((one) => one[name])]));
}

/** What was at these times; with a bar, what happened in the candles that open at them as well. */
export const pointRows = <Made>(
  row: Row<Made>,
  market: Market,
  { bar, opens }: { bar?: Bar; opens: readonly number[] },
  { model, now }: At,
): Made[] =>
  opens.map((time) =>
    row(market, { model, now: time }, bar && market.candle(time, nextOpen(bar, time), now)),
  );

export const isLive = ({ state }: Market): boolean => state === 'live';

/** The row of each market that an exchange lists now. */
export const marketRows = <Made>(
  row: Row<Made>,
  ask: At,
  {
    venue,
    group,
    keep = () => true,
  }: { venue: string; group?: string; keep?(market: Market): boolean },
): Made[] =>
  ask.model
    .markets(venue, ask.now, group)
    .filter(keep)
    .map((market) => row(market, ask));

/** The newest trades of a market as rows, newest first. */
export const tradeRows = <Made>(
  row: Row<Made>,
  market: Market,
  { model, now }: At,
  limit: number,
) => newestTrades(market, now, limit).map((trade) => row(market, { model, now, trade }));

/** The order book of a market with its levels as rows. */
export function bookRows<Made>(level: Row<Made>, market: Market, at: At, depth: number) {
  const { bids, asks, updateId } = bookOf(market, at.now, depth);
  const rows = (side: typeof bids) => side.map((one) => level(market, at, undefined, one));
  return { bids: rows(bids), asks: rows(asks), updateId };
}

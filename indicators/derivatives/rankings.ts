/** What rankings of assets show over several windows. Pure. */
import { day, hour, minute } from '../../config/time.ts';
import type { DayChange } from '../market/day-change.ts';
import { changePct } from '../market/statistics.ts';

/** The windows of the rankings, ms. */
export const rankingWindows = {
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': hour,
  '4h': 14_400_000,
  '12h': 43_200_000,
  '24h': day,
} as const;
export type RankingWindow = keyof typeof rankingWindows;
export const rankingWindowNames = [
  '5m',
  '15m',
  '30m',
  '1h',
  '4h',
  '12h',
  '24h',
] as const satisfies RankingWindow[];

/** A field for the change of each window. */
export const changeFields = <T>(of: (window: RankingWindow) => T) => ({
  price_change_percent_5m: of('5m'),
  price_change_percent_15m: of('15m'),
  price_change_percent_30m: of('30m'),
  price_change_percent_1h: of('1h'),
  price_change_percent_4h: of('4h'),
  price_change_percent_12h: of('12h'),
  price_change_percent_24h: of('24h'),
});

/**
 * The times of the prices that changes until `now` (Unix ms) are made of: the last whole minute and each window before it, and the hours
 * whose ends are those of the 24 hours before, oldest first.
 */
export function changeTimes(now: number) {
  const last = Math.floor(now / minute) * minute - minute;
  // A row of an hour states the price at its end.
  const nearest = Math.round((last + minute) / hour) * hour - hour;
  return {
    minutes: [last, ...rankingWindowNames.map((window) => last - rankingWindows[window])],
    hours: Array.from({ length: 24 }, (_, i) => nearest - (24 - i) * hour),
  };
}

/**
 * The changes of a price that is `now`, percent: since the minute of each window, or of the long ones since the nearest end of an
 * hour; null where neither is known. `ends` are the prices at the ends of the hours. Example: 110 now and 100 five minutes ago: 10.
 */
export const priceChanges = (
  now: number,
  then: readonly (number | null)[],
  ends: readonly (number | null)[],
) =>
  changeFields((window) => {
    const isLong = window === '12h' || window === '24h';
    const end = isLong ? ends.at(-rankingWindows[window] / hour) : null;
    return changePct(then[rankingWindowNames.indexOf(window)] ?? end, now);
  });

/** Highest less lowest price in percent of the lowest; null with fewer than two. Example: 100, 110, 105 is 10. */
export function amplitudePct(prices: readonly (number | null)[]): number | null {
  const known = prices.filter((price) => price !== null);
  return known.length < 2 ? null : changePct(Math.min(...known), Math.max(...known));
}

/** Prices of some assets at some times: for each time one (or null) of each asset. */
export interface PricesAt {
  symbols: readonly string[];
  prices: readonly (readonly (number | null)[])[];
}

/** The change of 24 hours as it is `stated`, else the recorded one, and what it is of. */
const dayChangeOf = (recorded: number | null, stated: DayChange | null) => ({
  price_change_percent_24h: stated === null ? recorded : stated.percent,
  price_change_24h_basis: stated?.basis ?? (recorded === null ? null : ('recorded' as const)),
});

/**
 * The assets with a price now, what it was and how far it went in 24 hours. `minutes` and `hours` are the prices at the times of
 * `changeTimes`.
 */
export function pricesChanged(
  minutes: PricesAt,
  hours: PricesAt | null,
  stated: (symbol: string) => DayChange | null,
) {
  const [now = [], ...then] = minutes.prices;
  const hourly = new Map(
    hours?.symbols.map((symbol, i) => [symbol, hours.prices.map((all) => all[i] ?? null)]),
  );
  return minutes.symbols.flatMap((symbol, i) => {
    const price = now[i] ?? null;
    if (price === null) return [];
    const ends = hourly.get(symbol) ?? [];
    const before = then.map((all) => all[i] ?? null);
    const changes = priceChanges(price, before, ends);
    const ofDay = dayChangeOf(changes.price_change_percent_24h, stated(symbol));
    const price_amplitude_percent_24h = amplitudePct([...ends, price]);
    return [{ symbol, price, ...changes, ...ofDay, price_amplitude_percent_24h }];
  });
}

/** Rows by a value, largest or smallest first; those without one are last, in the order that they had. */
export function ranked<T>(
  rows: readonly T[],
  order: 'desc' | 'asc',
  of: (row: T) => number | null,
): T[] {
  const place = (row: T) => {
    const value = of(row);
    if (value === null) return Number.POSITIVE_INFINITY;
    return order === 'desc' ? -value : value;
  };
  return rows.toSorted((a, b) => place(a) - place(b) || 0);
}

/** What takers bought and sold in a step that begins then, US dollars. */
export interface FlowStep {
  time: number;
  buy: number;
  sell: number;
}

/** How much of the steps of a window must be there. */
const wholeShare = 0.95;

/**
 * Bought less sold in the `length` ms before `end`, of steps of `step` ms; null where fewer than 95 % of them are there.
 * Example: 5 bought and 3 sold, then 1 and 4: -1 over the two steps.
 */
export function netflowOf(
  steps: readonly FlowStep[],
  { end, length, step }: { end: number; length: number; step: number },
): number | null {
  const own = steps.filter(({ time }) => time >= end - length && time < end);
  if (own.length < (wholeShare * length) / step) return null;
  return own.reduce((sum, { buy, sell }) => sum + buy - sell, 0);
}

/** A field for the net flow of each window. */
export const netflowFields = <T>(of: (window: RankingWindow) => T) => ({
  netflow_usd_5m: of('5m'),
  netflow_usd_15m: of('15m'),
  netflow_usd_30m: of('30m'),
  netflow_usd_1h: of('1h'),
  netflow_usd_4h: of('4h'),
  netflow_usd_12h: of('12h'),
  netflow_usd_24h: of('24h'),
});

/** `end` is the end of the newest step that any asset has. */
function itemOf(
  symbol: string,
  own: readonly FlowStep[],
  { end, step }: { end: number; step: number },
) {
  const day = own.filter(({ time }) => time >= end - rankingWindows['24h']);
  const flows = netflowFields((window) =>
    netflowOf(own, { end, length: rankingWindows[window], step }),
  );
  const volume_24h_usd = day.reduce((sum, { buy, sell }) => sum + buy + sell, 0);
  return { symbol, ...flows, volume_24h_usd };
}

/** The net flows of some assets, of steps of `step` ms; the largest of 24 hours first. */
export function netflowItems(
  symbols: readonly string[],
  all: readonly (readonly FlowStep[])[],
  step: number,
) {
  const end = Math.max(...all.map((own) => own.at(-1)?.time ?? 0)) + step;
  const items = all.flatMap((own, i) =>
    own.length === 0 ? [] : [itemOf(symbols[i] ?? '', own, { end, step })],
  );
  return ranked(items, 'desc', ({ netflow_usd_24h }) => netflow_usd_24h);
}

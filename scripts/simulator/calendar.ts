/** Where candles open and when dated futures expire. */
const day = 86_400_000;

/** Length of a candle: a fixed number of ms (aligned to `origin`), or calendar months. */
export type Bar = { ms: number; origin?: number } | { months: number; origin?: number };

/** The first Monday of Unix time: weeks open on Mondays at 00:00 UTC. */
export const monday = 4 * day;

/** Open time of the candle that holds `t`. */
export function openOf(bar: Bar, t: number): number {
  const origin = bar.origin ?? 0;
  if ('ms' in bar) return Math.floor((t - origin) / bar.ms) * bar.ms + origin;
  const date = new Date(t - origin);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const first = Math.floor(month / bar.months) * bar.months;
  return Date.UTC(Math.floor(first / 12), first % 12) + origin;
}

/** Open time of the candle after the one that opens at `open`. */
export function nextOpen(bar: Bar, open: number): number {
  if ('ms' in bar) return open + bar.ms;
  return openOf(bar, open + (bar.months * 30.5 + 10) * day);
}

/** Open times from `from` to `to`, both included: the first `limit` of them, ascending. */
export function opensFrom(bar: Bar, from: number, to: number, limit: number): number[] {
  const list: number[] = [];
  const first = openOf(bar, from);
  let t = first < from ? nextOpen(bar, first) : first;
  for (; t <= to && list.length < limit; t = nextOpen(bar, t)) list.push(t);
  return list;
}

/** Open times from `from` to `to`, both included: the last `limit` of them, ascending. */
export function opensUntil(bar: Bar, from: number, to: number, limit: number): number[] {
  const list: number[] = [];
  let t = openOf(bar, to);
  for (; t >= from && list.length < limit; t = openOf(bar, t - 1)) list.push(t);
  return list.reverse();
}

/** Expiry times of quarterly futures from 2023 on: the last Friday of each quarter, 08:00 UTC. */
export function quarters(): number[] {
  return Array.from({ length: 24 }, (_, i) => {
    const last = new Date(Date.UTC(2023, 3 * (i + 1), 0, 8));
    return last.getTime() - ((last.getUTCDay() + 2) % 7) * day;
  });
}

/** `YYMMDD` in UTC. */
export const yymmdd = (t: number): string =>
  new Date(t).toISOString().slice(2, 10).replaceAll('-', '');

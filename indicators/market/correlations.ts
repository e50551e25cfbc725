/** How the days of Bitcoin and of another asset go together. */
import { scatter } from '../digits.ts';
import { type DayClose, type DayValue, dayLength } from './days.ts';

/** Calendar days of a window, and how many pairs of returns it needs. */
export const windows = [
  { days: 30, pairs: 15 },
  { days: 90, pairs: 40 },
  { days: 365, pairs: 150 },
] as const;

/** One of `windows`. */
export type Window = (typeof windows)[number];

/** The returns of both between one common day and the next, dated by the later. */
export interface ReturnPair {
  day: number;
  bitcoin: number;
  asset: number;
}

/**
 * Returns between consecutive days that both series have: weekends and holidays drop out, and Friday to Monday is one
 * return of both. Logarithms of price ratios; the difference in points where the asset is a yield. Both ascending.
 */
export function alignedReturns(
  bitcoin: readonly DayClose[],
  asset: readonly DayValue[],
  change: 'log' | 'difference',
): ReturnPair[] {
  const values = new Map(asset.map(({ day, value }) => [day, value]));
  const pairs: ReturnPair[] = [];
  let before: { close: number; value: number } | null = null;
  for (const { day, close, provisional } of bitcoin) {
    const value = values.get(day);
    if (value === undefined || provisional) continue;
    if (before) {
      const step = change === 'log' ? Math.log(value / before.value) : value - before.value;
      pairs.push({ day, bitcoin: Math.log(close / before.close), asset: step });
    }
    before = { close, value };
  }
  return pairs;
}

/** Pearson's coefficient, -1 to 1; null where the returns of one side are all the same, but for rounding of their values. */
export function pearson(pairs: readonly ReturnPair[]): number | null {
  const count = pairs.length;
  const bitcoinMean = pairs.reduce((sum, pair) => sum + pair.bitcoin, 0) / count;
  const assetMean = pairs.reduce((sum, pair) => sum + pair.asset, 0) / count;
  let both = 0;
  let bitcoins = 0;
  let assets = 0;
  for (const pair of pairs) {
    const [x, y] = [pair.bitcoin - bitcoinMean, pair.asset - assetMean];
    both += x * y;
    bitcoins += x * x;
    assets += y * y;
  }
  const found = both / Math.sqrt(scatter(bitcoins, 1) * scatter(assets, 1));
  return Number.isFinite(found) ? Math.min(1, Math.max(-1, found)) : null;
}

/** The coefficient of the returns dated within the window's days up to `end`; null with fewer pairs than it needs. */
function correlationAt(pairs: readonly ReturnPair[], end: number, window: Window): number | null {
  const from = end - window.days * dayLength;
  const inside = pairs.filter(({ day }) => day > from && day <= end);
  return inside.length < window.pairs ? null : pearson(inside);
}

/** `weak`, `moderate` or `strong`, of either sign. */
export type Strength = `${'' | 'negative_'}${'weak' | 'moderate' | 'strong'}`;

/** The coefficients up to the newest common day; the strength is that of 90 days. */
export function correlations(pairs: readonly ReturnPair[]) {
  const end = pairs.at(-1)?.day ?? 0;
  const [month, quarter, year] = windows.map((window) => correlationAt(pairs, end, window));
  return {
    correlation_30d: month ?? null,
    correlation_90d: quarter ?? null,
    correlation_365d: year ?? null,
    strength: quarter === null || quarter === undefined ? null : strengthOf(quarter),
  };
}

/** The word for a coefficient: below 0.3 weak, below 0.6 moderate. */
export function strengthOf(coefficient: number): Strength {
  const size = Math.abs(coefficient);
  const word = size < 0.3 ? 'weak' : size < 0.6 ? 'moderate' : 'strong';
  return coefficient < 0 ? `negative_${word}` : word;
}

/** The coefficient of 90 days on every day of a return that has enough before it. */
export function correlationSeries(
  pairs: readonly ReturnPair[],
  window: Window = windows[1],
): DayValue[] {
  const found: DayValue[] = [];
  let first = 0;
  for (const [at, { day }] of pairs.entries()) {
    while ((pairs[first]?.day ?? day) <= day - window.days * dayLength) first += 1;
    if (at - first + 1 < window.pairs) continue;
    const value = pearson(pairs.slice(first, at + 1));
    if (value !== null) found.push({ day, value });
  }
  return found;
}

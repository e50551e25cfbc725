/** Open interest of several exchanges over time, side by side. Pure. Times are Unix ms and the start of a step. */
import { hour } from '../../config/time.ts';
import { sumKnown } from '../market/assets.ts';
import { stepAt } from '../market/buckets.ts';
import { changeOfParts } from '../market/recorded.ts';

/** How long the last value of an exchange stands for a missing one: the longer of 3 steps and 3 hours. */
const carriedFor = (step: number): number => Math.max(3 * step, 3 * hour);

interface Dated {
  time: number;
}

/** What some series state at one time, in their order; null for one that has no value. */
export interface Moment<Row> {
  time: number;
  rows: readonly (Row | null)[];
}

/**
 * Series with rows at starts of steps, ascending, on one grid of times from the first row to the last one. A missing row is
 * that before it for at most 3 steps or 3 hours, whichever is longer; beyond that, and before its first row, a series is
 * absent. Times without any row are left out.
 * Example: rows at 0 and 2 beside rows at 1 and 2 (step 1) give [0, none], [0, 1], [2, 2].
 */
export function aligned<Row extends Dated>(
  series: readonly (readonly Row[])[],
  step: number,
): Moment<Row>[] {
  const first = Math.min(...series.map((rows) => rows[0]?.time ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...series.map((rows) => rows.at(-1)?.time ?? 0));
  const next = series.map(() => 0);
  const found: Moment<Row>[] = [];
  for (let time = first; time <= last; time += step) {
    const rows = series.map((own, i) => {
      let at = next[i] ?? 0;
      while ((own[at]?.time ?? Number.POSITIVE_INFINITY) <= time) at += 1;
      next[i] = at;
      const row = own[at - 1];
      return row && time - row.time <= carriedFor(step) ? row : null;
    });
    if (rows.some((row) => row !== null)) found.push({ time, rows });
  }
  return found;
}

/** Open interest at a time: US dollars, and base units where they are known. */
export interface Interest extends Dated {
  usd: number;
  base: number | null;
}

/** The open interest of the contracts of one margin on an exchange. */
export interface InterestSeries {
  exchange: string;
  margin: 'stable' | 'coin';
  /** Ascending. */
  rows: readonly Interest[];
}

/**
 * Change of a total since the one before: in US dollars, null where one of the two has a series that the other lacks; in percent
 * over the series that both have. Example: [110, 50] after [100, null] is 10 %, and no change in dollars.
 */
export function interestChange(
  { parts, usd }: Pick<InterestTotal, 'parts' | 'usd'>,
  before: Pick<InterestTotal, 'parts' | 'usd'> | undefined,
): { usd: number | null; percent: number | null } {
  if (before === undefined) return { usd: null, percent: null };
  const isSame = parts.every((part, i) => (part === null) === (before.parts[i] === null));
  return {
    usd: isSame ? usd - before.usd : null,
    percent: changeOfParts(parts, before.parts),
  };
}

/** The exchanges of some series that have no value at a time. */
export const missingAt = (
  series: readonly Pick<InterestSeries, 'exchange' | 'rows'>[],
  { exchanges }: Pick<InterestTotal, 'exchanges'>,
): string[] => [
  ...new Set(
    series.flatMap(({ exchange, rows }) =>
      rows.length > 0 && exchanges[exchange] === undefined ? [exchange] : [],
    ),
  ),
];

/** The totals of some series of steps of `step` ms, as `aligned` puts them side by side. */
export const interestTotals = (series: readonly InterestSeries[], step: number) =>
  aligned(
    series.map(({ rows }) => rows),
    step,
  ).map(({ time, rows }) => totalOf(series, time, rows));

/** The sums of all exchanges that have a value at a time: null where none of a margin is known, `base` where one in the sum has none. */
function totalOf(series: readonly InterestSeries[], time: number, rows: Moment<Interest>['rows']) {
  const exchanges: Record<string, number> = {};
  const byMargin = { stable: [] as number[], coin: [] as number[] };
  let base: number | null = 0;
  let carried = 0;
  for (const [i, { exchange, margin }] of series.entries()) {
    const row = rows[i] ?? null;
    if (row === null) continue;
    exchanges[exchange] = (exchanges[exchange] ?? 0) + row.usd;
    byMargin[margin].push(row.usd);
    base = base === null || row.base === null ? null : base + row.base;
    if (row.time !== time) carried += 1;
  }
  const [stable, coin] = [sumKnown(byMargin.stable), sumKnown(byMargin.coin)];
  const parts = rows.map((row) => row?.usd ?? null);
  const usd = (stable ?? 0) + (coin ?? 0);
  return { time, exchanges, usd, base, stable, coin, carried, parts };
}
type InterestTotal = ReturnType<typeof totalOf>;

/** The newest `limit` totals of some series of steps of `step` ms. */
export function interestPoints(
  series: readonly InterestSeries[],
  { step, limit }: { step: number; limit: number },
) {
  const totals = interestTotals(series, step).slice(-limit);
  return totals.map((total, i) => {
    const change = interestChange(total, totals[i - 1]);
    const missing = missingAt(series, total);
    return {
      ...total,
      change_usd: change.usd,
      change_percent: change.percent,
      exchange_count: Object.keys(total.exchanges).length,
      ...(missing.length > 0 && { missing_exchanges: missing }),
    };
  });
}

/**
 * Bars of `length` ms out of samples of steps of `step` ms, each the value at the end of its step: a bar opens with the sample
 * before its first one. Its sums are of the series that have a value in all of these samples, so that one that comes or goes is
 * no move; a bar without its opening sample, or without such a series, is left out.
 * Example: samples 10, 12, 9, 11 at 0, 1, 2, 3 in bars of 2: of the one at 2 open 12, high 12, low 9, close 11.
 */
export function interestBars(
  series: readonly InterestSeries[],
  { step, length }: { step: number; length: number },
) {
  const moments = aligned(
    series.map(({ rows }) => rows),
    step,
  );
  const bars: NonNullable<ReturnType<typeof barOf>>[] = [];
  let begin = 0;
  for (const [at, { time }] of moments.entries()) {
    const start = stepAt(time, length);
    const following = moments[at + 1];
    if (following && stepAt(following.time, length) === start) continue;
    const opening = moments[begin - 1];
    if (opening?.time === start - step) {
      const bar = barOf(series, start, moments.slice(begin - 1, at + 1));
      if (bar) bars.push(bar);
    }
    begin = at + 1;
  }
  return bars;
}

/** The bar of the opening sample and those of its interval; null where no series has a value in all of them. */
function barOf(
  series: readonly InterestSeries[],
  time: number,
  moments: readonly Moment<Interest>[],
) {
  const known = series.flatMap(({ exchange }, i) =>
    moments.every(({ rows }) => (rows[i]?.usd ?? 0) > 0) ? [{ exchange, i }] : [],
  );
  if (known.length === 0) return null;
  const sums = moments.map(({ rows }) =>
    known.reduce((sum, { i }) => sum + (rows[i]?.usd ?? 0), 0),
  );
  return {
    time,
    open: sums[0] ?? 0,
    high: Math.max(...sums),
    low: Math.min(...sums),
    close: sums.at(-1) ?? 0,
    samples: moments.length - 1,
    exchanges: [...new Set(known.map(({ exchange }) => exchange))],
  };
}

/** What is asked of a series, and from stored rows to the answer about one key. */

import { minute } from '../../config/time.ts';
import { combineRows, stepAt } from '../../indicators/market/buckets.ts';
import { covered } from '../../indicators/market/recorded.ts';
import type { Coverage, RecordedParams, RecordedRows } from '../topics/index.ts';
import type { Series, TierMs } from './define.ts';
import type { Stored } from './store.ts';

type Column = readonly (number | null)[];

/** A tier, and the steps from the first to the last. */
export interface Plan {
  series: Series;
  tier: TierMs;
  step: number;
  from: number;
  to: number;
  now: number;
}

/** The plan of a question at a time, Unix ms. */
export function planOf(
  series: Series,
  { tier, step }: { tier: TierMs; step: number },
  { from, to, limit }: RecordedParams,
  now: number,
): Plan {
  const last = stepAt(Math.min(to ?? now, now), step);
  const span = Math.max(step, series.spacing?.(null) ?? step);
  const first = from === undefined ? last - (limit - 1) * span : Math.ceil(from / step) * step;
  return { series, tier, step, now, from: Math.max(0, first), to: last };
}

/** Whether no row that an upstream may have is missing: at the beginning, or more than the newest two steps. */
export function isWhole({ series, from, to, step }: Plan, stored: Stored | undefined): boolean {
  if (!stored) return false;
  const space = Math.max(step, series.spacing?.(null) ?? step);
  const expected = Math.floor((to - from) / space) - 1;
  return stored.times.length >= 0.95 * expected;
}

/** The columns of rows of `step` ms, null where minutes of a row are missing: the sum of a part must not pass for that of the step. */
export function knownIn(
  { columns, wholeBy }: Series,
  step: number,
  values: readonly Column[],
): readonly Column[] {
  const minutes = values[columns.findIndex(({ name }) => name === wholeBy)];
  if (minutes === undefined) return values;
  const isWhole = minutes.map((count) => (count ?? 0) * minute >= step);
  return values.map((column) =>
    column === minutes ? column : column.map((value, row) => (isWhole[row] ? value : null)),
  );
}

/** The answer about one key. */
export function rowsOf(
  plan: Plan,
  key: string,
  stored: Stored | undefined,
  { limit }: RecordedParams,
): Omit<RecordedRows, 'recorded_from'> {
  const { series, step, tier } = plan;
  const how = series.columns.map(({ combine }) => combine);
  const empty: Stored = { times: [], columns: how.map(() => []), backfilled: [] };
  const own = stored ?? empty;
  const { times, columns: values } = step === tier.step ? own : combineRows(own, step, how);
  const columns = knownIn(series, step, values).map(
    (column, at) => [series.columns[at]?.name ?? '', column.slice(-limit)] as const,
  );
  const newest = times.slice(-limit);
  return {
    key,
    times: newest,
    columns: Object.fromEntries(columns),
    coverage: coverageOf(plan, newest, { own, limit, columns: Object.fromEntries(columns) }),
  };
}

/** See `Coverage`. */
function coverageOf(
  { series, step, to, from, now }: Plan,
  times: readonly number[],
  { own, limit, columns }: { own: Stored; limit: number; columns: RecordedRows['columns'] },
): Coverage {
  const last = Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, values.at(-1) ?? null]),
  );
  const space = Math.max(step, series.spacing?.(last) ?? step);
  // The step that still runs is expected once it has a row.
  const open = to + step > now && times.at(-1) !== to ? 1 : 0;
  const steps = Math.floor((to - from) / space) + 1 - open;
  const expected = Math.max(0, Math.min(limit, steps));
  const first = times[0] ?? Number.POSITIVE_INFINITY;
  const backfilled = own.times.some((time, at) => time >= first && own.backfilled[at] === true);
  const present = times.length;
  // Where rows come closer together than they may, the newest ones begin later than what was asked for.
  const since = present === limit ? (times[0] ?? from) : from;
  return covered({ from: since, to, expected, present }, backfilled);
}

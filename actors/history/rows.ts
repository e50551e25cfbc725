/** From rows with names to the lists of a write, and from stored rows of one step to those of a longer one. */
import { combineRows, stepAt } from '../../indicators/market/buckets.ts';
import type { AnyRow, Series } from './define.ts';
import type { Mode, Rows, Stored, Write } from './store.ts';

/** Rows that are made and written at a stretch: some milliseconds. */
const atOnce = 1_000;

/** The items in groups of a given size; a caller that does long work lets other work run between them. */
export function* partsOf<T>(items: Iterable<T>): Generator<T[]> {
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < atOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Rows of one tier as a write. A later row replaces an earlier one of the same key and time. */
export function writeOf(
  series: Series,
  rows: readonly (AnyRow & { time: number })[],
  how: { step: number; mode: Mode; backfilled: boolean },
): Write {
  const unique = new Map(rows.map((row) => [`${row.key} ${row.time}`, row]));
  const all = [...unique.values()].filter(({ values }) =>
    series.columns.some(({ name }) => Number.isFinite(values[name])),
  );
  const columns = series.columns.map(({ name }) =>
    all.map(({ values }) => {
      const value = values[name];
      return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
    }),
  );
  return {
    ...how,
    series,
    rows: { keys: all.map(({ key }) => key), times: all.map(({ time }) => time), columns },
  };
}

/** The rows of each key combined to a longer step. */
export function combineStored(series: Series, stored: Stored, step: number): Stored {
  const how = series.columns.map(({ combine }) => combine);
  const { times, values } = combineRows({ times: stored.times, values: stored.columns }, step, how);
  const live = new Set<number>();
  for (const [at, time] of stored.times.entries()) {
    if (!stored.backfilled[at]) live.add(stepAt(time, step));
  }
  return { times, columns: values, backfilled: times.map((time) => !live.has(time)) };
}

/** Stored rows as writes: those that were back-filled in one, the others in another. None for no rows. */
export function writesOfStored(
  series: Series,
  found: ReadonlyMap<string, Stored>,
  { step, mode }: { step: number; mode: Mode },
): Write[] {
  return [true, false].flatMap((backfilled): Write[] => {
    const part = [...found].map(([key, stored]): [string, Stored] => {
      const at = stored.times.flatMap((_, i) => (stored.backfilled[i] === backfilled ? [i] : []));
      return [key, picked(stored, at)];
    });
    const rows = rowsOf(new Map(part), series.columns.length);
    return rows.keys.length === 0 ? [] : [{ series, step, mode, backfilled, rows }];
  });
}

/** Stored rows of several keys as the lists of a write. */
function rowsOf(found: ReadonlyMap<string, Stored>, columns: number): Rows {
  const keys: string[] = [];
  const times: number[] = [];
  const values: number[][] = Array.from({ length: columns }, () => []);
  for (const [key, stored] of found) {
    for (const [at, time] of stored.times.entries()) {
      keys.push(key);
      times.push(time);
      for (const [column, list] of values.entries()) {
        list.push(stored.columns[column]?.[at] ?? Number.NaN);
      }
    }
  }
  return { keys, times, columns: values };
}

/** The rows at some places. */
export const picked = (
  { times, columns, backfilled }: Stored,
  places: readonly number[],
): Stored => ({
  times: places.map((at) => times[at] ?? 0),
  columns: columns.map((column) => places.map((at) => column[at] ?? null)),
  backfilled: places.map((at) => backfilled[at] ?? false),
});

/** The rows of two lists of one key, by time; where both have one, the newer one counts. May use up both. */
export function merged(older: Stored | undefined, newer: Stored): Stored {
  if (!older) return newer;
  const first = newer.times[0] ?? Number.POSITIVE_INFINITY;
  const isApart = (older.times.at(-1) ?? 0) < first;
  const replaced = new Set(isApart ? [] : newer.times);
  const places = older.times.flatMap((time, at) => (isApart || replaced.has(time) ? [] : [at]));
  // A year of minutes is not copied for the sake of a day.
  const all = isApart ? older : picked(older, places);
  const isSorted = (all.times.at(-1) ?? 0) < first;
  for (const time of newer.times) all.times.push(time);
  for (const mark of newer.backfilled) all.backfilled.push(mark);
  for (const [at, column] of newer.columns.entries())
    for (const value of column) all.columns[at]?.push(value);
  if (isSorted) return all;
  const order = [...all.times.keys()].sort((a, b) => (all.times[a] ?? 0) - (all.times[b] ?? 0));
  return picked(all, order);
}

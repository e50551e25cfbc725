/** Rows as writes, and stored rows of one step as those of a longer one. */
import { combineRows, stepAt } from '../../indicators/market/buckets.ts';
import type { Row, Series } from './define.ts';
import type { Range, Stored, Write, WrittenRow } from './store.ts';

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

/** Rows of one tier as a write. Of rows of the same key and time the last one counts; one without any value is left out. */
export function writeOf(
  series: Series,
  rows: readonly Row[],
  how: Pick<Write, 'step' | 'mode'>,
): Write {
  const unique = new Map<string, WrittenRow>();
  for (const { key, time, values, backfilled = false } of rows) {
    const cells = series.columns.map(({ name }) => {
      const value = values[name] ?? Number.NaN;
      return Number.isFinite(value) ? value : Number.NaN;
    });
    if (!cells.every(Number.isNaN)) unique.set(`${key} ${time}`, { key, time, cells, backfilled });
  }
  return { ...how, series, rows: [...unique.values()] };
}

/** The keys of rows, each once, and the time from the first to the last of them. */
export function placesOf(rows: readonly Pick<Row, 'key' | 'time'>[]): {
  keys: string[];
  range: Range;
} {
  const times = rows.map(({ time }) => time);
  const keys = [...new Set(rows.map(({ key }) => key))];
  return { keys, range: { from: Math.min(...times), to: Math.max(...times) } };
}

/** The rows of each key combined to a longer step. */
export function combineStored(series: Series, stored: Stored, step: number): Stored {
  const how = series.columns.map(({ combine }) => combine);
  const combined = combineRows(stored, step, how);
  const live = new Set<number>();
  for (const [at, time] of stored.times.entries()) {
    if (!stored.backfilled[at]) live.add(stepAt(time, step));
  }
  return { ...combined, backfilled: combined.times.map((time) => !live.has(time)) };
}

/** Stored rows, by their keys, as rows to be written. */
export function* rowsIn(found: Iterable<readonly [string, Stored]>): Generator<WrittenRow> {
  for (const [key, { times, columns, backfilled }] of found) {
    for (const [at, time] of times.entries()) {
      const cells = columns.map((column) => column[at] ?? Number.NaN);
      yield { key, time, cells, backfilled: backfilled[at] === true };
    }
  }
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

const joined = (first: Stored, second: Stored): Stored => ({
  times: first.times.concat(second.times),
  columns: first.columns.map((column, at) => column.concat(second.columns[at] ?? [])),
  backfilled: first.backfilled.concat(second.backfilled),
});

/** The rows of two lists of one key, by time; where both have one, the newer one counts. */
export function merged(older: Stored, newer: Stored): Stored {
  const isApart = (older.times.at(-1) ?? 0) < (newer.times[0] ?? Number.POSITIVE_INFINITY);
  if (isApart) return joined(older, newer);
  const replaced = new Set(newer.times);
  const kept = older.times.flatMap((time, at) => (replaced.has(time) ? [] : [at]));
  const { times, ...values } = joined(picked(older, kept), newer);
  const order = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  return picked({ times, ...values }, order);
}

/** Rows of zeros of a series at the times of others. */
export function zerosAt({ columns }: Series, others: Iterable<Stored>): Stored {
  const times = [...new Set([...others].flatMap((one) => one.times))].sort((a, b) => a - b);
  const zeros = () => times.map(() => 0);
  return { times, columns: columns.map(zeros), backfilled: times.map(() => false) };
}

/** What recorded values state of an asset: changes and sums over keys of which some may be missing. Pure. */
import { less } from '../digits.ts';
import { changePct } from './statistics.ts';

type Value = number | null | undefined;

/** Columns of one key, by name: each value belongs to the time at the same place, Unix ms. */
export interface RecordedColumns {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/**
 * The rows in which the columns of `known` have values, with further columns that may have none; each column by the name that its
 * field gets. Example: { rate: 'rate' } of times [1, 2] and rates [5, null] is [{ time: 1, rate: 5 }].
 */
export function rowsIn<K extends string, M extends string = never>(
  row: RecordedColumns | undefined,
  known: Readonly<Record<K, string>>,
  further?: Readonly<Record<M, string>>,
) {
  const all = Object.entries<string>({ ...known, ...further });
  const fieldsAt = (i: number) =>
    all.map(([name, column]) => [name, row?.columns[column]?.[i] ?? null] as const);
  const rows = (row?.times ?? []).flatMap((time, i) => {
    const fields = fieldsAt(i);
    const isKnown = fields.every(([name, value]) => value !== null || !(name in known));
    return isKnown ? [{ ...Object.fromEntries(fields), time }] : [];
  });
  // What is made of these names has them.
  return rows as ({ time: number } & Record<K, number> & Record<M, number | null>)[];
}

/** The values of one column by their time. */
export const valuesAt = (row: RecordedColumns | undefined, column: string) =>
  new Map(rowsIn(row, { value: column }).map(({ time, value }) => [time, value]));

/** Share of a sum that must be known at both times, and of the rows of a window. */
const share = { sum: 0.5, rows: 0.95 } as const;

/**
 * Change of a sum of parts, percent: of those that are known at both times, so that a part that was not recorded yet is
 * no change. Null where they are less than half of the sum of now. Example: [110, 50] after [100, null] is 10.
 */
export function changeOfParts(now: readonly Value[], then: readonly Value[]): number | null {
  const sums = { all: 0, now: 0, before: 0 };
  for (const [i, value] of now.entries()) {
    const before = then[i];
    sums.all += value ?? 0;
    if (typeof value !== 'number' || typeof before !== 'number') continue;
    sums.now += value;
    sums.before += before;
  }
  return less(sums.now, share.sum * sums.all) < 0 ? null : changePct(sums.before, sums.now);
}

/** How much of a record is there: complete from 95 % of the expected rows on. */
export const covered = <R extends { expected: number; present: number }>(
  record: R,
  backfilled = false,
) => ({ ...record, complete: record.present >= share.rows * record.expected, backfilled });

/** The sum of the values of a window; null where fewer than 95 % of them are known. */
export function sumOfWindow(values: readonly Value[]): number | null {
  const known = values.filter((value) => typeof value === 'number');
  return known.length < share.rows * values.length || known.length === 0
    ? null
    : known.reduce((sum, value) => sum + value, 0);
}

/** The values of several exchanges by time, ascending: each time has those that are known then. */
export function byTime(
  all: readonly { exchange: string; rows: readonly { time: number; value: number }[] }[],
) {
  const found = new Map<number, Record<string, number>>();
  for (const { exchange, rows } of all) {
    for (const { time, value } of rows) {
      const exchanges = found.get(time) ?? {};
      found.set(time, exchanges);
      exchanges[exchange] = value;
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([timestamp, exchanges]) => ({ timestamp, exchanges }));
}

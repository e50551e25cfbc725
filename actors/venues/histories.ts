/** Shared by the histories of several exchanges: rows of lists, and of two series that belong together. Pure. */
import { minute } from '../../config/time.ts';
import { asRow, isRow, list, required, type WireRow } from '../read.ts';
import type { Interval } from '../topics/index.ts';

/** How long a series of steps is fresh, ms. */
export const seriesLife = minute;

/** The rows of a list; none where an optional answer is missing. */
export function rowsIn(rows: unknown, what: string): readonly WireRow[] {
  if (rows === undefined) return [];
  const values = list(rows, what);
  return values.every(isRow) ? values : values.map(asRow);
}

/**
 * Finds the row of a time in another series, where it has one; `timeOf` gives what stands in its rows. Two series of one
 * market have the same times in the same order as a rule, so the row after the one found last is tried first, as it is
 * written; only where that fails are the times read as numbers.
 */
export function byTime<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => unknown,
): (time: unknown) => Row | undefined {
  let next = 0;
  let known: ReadonlyMap<number, number> | undefined;
  return (time) => {
    const row = rows[next];
    if (row === undefined || timeOf(row) !== time) {
      known ??= new Map(rows.map((each, i) => [required(timeOf(each)), i]));
      next = known.get(required(time)) ?? rows.length;
    }
    return rows[next++];
  };
}

/** An exchange's word for an interval, or '' where it has none. */
export const wordOf = (
  words: Readonly<Partial<Record<Interval, string>>>,
  interval: Interval,
): string => words[interval] ?? '';

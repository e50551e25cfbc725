/** Rows of periods that are in files already: what they change, and the stored rows that they meet. */
import type { Row, Series } from './define.ts';
import { rowsIn } from './rows.ts';
import { cellsOf, given, type Mode, type Stored, type Write } from './store.ts';

/** A write with its rows in closed periods alone; none without any. */
export function lateRows(write: Write, isClosed: (time: number) => boolean): Write[] {
  const known = new Map<number, boolean>();
  const rows = write.rows.filter(({ time }) => {
    const isLate = known.get(time) ?? isClosed(time);
    known.set(time, isLate);
    return isLate;
  });
  return rows.length === 0 ? [] : [{ ...write, rows }];
}

/** Whether a value changes a stored one; null for one that is not known. */
function changes(mode: Mode, before: number | null, value: number | null): boolean {
  if (value === null) return false;
  if (before === null || mode === 'add') return true;
  return mode === 'put' && value !== before;
}

function isChange(series: Series, mode: Mode, { row, stored }: Record<'row' | 'stored', Row>) {
  if (mode === 'put' && !row.backfilled && stored.backfilled) return true;
  const cells = cellsOf(series, row);
  return series.columns.some(({ name, digits }, at) =>
    changes(mode, stored.values[name] ?? null, given(cells[at] ?? null, digits)),
  );
}

const idOf = ({ key, time }: Row): string => `${key} ${time}`;

/**
 * The late rows that change nothing, and the stored rows that the others meet, which must be written first: an exchange is asked for the
 * same two days again and again.
 */
export function compared({ series, mode, rows }: Write, found: ReadonlyMap<string, Stored>) {
  const known = new Map([...rowsIn(series, found)].map((row) => [idOf(row), row]));
  const [idle, met]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    const stored = known.get(idOf(row));
    if (stored === undefined) continue;
    if (isChange(series, mode, { row, stored })) met.push(stored);
    else idle.push(row);
  }
  return { idle, met };
}

/** A write without some of its rows. */
export const without = (write: Write, rows: ReadonlySet<Row>): Write => ({
  ...write,
  rows: write.rows.filter((row) => !rows.has(row)),
});

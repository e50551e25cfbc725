/** Rows of periods that are in files already: what they change, and the stored rows that they meet. */
import type { Series } from './define.ts';
import type { Wanted } from './files.ts';
import { placesOf, rowsIn } from './rows.ts';
import {
  given,
  type Mode,
  type Range,
  type Stored,
  storedCells,
  type Write,
  type WrittenRow,
} from './store.ts';

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

function isChange(
  series: Series,
  mode: Mode,
  { row, stored }: Record<'row' | 'stored', WrittenRow>,
): boolean {
  if (mode === 'put' && !row.backfilled && stored.backfilled) return true;
  const cells = storedCells(series, row);
  return series.columns.some(({ digits }, at) =>
    changes(mode, given(stored.cells[at] ?? null, digits), given(cells[at] ?? null, digits)),
  );
}

const idOf = ({ key, time }: WrittenRow): string => `${key} ${time}`;

/** The late rows of a write that change nothing, and the stored rows that the others meet. */
function compared({ series, mode, rows }: Write, found: ReadonlyMap<string, Stored>) {
  const known = new Map([...rowsIn(found)].map((row) => [idOf(row), row]));
  const [idle, met]: [WrittenRow[], WrittenRow[]] = [[], []];
  for (const row of rows) {
    const stored = known.get(idOf(row));
    if (stored === undefined) continue;
    if (isChange(series, mode, { row, stored })) met.push(stored);
    else idle.push(row);
  }
  return { idle, met };
}

/**
 * The writes without the late rows that change nothing, and writes of the stored rows that the others meet, which come first:
 * an exchange is asked for the same two days again and again.
 */
export async function settled(
  writes: readonly Write[],
  late: readonly Write[],
  read: (
    series: Series,
    step: number,
    range: Range,
    wanted: Wanted,
  ) => Promise<ReadonlyMap<string, Stored>>,
): Promise<{ writes: Write[]; before: Write[] }> {
  const before: Write[] = [];
  const idle = new Set<WrittenRow>();
  for (const one of late) {
    const { keys, range } = placesOf(one.rows);
    const found = compared(one, await read(one.series, one.step, range, { keys }));
    before.push({ ...one, mode: 'fill', rows: found.met });
    for (const row of found.idle) idle.add(row);
  }
  const changing = ({ rows, ...how }: Write) => ({
    ...how,
    rows: rows.filter((row) => !idle.has(row)),
  });
  return { writes: writes.map(changing), before };
}

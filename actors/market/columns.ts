/** Lists of rows as the columns of a stored series, and back. */
import { asRow, type WireRow } from '../read.ts';
import type { Series } from '../topics/market-indicators.ts';

const cell = (value: unknown): number | string | null => {
  if (value === true) return 1;
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** The rows of a stored series. */
export function rowsOf({ columns }: Pick<Series, 'columns'>): WireRow[] {
  const entries = Object.entries(columns);
  const length = Math.max(0, ...entries.map(([, values]) => values.length));
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(entries.map(([name, values]) => [name, values[at] ?? null])),
  );
}

/** Rows as the columns of a series; cells of other types become null. */
export function columnsOf(rows: readonly object[], names: readonly string[]): Series['columns'] {
  const read = rows.map(asRow);
  return Object.fromEntries(names.map((name) => [name, read.map((row) => cell(row[name]))]));
}

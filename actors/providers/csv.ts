/** Tables as comma separated text without quoted cells, as FRED publishes them. */
import { ShapeError } from '../failure.ts';
import type { WireRow } from '../read.ts';

/**
 * The rows of a table as objects by column name. ShapeError when the value is not text (a page of HTML included),
 * when a wanted column is missing or when there is no row.
 */
export function tableOf(body: unknown, wanted: readonly string[]): WireRow[] {
  if (typeof body !== 'string') throw new ShapeError('table: not a text');
  const [head = '', ...lines] = body.trim().split(/\r?\n/);
  const columns = head.split(',');
  for (const name of wanted) {
    if (!columns.includes(name)) throw new ShapeError(`table: no column ${name}`);
  }
  if (lines.length === 0) throw new ShapeError('table: no rows');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  });
}

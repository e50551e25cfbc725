/** Helpers of the polls of jobs: reading rows one by one. */
import { ShapeError } from '../../failure.ts';
import { asRow, isRow, type WireRow } from '../../read.ts';
import type { Parsed } from '../define.ts';

export type { Poll, PollContext, PollPlan } from '../define.ts';

/** The value as a row to read, or ShapeError. */
export function record(value: unknown, what: string): WireRow {
  if (!isRow(value)) throw new ShapeError(`${what}: not an object`);
  return value;
}

/** `left_out` for a row that the upstream itself marks as empty, which is not a fault. */
export type Reading<Row> = Row | null | 'left_out';

/** Reads rows one by one; null drops the row under the name that `key` gives it. */
export function readRows<Row extends object>(
  values: readonly unknown[],
  key: (row: WireRow) => string,
  read: (row: WireRow) => Reading<Row>,
): Parsed<Row> {
  const parsed: Parsed<Row> = { rows: [], dropped: [] };
  for (const value of values) {
    const row = asRow(value);
    const found = read(row);
    if (found === 'left_out') continue;
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key: key(row), code: 'bad_row' });
  }
  return parsed;
}

/** The one row of a body that is about one thing, or ShapeError when it is unreadable. */
export function singleRow<Row>(row: Row | null, what: string): Parsed<Row> {
  if (row === null) throw new ShapeError(`${what}: unreadable`);
  return { rows: [row], dropped: [] };
}

/** Several readings as one. */
export function joined<Row>(parts: readonly Parsed<Row>[]): Parsed<Row> {
  return { rows: parts.flatMap((p) => p.rows), dropped: parts.flatMap((p) => p.dropped) };
}

/** Requests per minute. */
export const perMinute = (weight: number) => ({ default: { weight, per: 60_000 } });

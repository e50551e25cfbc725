/** Whether the rows of a body can be used as a whole. User: who is served the last good list in place of one that is half unreadable. */
import { failed, type Result, success } from '../../failure.ts';
import type { Parsed } from '../define.ts';

/** A body of which more than this share of the rows is bad is rejected whole. */
export const maxDroppedShare = 0.2;

/** The result of `parse`; a failure where it throws or too many rows are unreadable. */
export function validRows<Row>(parse: () => Parsed<Row>): Result<Parsed<Row>> {
  try {
    const parsed = parse();
    const bad = parsed.dropped.filter((drop) => drop.code === 'bad_row').length;
    const all = parsed.rows.length + bad;
    if (bad > maxDroppedShare * all) return failed('shape', `${bad} of ${all} rows are unreadable`);
    return success(parsed);
  } catch (error) {
    return failed('shape', error instanceof Error ? error.message : 'unreadable body');
  }
}

/**
 * The same with one row a market: pages and lists overlap while an exchange changes them. The first row of a market stays, each
 * further one is dropped as `duplicate`.
 */
export function usableRows<Row extends { market: string }>(
  parse: () => Parsed<Row>,
): Result<Parsed<Row>> {
  const parsed = validRows(parse);
  if (!parsed.ok) return parsed;
  const rows = new Map<string, Row>();
  const dropped = [...parsed.value.dropped];
  for (const row of parsed.value.rows) {
    if (rows.has(row.market)) dropped.push({ key: row.market, code: 'duplicate' });
    else rows.set(row.market, row);
  }
  return success({ ...parsed.value, rows: [...rows.values()], dropped });
}

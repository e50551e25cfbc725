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

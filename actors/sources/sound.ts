/** Whether the rows that a parser found can be used as a whole. */
import { failed, type Result } from '../failure.ts';
import type { Parsed } from '../venues/venue.ts';

/** A body of which more than this share is unreadable is rejected whole. */
const maxDroppedShare = 0.2;

/** What `parse` finds; a failure where it throws or too much of it is unreadable. */
export function soundRows<Row>(parse: () => Parsed<Row>): Result<Parsed<Row>> {
  try {
    const parsed = parse();
    const bad = parsed.dropped.filter((drop) => drop.code === 'bad_row').length;
    const all = parsed.rows.length + bad;
    if (bad > maxDroppedShare * all) return failed('shape', `${bad} of ${all} rows are unreadable`);
    return { ok: true, value: parsed };
  } catch (error) {
    return failed('shape', error instanceof Error ? error.message : 'unreadable body');
  }
}

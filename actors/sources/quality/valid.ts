/** Whether the rows that a parser found can be used as a whole. */
import { failed, type Result, success } from '../../failure.ts';
import { maxDroppedShare, type Parsed } from '../define.ts';
import { type Checked, withChecked } from './stated.ts';

/** The result of `parse`; a failure where it throws or too many rows are unreadable. */
export function validRows<Row>(parse: () => Parsed<Row>): Result<Parsed<Row>> {
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

/**
 * A poll with one row a market: pages and lists overlap while an exchange changes them. The first row of a market
 * stays, each further one is dropped as `duplicate`.
 */
function withoutDuplicates<Row extends { market: string }>(parsed: Parsed<Row>): Parsed<Row> {
  const { rows, dropped } = parsed;
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(row.market)) first.set(row.market, row);
  if (first.size === rows.length) return parsed;
  const further = rows
    .filter((row) => first.get(row.market) !== row)
    .map(({ market }) => ({ key: market, code: 'duplicate' as const }));
  return { ...parsed, rows: [...first.values()], dropped: [...dropped, ...further] };
}

/**
 * The rows of a topic as they leave its parser: one a market, and without what cannot be true beside the rest of the row. A
 * failure where too many are unreadable.
 */
export function usableRows<Row extends Checked>(
  parse: () => Parsed<Row>,
  received: number,
): Result<Parsed<Row>> {
  const parsed = validRows(parse);
  return parsed.ok ? success(withChecked(withoutDuplicates(parsed.value), received)) : parsed;
}

/** Whether a list that is well formed can be true. */
import { hour } from '../../config/time.ts';

/** The last good list. */
export interface Known<Row> {
  rows: readonly Row[];
  /** Unix ms. */
  received: number;
}

/** How long a list is compared with the last good one, ms: a change that lasts longer is real. */
export const doubtFor = hour;
/** Neither the number of rows nor the sum changes by more than this within the hour. */
const leastShare = 0.5;
const mostFactor = 10;

/**
 * Why `rows` cannot be true, or null: a list of these figures is never empty, and within an hour of the last good one
 * it keeps half of its rows and its sum (`weight` of a row, US dollars) stays within a factor of ten.
 */
export function doubtIn<Row>(
  rows: readonly Row[],
  known: Known<Row> | undefined,
  { weight, now }: { weight(row: Row): number; now: number },
): string | null {
  if (rows.length === 0) return 'no rows';
  if (known === undefined || now - known.received > doubtFor) return null;
  const before = known.rows.length;
  if (rows.length < leastShare * before) return `${rows.length} rows where ${before} were known`;
  const sum = (all: readonly Row[]) => all.reduce((total, row) => total + weight(row), 0);
  const [is, was] = [sum(rows), sum(known.rows)];
  const off = Math.max(is / was, was / is);
  return off > mostFactor ? `the sum is off by a factor of ${off.toFixed(0)}` : null;
}

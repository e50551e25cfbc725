/** The parameters that a row takes besides its own. */
import { formatParams } from './format.ts';
import { freshnessParams } from './freshness.ts';
import type { Params, Route } from './route.ts';

/** The properties of a row that decide its parameters. */
export type CheckedRow = Pick<Route, 'path' | 'params'> &
  Partial<Pick<Route, 'past' | 'explainAsked'>> &
  Parameters<typeof freshnessParams>[0] &
  Parameters<typeof formatParams>[0];

/** All parameters of a row. */
export const paramsOf = (row: CheckedRow): Params => ({
  ...row.params,
  ...freshnessParams(row),
  ...formatParams(row),
});

import { type Table, tableFor } from '../answers/csv.ts';
import type { Route } from './route.ts';

/** Writes the answers of a row of the route table as CSV; null where they are not lists of rows. */
export function tableOf({
  method,
  from,
  answer,
  list,
  bare,
}: Pick<Route, 'method' | 'from' | 'answer' | 'list' | 'bare'>): Table | null {
  const isRead = method === 'GET' && !bare && ('view' in from || 'query' in from);
  return isRead && answer !== null ? tableFor({ ...answer }, [list ?? []].flat()) : null;
}

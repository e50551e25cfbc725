import { type Table, tableFor } from '../answers/csv.ts';
import type { Route } from './route.ts';

/** The properties of a row that decide whether its answers are tables. */
export type TabledRow = Partial<
  Pick<Route, 'method' | 'from' | 'answer' | 'list' | 'noEnvelope' | 'free'>
>;

/** Writes the answers of a row of the route table as CSV; null where they are not lists of rows, or about the service itself. */
export function tableOf({ method, from, answer, list, noEnvelope, free }: TabledRow): Table | null {
  if (method !== 'GET' || from === undefined || !answer || noEnvelope || free) return null;
  return 'view' in from || 'query' in from ? tableFor({ ...answer }, [list ?? []].flat()) : null;
}

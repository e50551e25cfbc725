/** The factories of rows, the types of routes, and what columns, subjects and answers are made of. */
export {
  type Call,
  type CheckedValues,
  type Done,
  type Param,
  type Params,
  type Route,
  route,
  type Schema,
  type Values,
} from '../../endpoints/route.ts';
export type { ApiError } from '../../wire/errors.ts';
export type { CandleIntervals, Needs, Registry, RoutesContext } from '../context.ts';
export * from './columns.ts';
export * from './document.ts';
export * from './history.ts';
export * from './kinds.ts';
export * from './market-subject.ts';
export * from './past.ts';
export * from './recorded-subject.ts';
export * from './single.ts';
export * from './symbol-list.ts';
export * from './table.ts';

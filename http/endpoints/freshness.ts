/** How old an answer may be, and how long to wait for the next one: parameters of every row with market data. */

import type { Snapshot } from '../answers/snapshots.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import type { Param, Params, Route } from './route.ts';

/** Longest that a request may wait for the next version, ms. */
export const longestWait = 30_000;

const max_age = {
  type: 'integer',
  minimum: 0,
  example: 60_000,
  description:
    'Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.',
} as const satisfies Param;

const wait = {
  type: 'integer',
  minimum: 0,
  maximum: longestWait,
  description:
    'With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.',
} as const satisfies Param;

/** The limits that a request sets on the age of its answer; null without one. */
export interface Freshness {
  maxAge: number | null;
  wait: number | null;
}

/** Those that a row takes: an answer from memory can be waited for. */
export function freshnessParams({
  from,
  free,
  noMarketData,
}: Partial<Pick<Route, 'from' | 'free' | 'noMarketData'>>): Params {
  if (from === undefined || free || noMarketData) return {};
  if ('view' in from) return { max_age, wait };
  return 'query' in from ? { max_age } : {};
}

/** The answer, or the error of one that is older than the client takes. `now` is Unix ms. */
export function withinMaxAge(
  found: Snapshot,
  { maxAge }: Freshness,
  now: number,
): Snapshot | ApiError {
  const age = found.asOf === null ? 0 : now - found.asOf;
  if (maxAge === null || age <= maxAge) return found;
  return apiError('too_old', `the newest reading is ${age} ms old, max_age allows ${maxAge}`);
}

/** The errors that a row can answer, from the row. */

import { freshnessParams } from '../endpoints/freshness.ts';
import type { NoEnvelope, Route } from '../endpoints/route.ts';
import { apiError, type ErrorCode, kindOf } from '../wire/errors.ts';
import { type Ref, ref, responseName, usualHeaders } from './components.ts';

const isAct = ({ from }: Route): boolean => 'act' in from;
const isQuery = ({ from }: Route): boolean => 'query' in from;
const isView = ({ from }: Route): boolean => 'view' in from;
const fails = (row: Route, code: ErrorCode): boolean => row.fails?.includes(code) === true;

/**
 * The errors that follow from a row. Every request may be badly framed, name a parameter that there is not, or meet a
 * bug. Requests wait for a place unless their answer is in memory; an act may be sent a body.
 */
const rules: Partial<Record<ErrorCode, (row: Route) => boolean>> = {
  bad_parameter: () => true,
  bad_request: () => true,
  unauthorized: ({ access }) => access !== 'open',
  forbidden: ({ local }) => local === true,
  unknown_symbol: ({ params }) => 'symbol' in params,
  request_timeout: isAct,
  too_large: isAct,
  range_not_satisfiable: ({ file }) => file !== undefined,
  unsupported_media_type: ({ body }) => body !== undefined,
  too_many_requests: (row) => !row.free || !isView(row),
  internal: () => true,
  // A view whose data come from upstreams says that these have not answered, where it declares so.
  warming_up: (row) =>
    isQuery(row) ||
    (isView(row) &&
      !(row.free || row.noMarketData || row.answersBeforeData) &&
      !fails(row, 'upstream_failed')),
  too_old: (row) => 'max_age' in freshnessParams(row),
  overloaded: (row) =>
    row.access !== 'open' || isQuery(row) || isAct(row) || 'wait' in freshnessParams(row),
  store_unavailable: isQuery,
};
const follows = Object.entries(rules) as [ErrorCode, (row: Route) => boolean][];

/** The responses with these errors, by status; what each says are its codes. */
export function failedResponses(codes: Iterable<ErrorCode>): Record<number, Ref> {
  const byStatus = Map.groupBy(codes, (error) => kindOf({ error }).status);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const description = `${list.map((code) => `\`${code}\``).join(', ')}.`;
      return [status, { ...ref('responses', responseName(status)), description }];
    }),
  );
}

/** The same of a row whose errors have a form of their own. */
export function ownFormFailures(codes: Iterable<ErrorCode>, { error, errors }: NoEnvelope) {
  const byStatus = Map.groupBy(codes, (code) => error(apiError(code)).status);
  const content = { 'application/json': { schema: { ...errors } } };
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const description = `${list.map((code) => `\`${code}\``).join(', ')}, in the form of this API.`;
      return [status, { description, headers: usualHeaders, content }];
    }),
  );
}

/** The errors that a row can answer. */
export function errorsOf(row: Route): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>(row.fails);
  for (const [code, applies] of follows) if (applies(row)) codes.add(code);
  for (const { unlisted } of Object.values(row.params)) if (unlisted) codes.add(unlisted);
  return codes;
}

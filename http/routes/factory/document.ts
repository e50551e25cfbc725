/** Rows with one answer for all clients, or one by few parameters, out of a view. */
import type { Static, TSchema } from '../../../actors/topics/schema.ts';
import type { LogQuery } from '../../answers/numbered-log.ts';
import type { Question } from '../../answers/queries.ts';
import type { Snapshot } from '../../answers/snapshots.ts';
import { type Fold, memoryOf, type Source } from '../../answers/source.ts';
import type { RowsFile } from '../../answers/tables/file.ts';
import { resolving } from '../../endpoints/resolve.ts';
import {
  type Params,
  type Resolved,
  type Route,
  route,
  type Values,
} from '../../endpoints/route.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';

/** The place of a row in the route table and the documentation; `access` is by key when absent. */
export type Head = Pick<Route, 'path' | 'summary'> &
  Partial<
    Pick<
      Route,
      | 'access'
      | 'fails'
      | 'answersBeforeData'
      | 'noMarketData'
      | 'list'
      | 'budget'
      | 'errorsAs200'
      | 'noEnvelope'
      | 'followEvery'
    >
  >;

/** Where the answers of a row from memory come from. */
export interface Origin<V> {
  source: Source;
  /** The error while there are no data; `warming_up` when absent. */
  absent?: ApiError;
  /** The log whose newest events the answer has, for clients that want each event. */
  log?(values: V): LogQuery | ApiError;
}

/**
 * Declares a row whose answer is made of what `source` holds, at the first request after a change. Its answers are kept by the
 * checked parameters; `build` gives the data, an error, or null while there are none.
 *
 *     document({ ...options, path: '/v1/options/max-pain', summary, params: chainParams(ids), answer,
 *       source: view.source, build: (values) => maxPainOf(view, values) })
 */
export function document<const Ps extends Params, A extends TSchema>(
  row: Head & Origin<Resolved<Ps>> & Fold<Resolved<Ps>, Static<A>> & { params: Ps; answer: A },
): Route {
  const { source, absent, log, build, keysOf, bound, ...head } = row;
  const { params } = head;
  const keys = keysOf && resolving(params, keysOf);
  const answers = source.answers({
    build: resolving(params, build),
    keysOf(values: Values<Ps>) {
      const found = keys?.(values);
      return found === undefined || isApiError(found) ? undefined : found;
    },
    bound,
  });
  const memory = memoryOf(answers, absent);
  return route<Ps, TSchema>({
    ...head,
    from: log === undefined ? memory : { ...memory, log: resolving(params, log) },
  });
}

/** Declares a row whose answer is that of a query, or one that is ready. A query without a `variant` gets that of the parameters. */
export function queried<const Ps extends Params, A extends TSchema>({
  query,
  ...row
}: Head & {
  params: Ps;
  answer: A;
  query(values: Resolved<Ps>): Question<Static<A>> | Snapshot<Static<A>> | ApiError;
  /** As `Route` has it. */
  file?(values: Values<Ps>): RowsFile | ApiError;
}): Route {
  const resolved = resolving(row.params, query);
  const formed = (values: Values<Ps>) => {
    const asked = resolved(values);
    if (!('source' in asked) || asked.variant !== undefined) return asked;
    return { ...asked, variant: JSON.stringify([row.path, values]) };
  };
  return route<Ps, TSchema>({ ...row, from: { query: formed } });
}

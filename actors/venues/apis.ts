/** Shared by the APIs of the venues: requests, budgets, the meanings of codes. */
import type { FailureCode } from '../failure.ts';
import { byPart } from '../sources/venue.ts';
import type { Budget, Query, UpstreamRequest } from '../upstream/request.ts';

/**
 * Makes the requests of an API: each by its path, its query, and its budget and weight where they are not the usual ones.
 * `place` is what stands before the path, or makes the whole of it.
 */
export const getter =
  <Ask extends UpstreamRequest>(api: Ask['api'], place: string | ((path: string) => string) = '') =>
  (path: string, query: Query = {}, budget?: Ask['budget'], weight?: number) => {
    const whole = typeof place === 'string' ? `${place}${path}` : place(path);
    const request: UpstreamRequest<Ask['api'], NonNullable<Ask['budget']>> = {
      api,
      path: whole,
      query,
    };
    if (budget !== undefined) request.budget = budget;
    if (weight !== undefined) request.weight = weight;
    return request;
  };

/** The request, without whose answer a poll goes on. */
export const mayFail = <Request extends object>(request: Request) => ({
  ...request,
  optional: true as const,
});

/** Requests about one market each. */
export const aboutEach = <Request extends object>(
  markets: readonly string[],
  requestOf: (market: string) => Request,
) => markets.map((market) => ({ ...requestOf(market), market }));

/** The same budget under each name, and for the requests that name none. */
export const equalBudgets = <const Name extends string>(
  budget: Budget,
  ...names: readonly Name[]
) => byPart<'default' | Name, Budget>(() => budget, 'default', ...names);

/** What codes mean: lists of a meaning and its codes. */
export const codesOf = (
  ...meanings: readonly (readonly [means: FailureCode, ...codes: (string | number)[]])[]
): Readonly<Record<string, FailureCode>> =>
  Object.fromEntries(meanings.flatMap(([means, ...codes]) => codes.map((code) => [code, means])));

/** What the parameters of a row mean. */
import { type ApiError, isApiError } from '../wire/errors.ts';
import type { CheckedValues, Params, Resolved, Values } from './route.ts';

/** Finds fields by the values that its row has checked and resolved. */
interface Further<V, F extends object> {
  resolve?(values: V): F | ApiError;
}

/**
 * Adds to checked values what they mean (`Param.resolve`), in the order of the table, then what `further` finds by those; the error of the
 * first that means nothing.
 */
export function resolverOf<Ps extends Params, F extends object = object>(
  params: Ps,
  further?: Further<Resolved<Ps>, F>,
): (values: Values<Ps>) => (Resolved<Ps> & F) | ApiError;
export function resolverOf(params: Params, { resolve: last }: Further<CheckedValues, object> = {}) {
  const own = Object.values(params).flatMap(({ resolve }) => resolve ?? []);
  const all = last === undefined ? own : [...own, last];
  return (values: CheckedValues): object => {
    let found = values;
    for (const resolve of all) {
      const fields = resolve(found);
      if (isApiError(fields)) return fields;
      found = { ...found, ...fields };
    }
    return found;
  };
}

/** The handler of a row for values that are checked alone. */
export function resolving<Ps extends Params, T>(
  params: Ps,
  handler: (values: Resolved<Ps>) => T,
): (values: Values<Ps>) => T | ApiError {
  const resolved = resolverOf(params);
  return (values) => {
    const found = resolved(values);
    return isApiError(found) ? found : handler(found);
  };
}

import { type ApiError, apiError } from '../wire/errors.ts';
import type { Params } from './route.ts';

/**
 * Percent-decodes one path segment or one half of a query pair as UTF-8; null when it is not valid. Unencoded
 * characters stay as they are.
 */
export function decodePart(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** A name and its value, which is empty without `=`. */
function halves(pair: string): [string, string] {
  const cut = pair.indexOf('=');
  return cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)];
}

/** The parameters of a query string. */
export interface QueryParameters {
  /** Values by the name of their parameter. */
  known: Map<string, string>;
  /** Names of unknown parameters, each once. */
  unknown: Set<string>;
}

/**
 * The parameters of a raw query string, by the rules of application/x-www-form-urlencoded
 * (https://url.spec.whatwg.org/#urlencoded-parsing), but strict: broken percent-encoding and a known name
 * given twice are errors. Values of names that `params` does not have are not read.
 */
export function parseQuery(raw: string, params: Params): QueryParameters | ApiError {
  const known = new Map<string, string>();
  const unknown = new Set<string>();
  for (const pair of raw.replaceAll('+', ' ').split('&')) {
    const [rawName, rawValue] = halves(pair);
    const name = decodePart(rawName);
    if (name === null) {
      return apiError('bad_parameter', 'the query string is not valid percent-encoded UTF-8');
    }
    if (!Object.hasOwn(params, name)) {
      if (name !== '') unknown.add(name);
      continue;
    }
    if (known.has(name)) return apiError('bad_parameter', `${name} must be given only once`);
    const value = decodePart(rawValue);
    if (value === null) return malformed(name);
    known.set(name, value);
  }
  return { known, unknown };
}

/** The error for a parameter whose percent-encoding is broken. */
export const malformed = (name: string): ApiError =>
  apiError('bad_parameter', `${name} must be valid percent-encoded UTF-8`);

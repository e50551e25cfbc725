/** Keys that stand in URLs, for spreadsheets and other programs that send no headers: each reads the paths that it names and nothing else. */
import { type ApiError, apiError } from '../wire/errors.ts';

/** Most paths of a link key, and the longest of them. */
export const linkLimits = { paths: 20, length: 500 } as const;
/** Requests a minute with a link key, which count for its account too; those of its plan where these are fewer. */
export const linkRequests = 60;

/** Header lines of every answer to a request with `link` in its URL: the URL is not told to others, nor the answer kept by them. */
export const linkLines = '\r\nreferrer-policy: no-referrer\r\ncache-control: private';

export const badPaths = Object.freeze(
  apiError(
    'bad_parameter',
    `paths must be 1 to ${linkLimits.paths} paths of this API, such as /v1/bars or /v1/bars?symbol=BTC&interval=1d, for a key of the kind link, and absent for others`,
  ),
);
/** Malformed, unknown or revoked, or a key of another kind. */
export const badLink = Object.freeze(
  apiError(
    'unauthorized',
    'link must be an active key of the kind link (tm_link_…): send other keys in the header X-API-Key',
  ),
);
const readsOnly = Object.freeze(apiError('forbidden', 'a link key reads only'));

const pathForm = /^\/v[12]\/[\w\-/.~%]+(?:\?[^#\s]*)?$/;

/** Whether a link key may be made for these paths. */
export const arePaths = (paths: readonly string[]): boolean =>
  paths.length > 0 &&
  paths.length <= linkLimits.paths &&
  paths.every((path) => path.length <= linkLimits.length && pathForm.test(path)) &&
  !paths.some((path) => new URLSearchParams(path.split('?')[1]).has('link'));

/** Whether a query string may have the parameter `link`. */
export const isLinked = (query: string): boolean => query.includes('link=');

/** The link key in a query string; null without one. */
export const linkIn = (query: string): string | null =>
  isLinked(query) ? new URLSearchParams(query).get('link') : null;

/** The parameters of a query string but `link`, in one order. */
function parametersIn(query: string): string {
  const given = new URLSearchParams(query);
  given.delete('link');
  given.sort();
  return given.toString();
}

/** A request for a path, as its line has it. */
export interface Line {
  method: string;
  path: string;
  query: string;
}

/**
 * The error of a request that a link key with these paths may not make; null of one that it may. A path without a query allows every
 * query, one with a query exactly these parameters, in any order.
 */
export function linkRefusal(
  allowed: readonly string[],
  { method, path, query }: Line,
): ApiError | null {
  if (method !== 'GET') return readsOnly;
  const given = parametersIn(query);
  const isAllowed = allowed.some((one) => {
    const [place = '', fixed] = one.split(/\?(.*)/s, 2);
    return place === path && (fixed === undefined || parametersIn(fixed) === given);
  });
  if (isAllowed) return null;
  return apiError('forbidden', `this link key reads ${allowed.join(', ') || 'nothing'} only`);
}

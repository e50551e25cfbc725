import type { HttpRequest } from 'uWebSockets.js';
import { nearestOf } from '../../indicators/words.ts';
import { linkLines } from '../auth/link.ts';
import { paramsOf } from '../endpoints/common-params.ts';
import type { Endpoint, Values } from '../endpoints/endpoint.ts';
import type { Params } from '../endpoints/route.ts';
import type { Checked } from '../endpoints/validate.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { segmentsOf } from './handling.ts';

/** The parameters of one request: the checked values or an error, and header lines for the answer (`Visit.notes`). */
export interface CheckedParameters {
  outcome: Extract<Checked, { values: Values }> | ApiError;
  notes: string;
  /** Names of parameters that the row does not have, as the answer shows them. */
  unknown: readonly string[];
}

/** Characters of an unknown name that the answer shows. */
const shown = 64;

// The query is undefined when the URL has no question mark, whatever its type says.
const queryOf = (req: HttpRequest): string => req.getQuery() ?? '';

/** Whether the client wants an error in place of an ignored parameter: by `strict=1`, or by its preference (RFC 7240, 4.4). */
const wantsStrict = (req: HttpRequest): boolean =>
  /(?:^|&)strict=1(?:&|$)/.test(queryOf(req)) ||
  /^\s*"?strict\b/i.test(
    /(?:^|,)\s*handling\s*=([^,;]*)/i.exec(req.getHeader('prefer'))?.[1] ?? '',
  );

/** Checks the parameters of a request. `req` must be the request that uWebSockets.js handles now. */
export function checkParameters(endpoint: Endpoint, req: HttpRequest): CheckedParameters {
  const checked = endpoint.check(queryOf(req), segmentsOf(req, endpoint.segments));
  const { unknown, isLinked } = checked;
  const lines = isLinked ? linkLines : '';
  if (unknown.length === 0) return { outcome: checked, notes: lines, unknown };
  if (wantsStrict(req)) {
    return {
      outcome: unknownParameters(unknown, paramsOf(endpoint.row)),
      notes: `${lines}\r\npreference-applied: handling=strict`,
      unknown,
    };
  }
  const names = unknown.map((name) => name.slice(0, shown).toWellFormed());
  const ignored = names.map(encodeURIComponent).join(', ');
  return {
    outcome: checked,
    notes: `${lines}\r\nignored-parameters: ${ignored}`,
    unknown: names,
  };
}

/** The error for parameters that a row does not have. */
function unknownParameters(unknown: readonly string[], params: Params): ApiError {
  const said = unknown.map((name) => {
    const nearest = nearestOf(name, Object.keys(params));
    const hint = nearest === undefined ? 'this path takes none' : `the nearest is ${nearest}`;
    return `there is no parameter ${JSON.stringify(name.slice(0, shown).toWellFormed())}, ${hint}`;
  });
  return apiError('bad_parameter', said.join('; '));
}

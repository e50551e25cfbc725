import { STATUS_CODES } from 'node:http';
import type { Failure } from '../../actors/failure.ts';

/** The properties of an error code. */
interface Kind {
  status: number;
  /** The message of errors without one of their own. */
  message: string;
  /** Seconds of `retry-after` for errors without their own; every 502 and 503 has it. */
  retryAfter?: number;
  /** The connection ends with the answer, because the start of the next request is not known. */
  closes?: true;
}

/** Every error of the API by its code, which the answer contains. */
export const errors = {
  /** Specification 4.2, rule 5: a failure of a wallet is a 200 with an empty portfolio. */
  portfolio_failed: { status: 200, message: 'the portfolio could not be read' },
  bad_parameter: { status: 400, message: 'a parameter is not valid' },
  bad_request: {
    status: 400,
    message: 'the request must have one valid Content-Length or Transfer-Encoding: chunked',
    closes: true,
  },
  unauthorized: { status: 401, message: 'a valid API key is required' },
  forbidden: { status: 403, message: 'your plan does not allow this' },
  not_found: { status: 404, message: 'there is nothing at this path' },
  unknown_symbol: { status: 404, message: 'unknown symbol' },
  unknown_exchange: { status: 404, message: 'unknown exchange' },
  method_not_allowed: { status: 405, message: 'this path does not take this method' },
  request_timeout: {
    status: 408,
    message: 'the rest of the request body did not arrive; chunk extensions are not understood',
    closes: true,
  },
  too_large: { status: 413, message: 'the request body is too large' },
  unsupported_media_type: { status: 415, message: 'the request body must be application/json' },
  range_not_satisfiable: { status: 416, message: 'the file has none of these bytes' },
  not_enough_data: { status: 422, message: 'there is not enough data' },
  too_many_requests: { status: 429, message: 'the request quota is used up' },
  internal: { status: 500, message: 'internal error' },
  upstream_failed: { status: 502, message: 'the upstream request failed', retryAfter: 5 },
  warming_up: {
    status: 503,
    message: 'the service has no data yet, try again shortly',
    retryAfter: 5,
  },
  too_old: {
    status: 503,
    message: 'the newest reading is older than max_age allows',
    retryAfter: 1,
  },
  overloaded: {
    status: 503,
    message: 'too many requests are waiting for upstreams, try again shortly',
    retryAfter: 1,
  },
  store_unavailable: {
    status: 503,
    message: 'the service cannot reach its own data store, try again shortly',
    retryAfter: 2,
  },
} as const satisfies Record<string, Kind>;
export type ErrorCode = keyof typeof errors;

/** An answer that is an error; `message` is public. */
export interface ApiError {
  error: ErrorCode;
  message: string;
  /** Whole seconds of `retry-after`; those of the code when absent. */
  retryAfter?: number;
  /** Methods that the path takes, for 405. */
  allow?: string;
  /** The parameter that is at fault, and whether it is missing. */
  parameter?: { name: string; missing: boolean };
  /** `data` of an error that has any. */
  data?: unknown;
}

export const apiError = (
  error: ErrorCode,
  message: string = errors[error].message,
  more: Pick<ApiError, 'retryAfter' | 'allow' | 'parameter' | 'data'> = {},
): ApiError => ({ error, message, ...more });

/** The answer of a view without data. */
export const warmingUp = apiError('warming_up');

/** The properties of the code of an error. */
export const kindOf = ({ error }: Pick<ApiError, 'error'>): Kind => errors[error];

/** It gets objects of every class. For many classes the engine reads a property fast, but searches at each `in`. */
export function isApiError(answer: object): answer is ApiError {
  const { error }: { error?: unknown } = answer;
  return error !== undefined;
}

/**
 * The public error of an upstream failure: its subject and its class, never a URL, a body or a text of the upstream.
 * `what` names the subject, such as `the order book of binance`.
 */
export function fromFailure(failure: Failure, what: string): ApiError {
  switch (failure.code) {
    case 'unknown_instrument':
      return apiError('unknown_symbol', `${what}: the exchange does not know this symbol`);
    case 'not_given':
      return apiError('bad_parameter', `${what}: the exchange does not give this of this market`);
    case 'redis_away':
      return apiError('store_unavailable', errors.store_unavailable.message, { retryAfter: 2 });
    case 'over_budget':
    case 'unanswered':
    case 'stopped': {
      const message = failure.bound === undefined ? undefined : `${what}: ${failure.bound}`;
      return apiError('overloaded', message, { retryAfter: 1, ...retryOf(failure) });
    }
    case 'breaker_open': {
      const message = `${what}: not asked again so soon, since its upstream has just failed several times`;
      return apiError('overloaded', message, { retryAfter: 5, ...retryOf(failure) });
    }
    case 'not_ready':
      return apiError('warming_up', undefined, retryOf(failure));
    default: {
      const message = `${what} could not be fetched (${failure.code})`;
      return apiError('upstream_failed', message, retryOf(failure));
    }
  }
}

/** The public error of a query about recorded series (`storeQueries`): the fault is in this service. */
export function fromStore(failure: Failure, what: string): ApiError {
  const known = fromFailure(failure, what);
  if (known.error !== 'upstream_failed') return known;
  const message =
    failure.code === 'refused' ? `${what} is not recorded` : `${what}: the history cannot be read`;
  return apiError('store_unavailable', message);
}

/** The time that the failure itself states, in whole seconds. */
const retryOf = ({ retryAfter }: Failure): Pick<ApiError, 'retryAfter'> =>
  retryAfter === undefined ? {} : { retryAfter: Math.max(1, Math.ceil(retryAfter / 1000)) };

/** The members that say which error it is, as JSON text without braces. */
export const errorMembers = ({ error, message }: Pick<ApiError, 'error' | 'message'>): string =>
  `"code":"${error}","message":${JSON.stringify(message)}`;

/** The envelope of an error answer at `now`, Unix ms (specification 2.1). */
export const errorBody = (error: ApiError, now: number): string =>
  `{"status":"error","timestamp":${now},${errorMembers(error)}${dataOf(error)}}`;

const dataOf = ({ data }: ApiError): string =>
  data === undefined ? '' : `,"data":${JSON.stringify(data)}`;

const statusLines = new Map(
  [200, 201, 202, 206, ...Object.values(errors).map(({ status }) => status)].map((status) => [
    status,
    `${status} ${STATUS_CODES[status]}`,
  ]),
);
/** A status with its words, as the first line of an answer has it. */
export const statusLine = (status: number): string => statusLines.get(status) ?? String(status);

/** The envelope around the JSON text of an answer to an act. */
export const madeBody = (json: string, now: number): string =>
  `{"status":"ok","timestamp":${now},"data":${json}}`;

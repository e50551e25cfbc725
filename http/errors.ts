import type { Failure } from '../actors/failure.ts';

/** Every error that a client can get: its HTTP status and the message when the place gives none. */
export const errors = {
  /** The specification wants failures of a wallet (4.2, rule 5) without an error code, with an empty portfolio. */
  portfolio_failed: { status: 200, message: 'the portfolio could not be read' },
  bad_parameter: { status: 400, message: 'a parameter is not valid' },
  unauthorized: { status: 401, message: 'a valid API key is required' },
  forbidden: { status: 403, message: 'your plan does not allow this' },
  not_found: { status: 404, message: 'there is nothing at this path' },
  unknown_symbol: { status: 404, message: 'unknown symbol' },
  method_not_allowed: { status: 405, message: 'this path does not take this method' },
  too_large: { status: 413, message: 'the request body is too large' },
  unsupported_media_type: { status: 415, message: 'the request body must be application/json' },
  not_enough_data: { status: 422, message: 'there is not enough data' },
  too_many_requests: { status: 429, message: 'the request quota is used up' },
  internal: { status: 500, message: 'internal error' },
  upstream_failed: { status: 502, message: 'the upstream request failed' },
  warming_up: { status: 503, message: 'the service has no data yet, try again shortly' },
  overloaded: {
    status: 503,
    message: 'too many requests are waiting for upstreams, try again shortly',
  },
} as const;
export type ErrorCode = keyof typeof errors;

/** An answer that is an error; `message` is public. */
export interface ApiError {
  error: ErrorCode;
  message: string;
  /** Whole seconds after which it is worth trying again. */
  retryAfter?: number;
  /** Methods that the path takes, for 405. */
  allow?: string;
  /** `data` of an error that has any. */
  data?: unknown;
}

export const apiError = (
  error: ErrorCode,
  message: string = errors[error].message,
  more: Pick<ApiError, 'retryAfter' | 'allow' | 'data'> = {},
): ApiError => ({ error, message, ...more });

export const isApiError = (answer: object): answer is ApiError => 'error' in answer;

/**
 * What a client learns of an upstream failure: that it happened, whose it was and which class it is, never
 * a URL, a body or an upstream's own words. `what` names the thing asked for, such as `the order book of binance`.
 */
export function fromFailure(failure: Failure, what: string): ApiError {
  switch (failure.code) {
    case 'unknown_instrument':
      return apiError('unknown_symbol', `${what}: the exchange does not know this symbol`);
    case 'over_budget':
    case 'stopped':
      return apiError('overloaded', errors.overloaded.message, { retryAfter: 1 });
    default:
      return apiError('upstream_failed', `${what} could not be fetched (${failure.code})`);
  }
}

/** The envelope of an error answer at `now`, Unix ms (specification 2.1). */
export const errorBody = (error: ApiError, now: number): string =>
  `{"status":"error","timestamp":${now},"message":${JSON.stringify(error.message)}${dataOf(error)}}`;

const dataOf = ({ data }: ApiError): string =>
  data === undefined ? '' : `,"data":${JSON.stringify(data)}`;

/** The envelope around the JSON text of an answer that is made once. */
export const madeBody = (json: string, now: number): string =>
  `{"status":"ok","timestamp":${now},"data":${json}}`;

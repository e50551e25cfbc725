/**
 * The reasons that a request to an upstream failed. A closed set: the code is the metric label, the
 * entry in `/v1/status`, and what `http/wire/errors.ts` maps to an HTTP status.
 */
export type FailureCode =
  /** The exchange (headers and body) did not finish before its deadline. */
  | 'timeout'
  /** DNS, connect, TLS, reset, or the body ended early. */
  | 'network'
  /** 429, or the venue's own "too many requests". */
  | 'rate_limited'
  /** 418 or a stated ban: silence until `retryAfter`. */
  | 'banned'
  /** 403 or 451: this address is not served (region, firewall). */
  | 'blocked'
  /** 5xx, or the venue's own "busy", "maintenance". */
  | 'unavailable'
  /** Any other answer that is not a success. */
  | 'refused'
  /** The venue does not know the instrument. */
  | 'unknown_instrument'
  /** The body is not JSON or not of the documented shape. */
  | 'shape'
  /** The body is larger than the cap. */
  | 'too_large'
  /** Not sent: too many failures in a row, the breaker waits. */
  | 'breaker_open'
  /**
   * Not sent: the weight budget of the host has no room before the deadline. Or given up: all bodies under way in this
   * process were larger than its budget, and this one was the largest.
   */
  | 'over_budget'
  /** Not sent: an input of the request, such as the instrument list, is not known yet. */
  | 'not_ready'
  /** Not asked: the venue does not give this of the instrument. */
  | 'not_given'
  /** The process that answers for the source gave no reply in time. No upstream is known to have failed. */
  | 'unanswered'
  /** Not sent or abandoned: the process is stopping. */
  | 'stopped'
  /** Not asked, or the reply is lost: Redis is away or takes no writes. No upstream has failed. */
  | 'redis_away';

/** An expected upstream failure, as a value. `message` holds no body, no credential and no query string. */
export interface Failure {
  code: FailureCode;
  message: string;
  /** HTTP status, when there was one. */
  status?: number;
  /** Milliseconds to wait before the next request, where the upstream stated it. */
  retryAfter?: number;
  /** Which bound of this service it was, in words and numbers that a client may read: no host, no path, no text of an upstream. */
  bound?: string;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });

export const failed = (
  code: FailureCode,
  message: string,
  more: Pick<Failure, 'status' | 'retryAfter' | 'bound'> = {},
): { ok: false; failure: Failure } => ({ ok: false, failure: { code, message, ...more } });

/** A failure that is due to a bound of this service. */
export const beyond = (
  bound: string,
  more: Pick<Failure, 'retryAfter'> = {},
  code: 'over_budget' | 'unanswered' = 'over_budget',
): { ok: false; failure: Failure } => failed(code, bound, { ...more, bound });

/** Thrown by a parser when a body as a whole is not of the documented form. */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

/** How many requests to one source have ended how: `ok`, or the code of the failure. */
export interface OutcomeCounts {
  source: string;
  outcomes: Readonly<Partial<Record<FailureCode | 'ok', number>>>;
}

/** What one process counts of a budget of an upstream. */
export interface BudgetUse {
  /** `source/api/budget`. */
  name: string;
  /** What the upstream allows: `weight` in any `per_ms` ms. */
  weight: number;
  per_ms: number;
  /** Weight of the process's own requests of the last `per_ms`, and of those under way. */
  own: number;
  /** The same, or what the upstream has stated where that is more: it counts the requests of others too. */
  used: number;
  /** Requests that wait for their turn. */
  waiting: number;
  /** Nothing is sent before, Unix ms: the upstream asked for silence. Null where it did not. */
  paused_until: number | null;
}

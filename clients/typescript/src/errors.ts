/** Errors of requests and subscriptions, and the quota that answers state. */
import type { ErrorCode } from './types.ts';

/** The quota of the account, or of the address without a key. */
export interface Quota {
  /** Requests a window. */
  limit: number;
  remaining: number;
  /** End of the window, Unix ms. */
  resetsAt: number;
}

/** The quota in `RateLimit` and `RateLimit-Policy` (docs/quotas.md); null where an answer states none. */
export function quotaOf(headers: Headers): Quota | null {
  const read = (header: string, name: string): number => {
    const [, digits] = new RegExp(`;\\s*${name}=(\\d+)`).exec(headers.get(header) ?? '') ?? [];
    return digits === undefined ? Number.NaN : Number(digits);
  };
  const limit = read('ratelimit-policy', 'q');
  const remaining = read('ratelimit', 'r');
  const resetsAt = Date.now() + read('ratelimit', 't') * 1000;
  return Number.isNaN(limit + remaining + resetsAt) ? null : { limit, remaining, resetsAt };
}

/** An answer that is an error, or a request without an answer. */
export class TidemarkError extends Error {
  override readonly name = 'TidemarkError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** That of the service; `internal` where a proxy answers without one, `timeout` or `network` where nothing does. */
  readonly code: ErrorCode | 'timeout' | 'network';
  /** Those of the answer; empty without one. A web page sees those that `Access-Control-Expose-Headers` names. */
  readonly headers: Headers;
  /** Null where the answer states none. */
  readonly quota: Quota | null;

  constructor(
    message: string,
    about: { status: number; code: TidemarkError['code']; headers?: Headers; cause?: unknown },
  ) {
    super(message, { cause: about.cause });
    this.status = about.status;
    this.code = about.code;
    this.headers = about.headers ?? new Headers();
    this.quota = quotaOf(this.headers);
  }
}

/**
 * A subscription that has ended: the service refuses it, or a message of it cannot be read (`internal`). Another connection
 * would not mend that.
 */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
  /** That of the service; `no_websocket` where there is no class for connections. */
  readonly code: ErrorCode | 'no_websocket';

  constructor(code: SubscriptionError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

import { rewriteDigits } from '../wire/digits.ts';
import { windowLength } from './store.ts';

/** The state of a quota for headers. */
export interface QuotaState {
  /** Requests a window. */
  limit: number;
  remaining: number;
  /** Milliseconds to the end of the window. */
  resetIn: number;
}

const seconds = windowLength / 1000;

const retryAfter = '\r\nretry-after: ';

/** The lines with another `retry-after`, in whole seconds. */
export const withRetryAfter = (lines: string, after: number): string =>
  lines.slice(0, lines.lastIndexOf(retryAfter)) + retryAfter + after;

/** The header that all quotas have; their other lines follow it. */
const first = 'x-ratelimit-after';

const encoder = new TextEncoder();

/** Whole seconds to the reset, rounded up and at least 1. */
const secondsTo = (resetIn: number): number =>
  Math.min(seconds, Math.max(1, Math.ceil(resetIn / 1000)));

/** The lines before and after the number of remaining requests. */
type Parts = readonly [before: string, after: string];

const parts = (limit: number, t: number): Parts => [
  `\r\n${first}: ${t}\r\nratelimit: "default";r=`,
  `;t=${t}\r\nratelimit-policy: "default";q=${limit};w=${seconds}${retryAfter}${t}`,
];

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) and the two headers of
 * specification 8, whose values are equal: whole seconds to the reset. Each line follows a line break, so that they can be
 * appended to other headers.
 */
export function quotaLines({ limit, remaining, resetIn }: QuotaState): string {
  const [before, after] = parts(limit, secondsTo(resetIn));
  return `${before}${remaining}${after}`;
}

/** The headers of a quota whose window has not begun. */
export const untouched = (limit: number): string =>
  quotaLines({ limit, remaining: limit, resetIn: windowLength });

/**
 * Without a limit. Specification 8 requires its two headers on every answer: the wait for the reset is 0 seconds. The
 * headers of the draft are left out, since they state a quota.
 */
export const unlimitedLines = `\r\n${first}: 0${retryAfter}0`;
export const unlimitedBlock: Uint8Array = encoder.encode(unlimitedLines);

/**
 * The same as bytes. Within a second only the number of remaining requests changes in them, which is written into its
 * place.
 */
export class QuotaBlock {
  #limit = -1;
  #t = 0;
  #remaining = -1;
  /** Numbers with as many digits as there is room for: from `low`, below `high`. */
  #low = 0;
  #high = 0;
  /** Offset of the last digit. */
  #last = 0;
  #bytes = new Uint8Array(0);

  /** Valid until the next call. */
  of({ limit, remaining, resetIn }: QuotaState): Uint8Array {
    const t = secondsTo(resetIn);
    const fits = remaining >= this.#low && remaining < this.#high;
    if (t !== this.#t || limit !== this.#limit || !fits) this.#make(limit, t, remaining);
    else if (remaining !== this.#remaining) {
      rewriteDigits(this.#bytes, this.#last, { before: this.#remaining, now: remaining });
      this.#remaining = remaining;
    }
    return this.#bytes;
  }

  #make(limit: number, t: number, remaining: number): void {
    const [before, after] = parts(limit, t);
    const digits = String(remaining);
    this.#limit = limit;
    this.#t = t;
    this.#remaining = remaining;
    this.#high = 10 ** digits.length;
    this.#low = digits.length === 1 ? 0 : this.#high / 10;
    this.#last = before.length + digits.length - 1;
    this.#bytes = encoder.encode(before + digits + after);
  }
}

/** Statuses whose `retry-after` is not that of the quota: the cause may end long before the window does. */
const passing = new Set([502, 503]);

/**
 * The quota headers with the `retry-after` of an error. With quotas it is the one of the quota (specification 8),
 * except where the service has failed.
 */
export function retryLines(quota: string, status: number, after: number | undefined): string {
  if (after === undefined) return quota;
  if (quota === '') return `\r\nretry-after: ${after}`;
  return passing.has(status) ? withRetryAfter(quota, after) : quota;
}

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

/** Ends of lines by limit and second: small, because there are few plans. */
const tails = new Map<number, string[]>();
const mostLimits = 64;

function tailsOf(limit: number): string[] {
  const known = tails.get(limit);
  if (known !== undefined) return known;
  const made = Array.from({ length: seconds + 1 }, (_, t) =>
    [
      `;t=${t}`,
      `ratelimit-policy: "default";q=${limit};w=${seconds}`,
      `x-ratelimit-after: ${t}${retryAfter}${t}`,
    ].join('\r\n'),
  );
  if (tails.size < mostLimits) tails.set(limit, made);
  return made;
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) and the two headers of
 * specification 8, whose values are equal: whole seconds to the reset, rounded up and at least 1. Each line follows
 * a line break, so that they can be appended to other headers.
 */
export function quotaLines({ limit, remaining, resetIn }: QuotaState): string {
  const t = Math.min(seconds, Math.max(1, Math.ceil(resetIn / 1000)));
  return `\r\nratelimit: "default";r=${remaining}${tailsOf(limit)[t]}`;
}

/**
 * Without a limit. Specification 8 requires its two headers on every answer: the wait for the reset is 0 seconds. The
 * headers of the draft are left out, since they state a quota.
 */
export const unlimitedLines = `\r\nx-ratelimit-after: 0${retryAfter}0`;

import { windowLength } from './store.ts';

/** What is left of a quota, as headers tell it. */
export interface Left {
  /** Requests a window. */
  limit: number;
  remaining: number;
  /** Milliseconds to the end of the window. */
  resetIn: number;
}

const seconds = windowLength / 1000;

/** Ends of lines by limit and second: plans are few, so this stays small. */
const tails = new Map<number, string[]>();
const mostLimits = 64;

function tailsOf(limit: number): string[] {
  const known = tails.get(limit);
  if (known !== undefined) return known;
  const made = Array.from({ length: seconds + 1 }, (_, t) =>
    [
      `;t=${t}`,
      `ratelimit-policy: "default";q=${limit};w=${seconds}`,
      `x-ratelimit-after: ${t}`,
      `retry-after: ${t}`,
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
export function quotaLines({ limit, remaining, resetIn }: Left): string {
  const t = Math.min(seconds, Math.max(1, Math.ceil(resetIn / 1000)));
  return `\r\nratelimit: "default";r=${remaining}${tailsOf(limit)[t]}`;
}

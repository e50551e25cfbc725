/** Bounds of a backoff, in milliseconds. */
export interface Backoff {
  /** Longest wait before the first retry; doubles with every attempt. */
  base: number;
  /** Longest of these waits. */
  cap: number;
  /** Added to each wait, so that a lucky draw is no retry at once; 0 when absent. */
  floor?: number;
}

/**
 * Milliseconds to wait before retry number `attempt` (from 0): `floor`, and uniform in [0, min(cap, base * 2^attempt)].
 * Spreading over the whole range keeps clients that failed together from retrying together.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitter(
  attempt: number,
  { base, cap, floor = 0 }: Backoff,
  random: () => number = Math.random,
): number {
  // 2^1023 is the largest power of two a double holds; Infinity times a base of 0 would be NaN.
  return floor + random() * Math.min(cap, base * 2 ** Math.min(attempt, 1023));
}

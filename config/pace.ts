/** When a value leaves: at once while the process has time for it, and together with others where it has not. */

import { whole } from './row.ts';

/** The part of a process that publishing may take. */
const mostOf = 1 / 5;
/** Most time that a value waits, and over which that part is meant, ms. */
const longest = 25;

/** What is published without waiting, or so many ms after the last time: the setting of an interval. */
export type Interval = number | 'auto';

/** Milliseconds up to a minute, or `auto`. */
export const interval = (text: string): Interval => {
  if (text === 'auto') return text;
  try {
    return whole(0, 60_000)(text);
  } catch {
    throw new Error('auto or a whole number from 0 to 60000');
  }
};

/**
 * The rule of all who publish in one process. With `auto` there is no wait until publishing has taken more than a fifth of the last
 * 25 ms; then the wait is as long as brings it back to that, 25 ms at most. Times are ms by one monotonic clock.
 */
export class Pace {
  readonly #interval: Interval;
  readonly #now: () => number;
  /** When publishing so far has taken no more than its part of the time. */
  #paid = Number.NEGATIVE_INFINITY;

  constructor(interval: Interval, now: () => number = () => performance.now()) {
    this.#interval = interval;
    this.#now = now;
  }

  /** Does the work of a publication, and takes account of how long it took. Returns what it returns. */
  run<Result>(work: () => Result): Result {
    const begun = this.#now();
    try {
      return work();
    } finally {
      const now = this.#now();
      const paid = Math.max(this.#paid, begun) + (now - begun) / mostOf;
      this.#paid = Math.min(paid, now + 2 * longest);
    }
  }

  /** Milliseconds until one may be published of which the last one was `since` ms ago; 0 in a process that has time. */
  wait(since: number): number {
    if (this.#interval !== 'auto') return Math.max(0, this.#interval - since);
    return Math.max(0, Math.ceil(this.#paid - this.#now() - longest));
  }
}

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

/** The part of a processor up to which a process is quiet. */
const quiet = 1 / 4;

/**
 * The part of a processor that this process has taken in the last 25 ms or more, from 0 to 1; 0 while it is quiet. What it has waited for
 * a processor does not count: joining changes would add to that. `used` gives its processor time so far, ms, and `now` the time.
 */
export function processLoad(
  now: () => number = () => performance.now(),
  used: () => number = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
): () => number {
  let [at, before, load] = [now(), used(), 0];
  return () => {
    const time = now();
    if (time - at < longest) return load;
    const spent = used();
    const part = Math.min(1, (spent - before) / (time - at));
    [at, before, load] = [time, spent, part <= quiet ? 0 : part];
    return load;
  };
}

/**
 * The rule of all who publish in one process. With `auto` there is no wait until publishing has taken more than a fifth of the last
 * 25 ms; then the wait is as long as brings it back to that, 25 ms at most. In a process with load there are 25 ms times the square
 * of it between two times of publishing: 2 ms at 30 %, 6 ms at half. Times are ms by one monotonic clock.
 */
export class Pace {
  readonly #interval: Interval;
  readonly #now: () => number;
  readonly #load: () => number;
  /** When it was published last. */
  #last = Number.NEGATIVE_INFINITY;
  /** When publishing so far has taken no more than its part of the time. */
  #paid = Number.NEGATIVE_INFINITY;
  /** What waits to be published, by whoever asked for it. */
  #joined = new Set<() => void>();

  /**
   * `load` is that of the process, from 0 to 1, where its publications cost more than their own time: what they are sent with, the
   * replies, and whoever is woken by them.
   */
  constructor(
    interval: Interval,
    now: () => number = () => performance.now(),
    load: () => number = () => 0,
  ) {
    this.#interval = interval;
    this.#now = now;
    this.#load = load;
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
      this.#last = now;
    }
  }

  /**
   * Calls `work`, which publishes, as soon as that may be, with all that waits then: the streams of a process leave in one turn. Does
   * nothing where it waits already. `clock` plans it.
   */
  join(work: () => void, clock: { after(ms: number, fn: () => void): unknown }): void {
    const isPlanned = this.#joined.size > 0;
    this.#joined.add(work);
    if (isPlanned) return;
    clock.after(this.wait(this.#now() - this.#last), () => {
      const all = this.#joined;
      this.#joined = new Set();
      this.run(() => {
        for (const each of all) each();
      });
    });
  }

  /** Milliseconds until one may be published of which the last one was `since` ms ago; 0 in a process that has time. */
  wait(since: number): number {
    if (this.#interval !== 'auto') return Math.max(0, this.#interval - since);
    const now = this.#now();
    const next = this.#last + longest * this.#load() ** 2;
    return Math.max(0, Math.ceil(this.#paid - longest - now), Math.ceil(next - now));
  }
}

/** How fast broken order books are asked for again, over all streams of one process. Pure. */

/**
 * Mean time between two questions, ms: a whole book is up to thousands of levels; a few may follow each other at once, since
 * streams that look at the same moment shall not wait for each other. A process that runs behind asks more slowly for `calm` ms,
 * or what comes in answer would put it farther behind, break more books, and so on.
 */
const pace = { usual: 50, behind: 500, atOnce: 200, calm: 10_000 };

export class Resyncs {
  #next = Number.NEGATIVE_INFINITY;
  #calmFrom = Number.NEGATIVE_INFINITY;

  /** Whether one book may be asked for now. */
  take(now: number): boolean {
    if (now < this.#next) return false;
    const apart = now < this.#calmFrom ? pace.behind : pace.usual;
    this.#next = Math.max(this.#next, now - pace.atOnce) + apart;
    return true;
  }

  /** The process runs behind. */
  late(now: number): void {
    this.#calmFrom = now + pace.calm;
  }
}

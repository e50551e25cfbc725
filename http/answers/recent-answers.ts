import { BoundedMap } from '../wire/bounded-map.ts';
import type { Snapshot } from './snapshots.ts';

/** How long an answer is given to equal requests before its question is made again, ms. */
const life = 1_000;
/** Most answers, and most bytes of their bodies. */
const most = { entries: 10_000, bytes: 32 * 2 ** 20 };

/**
 * The answers to queries of about the last second, by the checked values of their requests: requests for one URL have the
 * same object (`createCheck`). An answer is given again without its question being made, but never after its own end. After
 * a second all are dropped, so the other inputs of a question (the lists of markets) are at most that old.
 */
export class RecentAnswers {
  readonly #answers = new BoundedMap<object, { answer: Snapshot; until: number }>(most, {
    bytesOf: ({ answer }) => answer.length,
  });
  #begun = 0;
  /** Answers that were given again. */
  hits = 0;

  /** The answer to these values, where there is one that is fresh at `now`, Unix ms. */
  get(values: object, now: number): Snapshot | null {
    if (now >= this.#begun + life || now < this.#begun) {
      this.#answers.clear();
      this.#begun = now;
    }
    const found = this.#answers.get(values);
    if (found === undefined || found.until <= now) return null;
    this.hits++;
    return found.answer;
  }

  /** Keeps an answer that is fresh until `until`, Unix ms. */
  keep(values: object, answer: Snapshot, until: number): void {
    if (answer.length <= most.bytes) this.#answers.set(values, { answer, until });
  }
}

/** Starts of work, one after another, so that a process is not held up by many of them at once. */
import { type Clock, sleep } from './clock.ts';

/** After a start the next one waits so long, ms, and in a busy process until its timers run. */
const pause = 100;

/** The starts of one process, or of one part of it. */
export class Starts {
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes an attempt in its turn. It never rejects, and tells whether it has started something: else the next follows at once. */
  async turn(attempt: () => Promise<boolean>): Promise<void> {
    const made = this.#last.then(attempt);
    this.#last = made.then((started) => (started ? sleep(this.#clock, pause) : undefined));
    await made;
  }
}

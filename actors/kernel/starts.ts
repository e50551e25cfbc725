/** Admits starts of work one after another, so that a process is not held up by many of them at once. */
import type { Clock } from './clock.ts';

/** The right to start something. */
export interface Turn {
  /** Ends it, exactly once; `started` is false where nothing was started. */
  end(started: boolean): void;
}

/**
 * After a start the event loop is looked at, every `look` ms: the next one waits until a look comes on time, which is less
 * than `late` ms after it was due, or `longest` ms have passed.
 */
const pace = { look: 100, late: 50, longest: 1_000 };

/** The starts of one process, or of one part of it. */
export class Starts {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when it is the turn of the caller. */
  turn(): Promise<Turn> {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.#waiting.push(() => resolve({ end: (started) => this.#end(started) }));
    this.#admit();
    return promise;
  }

  #admit(): void {
    if (this.#isBusy) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#isBusy = true;
    next();
  }

  #end(started: boolean): void {
    if (started) this.#look(this.#clock.monotonic());
    else this.#free();
  }

  #look(began: number): void {
    const due = this.#clock.monotonic() + pace.look;
    this.#clock.after(pace.look, () => {
      const now = this.#clock.monotonic();
      if (now - due < pace.late || now - began >= pace.longest) this.#free();
      else this.#look(began);
    });
  }

  #free(): void {
    this.#isBusy = false;
    this.#admit();
  }
}

/** Values whose making takes long: in steps, between which requests are served. */

/** Work in short steps, and its result. */
export type Steps<T> = Generator<undefined, T>;

/** Does all steps of a work at once. */
function whole<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** What is made when it is first asked for, or before that in steps. */
export class Made<T> {
  readonly #steps: () => Steps<T>;
  #value: T | undefined;
  /** Whether somebody has asked for it. */
  isRead = false;

  constructor(steps: () => Steps<T>) {
    this.#steps = steps;
  }

  /** Makes it at once where it is not there. */
  get(): T {
    this.isRead = true;
    this.#value ??= whole(this.#steps());
    return this.#value;
  }

  /** Makes it; until the last step it is not there. */
  *make(): Steps<void> {
    this.#value = yield* this.#steps();
  }
}

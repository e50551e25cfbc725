/** Removes a listener; further calls do nothing. */
export type Unsubscribe = () => void;

/** Most listeners of one holder of snapshots: a few for each web worker are usual. */
const most = 1_000;

/**
 * The listeners of a value that changes. A listener is called synchronously after every change and must return at
 * once: it marks work for later. An exception in a listener is counted and otherwise ignored.
 */
export class Listeners {
  /** Null until the first listener: most holders never have one. */
  #listeners: Set<() => void> | null = null;
  #failures = 0;

  /** Exceptions of listeners. */
  get failures(): number {
    return this.#failures;
  }

  /** Null when there are too many listeners. */
  add(listener: () => void): Unsubscribe | null {
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    if (listeners.size >= most) return null;
    // A function of its own, so that one listener may be added twice.
    const call = () => listener();
    listeners.add(call);
    return () => void listeners.delete(call);
  }

  notify(): void {
    if (this.#listeners === null) return;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch {
        this.#failures++;
      }
    }
  }
}

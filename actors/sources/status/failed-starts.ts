/** How often sources could not begin their work. */

/** Counts the failed starts of a process, by source. */
export class FailedStarts {
  readonly #counts = new Map<string, number>();

  /** A source was gained, and threw as it began. */
  add(source: string): void {
    this.#counts.set(source, (this.#counts.get(source) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}

/** Those of this process. */
export const processFailedStarts = new FailedStarts();

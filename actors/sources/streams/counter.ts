/** Counts by reason, for `/v1/status`. */
export class Counter {
  #counts: Record<string, number> = {};

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts[reason] = (this.#counts[reason] ?? 0) + count;
  }

  /** The counts since the last call. */
  take(): Record<string, number> {
    const counts = this.#counts;
    this.#counts = {};
    return counts;
  }
}

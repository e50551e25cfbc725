/** Counts by key. The last key is counted apart from the others, without a look-up: most accounts use one for long. */
export class KeyCounts {
  #counts = new Map<string, number>();
  #key = '';
  #count = 0;

  /** Whether nothing has been counted. */
  get empty(): boolean {
    return this.#count === 0 && this.#counts.size === 0;
  }

  add(key: string, by: number): void {
    if (key !== this.#key) this.#tally();
    this.#key = key;
    this.#count += by;
  }

  /** All counts, which begin again. */
  take(): ReadonlyMap<string, number> {
    this.#tally();
    const counts = this.#counts;
    this.#counts = new Map();
    return counts;
  }

  #tally(): void {
    if (this.#count === 0) return;
    this.#counts.set(this.#key, (this.#counts.get(this.#key) ?? 0) + this.#count);
    this.#count = 0;
  }
}

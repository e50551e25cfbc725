/** Keys that were seen lately: what drops the repeats of an event. */
export interface RecentKeysLimits {
  /** How long a key is remembered at least, ms; at most twice that. */
  keep: number;
  /** Most keys of one `keep`; beyond it the older half is forgotten early. */
  maxKeys: number;
}

/**
 * Two generations in turn: adding is one look-up in each, and forgetting costs nothing. A repeat is remembered again. Time is
 * what the caller says it is, and does not run backwards.
 */
export class RecentKeys {
  readonly #limits: RecentKeysLimits;
  #newer = new Set<string>();
  #older = new Set<string>();
  #turned = Number.NEGATIVE_INFINITY;

  constructor(limits: RecentKeysLimits) {
    this.#limits = limits;
  }

  /** Adds a key at `now` (ms); false when it is remembered already. */
  add(key: string, now: number): boolean {
    const { keep, maxKeys } = this.#limits;
    if (now - this.#turned >= keep || this.#newer.size >= maxKeys) {
      this.#older = now - this.#turned >= 2 * keep ? new Set<string>() : this.#newer;
      this.#newer = new Set<string>();
      this.#turned = now;
    }
    const { size } = this.#newer;
    return this.#newer.add(key).size > size && !this.#older.has(key);
  }

  clear(): void {
    this.#newer = new Set<string>();
    this.#older = new Set<string>();
  }
}

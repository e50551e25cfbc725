/** Keys that were seen lately: what drops the repeats of an event. */
import { KeyTable, type NumberKey } from './key-table.ts';

export type RecentKey = string | NumberKey;

export interface RecentKeysLimits {
  /** How long a key is remembered at least, ms; at most twice that. */
  keep: number;
  /** Most keys of one `keep`; beyond it the older half is forgotten early. */
  maxKeys: number;
}

/** The keys of one `keep`. */
class Generation {
  readonly #texts = new Set<string>();
  readonly #numbers = new KeyTable();

  get size(): number {
    return this.#texts.size + this.#numbers.size;
  }

  has(key: RecentKey): boolean {
    return typeof key === 'string' ? this.#texts.has(key) : this.#numbers.has(key);
  }

  /** False when it is there already. */
  add(key: RecentKey): boolean {
    if (typeof key !== 'string') return this.#numbers.add(key);
    const { size } = this.#texts;
    return this.#texts.add(key).size > size;
  }
}

/**
 * Two generations in turn: adding is one look-up in each, and forgetting costs nothing. A repeat is remembered again. Time is
 * what the caller says it is, and does not run backwards.
 */
export class RecentKeys {
  readonly #limits: RecentKeysLimits;
  #newer = new Generation();
  #older = new Generation();
  #turned = Number.NEGATIVE_INFINITY;

  constructor(limits: RecentKeysLimits) {
    this.#limits = limits;
  }

  /** Adds a key at `now` (ms); false when it is remembered already. */
  add(key: RecentKey, now: number): boolean {
    const { keep, maxKeys } = this.#limits;
    if (now - this.#turned >= keep || this.#newer.size >= maxKeys) {
      this.#older = now - this.#turned >= 2 * keep ? new Generation() : this.#newer;
      this.#newer = new Generation();
      this.#turned = now;
    }
    return this.#newer.add(key) && (this.#older.size === 0 || !this.#older.has(key));
  }

  clear(): void {
    this.#newer = new Generation();
    this.#older = new Generation();
  }
}

/** Ready answers of one kind, by variant. */

/** Most answers of one kind, and most bytes of them. */
export interface Bound {
  variants: number;
  bytes: number;
}

/** Of answers whose variants clients choose, such as a limit of rows. */
export const usualBound: Bound = { variants: 64, bytes: 4 * 2 ** 20 };

interface Entry<T> {
  value: T;
  /** The keys whose changes concern it; every change does when absent. */
  keys: readonly string[] | undefined;
  bytes: number;
}

type Variant = string | number;

/** With a bound the least recently used is dropped first, and the newest never. */
export class ReadyAnswers<T> {
  readonly #bound: Bound | undefined;
  readonly #entries = new Map<Variant, Entry<T>>();
  readonly #byKey = new Map<string, Set<Variant>>();
  #latest: Variant | null = null;
  #bytes = 0;

  constructor(bound?: Bound) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(variant: Variant): T | undefined {
    const found = this.#entries.get(variant);
    if (found === undefined) return undefined;
    if (this.#bound !== undefined && variant !== this.#latest) {
      this.#entries.delete(variant);
      this.#entries.set(variant, found);
      this.#latest = variant;
    }
    return found.value;
  }

  add(variant: Variant, entry: Entry<T>): void {
    this.#remove(variant);
    this.#entries.set(variant, entry);
    this.#latest = variant;
    this.#bytes += entry.bytes;
    for (const key of entry.keys ?? []) {
      const variants = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, variants.add(variant));
    }
    if (this.#bound !== undefined) this.#trim(this.#bound);
  }

  /** Drops the answers that a change of these keys concerns; all of them for null. */
  drop(keys: Iterable<string> | null): void {
    if (this.#entries.size === 0) return;
    if (keys === null || this.#byKey.size === 0) {
      this.#entries.clear();
      this.#byKey.clear();
      this.#bytes = 0;
      return;
    }
    for (const key of keys) {
      for (const variant of this.#byKey.get(key) ?? []) this.#remove(variant);
    }
  }

  #trim({ variants, bytes }: Bound): void {
    for (const variant of this.#entries.keys()) {
      const fits = this.#entries.size <= variants && this.#bytes <= bytes;
      if (fits || this.#entries.size === 1) break;
      this.#remove(variant);
    }
  }

  #remove(variant: Variant): void {
    const entry = this.#entries.get(variant);
    if (entry === undefined) return;
    this.#entries.delete(variant);
    this.#bytes -= entry.bytes;
    for (const key of entry.keys ?? []) {
      const variants = this.#byKey.get(key);
      variants?.delete(variant);
      if (variants?.size === 0) this.#byKey.delete(key);
    }
  }
}

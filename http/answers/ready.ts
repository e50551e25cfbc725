/** Ready answers of one kind, by variant. */
import { type Bound, BoundedMap } from '../wire/bounded-map.ts';

/** Of answers whose variants clients choose, such as a limit of rows. */
export const usualBound: Bound = { entries: 64, bytes: 4 * 2 ** 20 };

interface Entry<T> {
  value: T;
  /** The keys whose changes concern it; every change does when absent. */
  keys: readonly string[] | undefined;
  bytes: number;
}

type Variant = string | number;

/** With a bound the least recently used is dropped first, and the newest never. */
export class ReadyAnswers<T> {
  readonly #isBounded: boolean;
  readonly #entries: BoundedMap<Variant, Entry<T>>;
  readonly #byKey = new Map<string, Set<Variant>>();

  constructor(bound?: Bound) {
    this.#isBounded = bound !== undefined;
    this.#entries = new BoundedMap<Variant, Entry<T>>(
      bound ?? { entries: Number.POSITIVE_INFINITY },
      { bytesOf: ({ bytes }) => bytes, dropped: (entry, variant) => this.#unlist(variant, entry) },
    );
  }

  get size(): number {
    return this.#entries.size;
  }

  get(variant: Variant): T | undefined {
    const found = this.#isBounded ? this.#entries.use(variant) : this.#entries.get(variant);
    return found?.value;
  }

  add(variant: Variant, entry: Entry<T>): void {
    this.#remove(variant);
    for (const key of entry.keys ?? []) {
      const variants = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, variants.add(variant));
    }
    this.#entries.set(variant, entry);
  }

  /** Drops the answers that a change of these keys concerns; all of them for null. */
  drop(keys: Iterable<string> | null): void {
    if (this.#entries.size === 0) return;
    if (keys === null || this.#byKey.size === 0) {
      this.#entries.clear();
      this.#byKey.clear();
      return;
    }
    for (const key of keys) {
      for (const variant of this.#byKey.get(key) ?? []) this.#remove(variant);
    }
  }

  #remove(variant: Variant): void {
    const entry = this.#entries.get(variant);
    if (entry === undefined) return;
    this.#entries.delete(variant);
    this.#unlist(variant, entry);
  }

  #unlist(variant: Variant, { keys = [] }: Entry<T>): void {
    for (const key of keys) {
      const variants = this.#byKey.get(key);
      variants?.delete(variant);
      if (variants?.size === 0) this.#byKey.delete(key);
    }
  }
}

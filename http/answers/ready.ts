/** Ready answers of one kind, by variant. */
import { type Bound, BoundedMap } from '../wire/bounded-map.ts';

/** Keys of what has changed; they are read more than once. */
export type Keys = readonly string[] | ReadonlySet<string>;

/** Of answers whose variants clients choose, such as a limit of rows. */
export const usualBound: Bound = { entries: 64, bytes: 4 * 2 ** 20 };
/** Of answers about symbols, of which there are some thousands. */
export const symbolBound: Bound = { entries: 10_000, bytes: 32 * 2 ** 20 };

interface Entry<T> {
  value: T;
  /** The keys whose changes concern it; every change does when absent. */
  keys: readonly string[] | undefined;
  bytes: number;
}

type Variant = string | number;

const everyKey: readonly (string | null)[] = [null];

/** The oldest is dropped first, and the newest never. */
export class ReadyAnswers<T> {
  readonly #entries: BoundedMap<Variant, Entry<T>>;
  readonly #dropped: (value: T) => void;
  /** The variants that a change of a key concerns; under null those that every change does. */
  readonly #byKey = new Map<string | null, Set<Variant>>();

  /** `dropped` gets each answer that is not kept any more. */
  constructor(bound: Bound, dropped: (value: T) => void) {
    this.#dropped = dropped;
    this.#entries = new BoundedMap<Variant, Entry<T>>(bound, {
      bytesOf: ({ bytes }) => bytes,
      dropped: (entry, variant) => this.#unlist(variant, entry),
    });
  }

  get(variant: Variant): T | undefined {
    return this.#entries.get(variant)?.value;
  }

  add(variant: Variant, entry: Entry<T>): void {
    this.#remove(variant);
    for (const key of entry.keys ?? everyKey) {
      const variants = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, variants.add(variant));
    }
    this.#entries.set(variant, entry);
  }

  /** Drops the answers that a change of these keys concerns; all of them for null. */
  drop(keys: Keys | null): void {
    if (this.#entries.size === 0) return;
    if (keys === null) {
      for (const { value } of this.#entries.values()) this.#dropped(value);
      this.#entries.clear();
      this.#byKey.clear();
      return;
    }
    this.#dropOf(null);
    for (const key of keys) this.#dropOf(key);
  }

  #dropOf(key: string | null): void {
    const variants = this.#byKey.get(key);
    if (variants === undefined) return;
    for (const variant of variants) this.#remove(variant);
  }

  #remove(variant: Variant): void {
    const entry = this.#entries.get(variant);
    if (entry === undefined) return;
    this.#entries.delete(variant);
    this.#unlist(variant, entry);
  }

  #unlist(variant: Variant, { keys, value }: Entry<T>): void {
    this.#dropped(value);
    for (const key of keys ?? everyKey) {
      const variants = this.#byKey.get(key);
      variants?.delete(variant);
      if (variants?.size === 0) this.#byKey.delete(key);
    }
  }
}

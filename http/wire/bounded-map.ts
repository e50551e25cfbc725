/** Most entries of a map, and most bytes of their values. */
export interface Bound {
  entries: number;
  bytes?: number;
}

interface Options<K, V> {
  /** Bytes of a value; needed where they are bounded. */
  bytesOf?: (value: V) => number;
  /** Gets what the bound removes, and nothing else. */
  dropped?: (value: V, key: K) => void;
}

/**
 * A map of what may be made again: beyond its bound the oldest entries are dropped, the newest never. An entry is as old as
 * its latest `set`.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: Required<Bound>;
  readonly #bytesOf: (value: V) => number;
  readonly #dropped: (value: V, key: K) => void;
  #bytes = 0;

  constructor(
    { entries, bytes = Number.POSITIVE_INFINITY }: Bound,
    { bytesOf = () => 0, dropped = () => {} }: Options<K, V> = {},
  ) {
    super();
    this.#most = { entries, bytes };
    this.#bytesOf = bytesOf;
    this.#dropped = dropped;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    this.#bytes += this.#bytesOf(value);
    this.#trim();
    return this;
  }

  override delete(key: K): boolean {
    const value = this.get(key);
    if (value !== undefined) this.#bytes -= this.#bytesOf(value);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#bytes = 0;
  }

  #trim(): void {
    if (this.#fits()) return;
    for (const [key, value] of this) {
      this.delete(key);
      this.#dropped(value, key);
      if (this.#fits()) return;
    }
  }

  #fits(): boolean {
    const { entries, bytes } = this.#most;
    return (this.size <= entries && this.#bytes <= bytes) || this.size === 1;
  }
}

/** Documents: answers that are computed once for all clients and published by name. */
import type { ApiError } from '../errors.ts';
import { jsonText } from '../json.ts';
import { JsonText } from '../json-text.ts';
import { Listeners, type Unsubscribe } from '../listeners.ts';
import { Snapshot } from '../snapshots.ts';

/** Most ready snapshots of one answer: clients may ask for any limit. Bytes are those of bodies. */
const most = { variants: 64, bytes: 4 * 2 ** 20 } as const;

/** Ready snapshots of one answer by variant. The least recently used is dropped first, and the newest never. */
class Ready<T> {
  readonly #snapshots = new Map<string | number, Snapshot<T>>();
  #latest: string | number | null = null;
  #bytes = 0;

  get size(): number {
    return this.#snapshots.size;
  }

  get(variant: string | number): Snapshot<T> | undefined {
    const found = this.#snapshots.get(variant);
    if (found === undefined || variant === this.#latest) return found;
    this.#snapshots.delete(variant);
    this.#snapshots.set(variant, found);
    this.#latest = variant;
    return found;
  }

  add(variant: string | number, snapshot: Snapshot<T>): void {
    this.#snapshots.set(variant, snapshot);
    this.#latest = variant;
    this.#bytes += snapshot.length;
    for (const [name, { length }] of this.#snapshots) {
      const fits = this.#snapshots.size <= most.variants && this.#bytes <= most.bytes;
      if (fits || this.#snapshots.size === 1) break;
      this.#snapshots.delete(name);
      this.#bytes -= length;
    }
  }

  clear(): void {
    this.#snapshots.clear();
    this.#bytes = 0;
  }
}

/** The age of a document. */
export interface Age {
  /** When its newest input was received, Unix ms; 0 where it has had none. */
  received: number;
  /** Age from which its answers are stale, ms. */
  staleAfter: number;
}

/** The text of an answer. Where it states the age of its newest reading as `updated_at`, Unix ms, that is its `asOf`. */
export function answerText<T extends object>(data: T): JsonText<T> {
  const stated = 'updated_at' in data ? data.updated_at : null;
  return jsonText<T>(data, typeof stated === 'number' ? stated : null);
}

/** One answer made of a document; null while there is no value. */
export type Answers<Q, T, E> = (query: Q) => Snapshot<T> | E | null;

/** The current value of one document, and the ready snapshots of the answers that are made of it. */
export class Document<V> {
  readonly #ageOf: (value: V) => Age;
  readonly #ready: Ready<unknown>[] = [];
  readonly #listeners = new Listeners();
  #value: V | null = null;
  #stale = false;

  constructor(ageOf: (value: V) => Age) {
    this.#ageOf = ageOf;
  }

  /** Takes a value; a value older than the current one is ignored. `now` is Unix ms. */
  accept(value: V, now: number): void {
    const { received } = this.#ageOf(value);
    if (this.#value !== null && this.#ageOf(this.#value).received > received) return;
    this.#value = value;
    this.#stale = this.isStale(value, now);
    this.change();
  }

  /** Marks the answers as stale when the value has become so, or as fresh again. */
  expire(now: number): void {
    if (this.#value === null || this.isStale(this.#value, now) === this.#stale) return;
    this.#stale = !this.#stale;
    this.change();
  }

  /** The value and whether it is stale; null while there is none. */
  current(): { value: V; stale: boolean } | null {
    return this.#value === null ? null : { value: this.#value, stale: this.#stale };
  }

  isStale(value: V, now: number): boolean {
    const { received, staleAfter } = this.#ageOf(value);
    return now - received > staleAfter;
  }

  /** Another input of the answers has changed: they are made again at their next request. */
  change(): void {
    for (const ready of this.#ready) ready.clear();
    this.#listeners.notify();
  }

  /** Declares an answer. `build` is called at the first request for a variant after a change; errors are not stored. */
  answers<Q, T, E extends ApiError>(
    variantOf: (query: Q) => string | number,
    build: (value: V, query: Q, stale: boolean) => JsonText<T> | E,
  ): Answers<Q, T, E> {
    const ready = new Ready<T>();
    this.#ready.push(ready);
    return (query) => {
      const variant = variantOf(query);
      const known = ready.get(variant);
      if (known !== undefined) return known;
      if (this.#value === null) return null;
      const built = build(this.#value, query, this.#stale);
      if (!(built instanceof JsonText)) return built;
      const { received } = this.#ageOf(this.#value);
      const asOf = built.asOf ?? (received > 0 ? received : null);
      const snapshot = new Snapshot(new JsonText<T>(built.text, asOf));
      ready.add(variant, snapshot);
      return snapshot;
    };
  }

  /** Ready snapshots of all answers. */
  get ready(): number {
    return this.#ready.reduce((sum, { size }) => sum + size, 0);
  }

  /** Calls `listener` after every change. Null when there are too many listeners. */
  subscribe(listener: () => void): Unsubscribe | null {
    return this.#listeners.add(listener);
  }

  /** Exceptions of listeners. */
  get failures(): number {
    return this.#listeners.failures;
  }
}

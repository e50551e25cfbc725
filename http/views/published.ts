/** Documents: values that are published whole, by name, and become stale. */
import { View } from './view.ts';

/** The age of a document. */
export interface Age {
  /** When its newest input was received, Unix ms; 0 where it has had none. */
  received: number;
  /** Age from which its answers are stale, ms. */
  staleAfter: number;
}

/** The current value of one document, and the source of the answers that are made of it. */
export class Document<V> extends View {
  readonly #ageOf: (value: V) => Age;
  #value: V | null = null;

  constructor(ageOf: (value: V) => Age) {
    super(() => (this.#value === null ? null : ageOf(this.#value).received || null));
    this.#ageOf = ageOf;
  }

  /** Takes a value; a value older than the current one is ignored. `now` is Unix ms. */
  accept(value: V, now: number): void {
    const { received } = this.#ageOf(value);
    if (this.#value !== null && this.#ageOf(this.#value).received > received) return;
    this.#value = value;
    this.expire(now);
    this.source.change();
  }

  /** The value and whether it is stale; null while there is none. */
  current(): { value: V; stale: boolean } | null {
    if (this.#value === null) return null;
    const stale = this.isStale(this.#value, this.source.now);
    if (!stale) this.source.holdsUntil(this.#staleFrom(this.#value));
    return { value: this.#value, stale };
  }

  isStale(value: V, now: number): boolean {
    return now > this.#staleFrom(value);
  }

  /** The last time at which a value is fresh, Unix ms. */
  #staleFrom(value: V): number {
    const { received, staleAfter } = this.#ageOf(value);
    return received + staleAfter;
  }
}

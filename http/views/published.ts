/** Documents: values that are published whole, by name, and become stale. */
import { Source } from '../answers/source.ts';

/** The age of a document. */
export interface Age {
  /** When its newest input was received, Unix ms; 0 where it has had none. */
  received: number;
  /** Age from which its answers are stale, ms. */
  staleAfter: number;
}

/** The current value of one document, and the source of the answers that are made of it. */
export class Document<V> {
  readonly source = new Source(() => {
    const received = this.#value === null ? 0 : this.#ageOf(this.#value).received;
    return received > 0 ? received : null;
  });
  readonly #ageOf: (value: V) => Age;
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
    this.source.change();
  }

  /** Marks the answers as stale when the value has become so, or as fresh again. */
  expire(now: number): void {
    if (this.#value === null || this.isStale(this.#value, now) === this.#stale) return;
    this.#stale = !this.#stale;
    this.source.change();
  }

  /** The value and whether it is stale; null while there is none. */
  current(): { value: V; stale: boolean } | null {
    return this.#value === null ? null : { value: this.#value, stale: this.#stale };
  }

  isStale(value: V, now: number): boolean {
    const { received, staleAfter } = this.#ageOf(value);
    return now - received > staleAfter;
  }
}

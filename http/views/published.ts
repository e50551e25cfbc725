/** Documents: answers that are computed once for all clients and published by name. */

import { jsonText } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import { usualBound } from '../answers/ready.ts';
import { type Answers, Source, type Unsubscribe } from '../answers/source.ts';
import type { ApiError } from '../wire/errors.ts';

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

/** The current value of one document, and the answers that are made of it. */
export class Document<V> {
  readonly #ageOf: (value: V) => Age;
  readonly #source = new Source();
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
    this.#source.change();
  }

  /** Declares an answer. `build` is called at the first request for a variant after a change; errors are not stored. */
  answers<Q, T, E extends ApiError>(
    variantOf: (query: Q) => string | number,
    build: (value: V, query: Q, stale: boolean) => JsonText<T> | E,
  ): Answers<Q, T, E> {
    return this.#source.answers<Q, T, E>({
      variantOf,
      bound: usualBound,
      build: (query) => {
        if (this.#value === null) return null;
        const built = build(this.#value, query, this.#stale);
        if (!(built instanceof JsonText)) return built;
        const { received } = this.#ageOf(this.#value);
        return new JsonText<T>(built.text, built.asOf ?? (received > 0 ? received : null));
      },
    });
  }

  /** Ready answers. */
  get ready(): number {
    return this.#source.ready;
  }

  /** Calls `listener` after every change. */
  listen(listener: () => void): Unsubscribe {
    return this.#source.listen(undefined, listener);
  }
}

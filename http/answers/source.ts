/** Sources of answers in memory: they keep the ready ones and announce which of them have changed. */
import type { Bound } from '../wire/bounded-map.ts';
import { type ApiError, isApiError, warmingUp } from '../wire/errors.ts';
import { jsonText } from './json.ts';
import { JsonText } from './json-text.ts';
import { type Keys, ReadyAnswers, usualBound } from './ready.ts';
import { Snapshot } from './snapshots.ts';

/** Removes a listener; further calls do nothing. */
export type Unsubscribe = () => void;

/** Called with the key that has changed; without one where all have, or where every key concerns it. */
export type Listener = (key?: string) => void;

/** How the answers of one kind are made. `Q` is what they are asked with: text, numbers, or an object of such. */
export interface Fold<in Q, out T> {
  /**
   * Makes the data of an answer, at the first read after a change; null while there are none. Errors are not kept. The answer
   * is as old as the text says, or as `updated_at` of the data (Unix ms), or as the source.
   */
  build(query: Q): T | JsonText<T> | ApiError | null;
  /** The keys whose changes concern the answer, such as a symbol. Every change of the source does when absent. */
  keysOf?: ((query: Q) => readonly string[] | undefined) | undefined;
  /** Most ready answers; `usualBound` when absent. */
  bound?: Bound | undefined;
}

/** One kind of answer; null while there are no data. */
export interface Answers<in Q, out T> {
  (query: Q): Snapshot<T> | ApiError | null;
  /** Makes the data of the answer as they are now, without bytes. Nothing of them is kept: they hold until the source changes. */
  data(query: Q): JsonText<T> | ApiError | null;
  /** Calls `listener` after each change that can concern the answer to `query`, whether there is an answer or not. */
  listen(query: Q, listener: Listener): Unsubscribe;
}

/** The ready answers of one kind, and what a change costs them. */
interface Kept {
  drop(keys: Keys | null): void;
}

const isError = (built: unknown): built is ApiError =>
  typeof built === 'object' && built !== null && isApiError(built);

const untilChanged = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** The text of data that may be text already. Where they state `updated_at`, Unix ms, that is their `asOf`. */
function answerText<T>(data: T | JsonText<T>): JsonText<T> {
  if (data instanceof JsonText) return data;
  const isObject = typeof data === 'object' && data !== null;
  const stated = isObject && 'updated_at' in data ? data.updated_at : null;
  return jsonText<T>(data, typeof stated === 'number' ? stated : null);
}

/** Texts of queries. Equal requests have the same object of values (`createCheck`). */
const texts = new WeakMap<object, string>();

function variantOf(query: unknown): string | number {
  if (typeof query === 'string' || typeof query === 'number') return query;
  if (typeof query !== 'object' || query === null) return '';
  const known = texts.get(query);
  if (known !== undefined) return known;
  const text = JSON.stringify(query);
  texts.set(query, text);
  return text;
}

/**
 * The source of answers. Whoever changes its data calls `change` with the keys of what has changed (symbols, exchanges,
 * names), or without for everything. That drops the ready answers concerned and calls their listeners; nothing is made
 * before somebody reads. A listener must return at once, and an exception in it is ignored.
 *
 * It also knows the time, and how long answers hold that change by themselves: who makes one says so (`holdsUntil`).
 */
export class Source {
  readonly #received: () => number | null;
  #now = 0;
  /** When the first of the answers that were made does not hold any more, Unix ms. */
  #until = Infinity;
  /** Sources that are made of this one. */
  readonly #derived: Source[] = [];
  readonly #kept: Kept[] = [];
  readonly #ofKey = new Map<string, Set<Listener>>();
  readonly #ofAny = new Set<Listener>();

  /** `received` gives when the newest of its data were received, Unix ms; null where that is not known. */
  constructor(received: () => number | null = () => null) {
    this.#received = received;
  }

  /** A source of answers that are made of those of others, whose keys mean the same: it changes with each of them. */
  static of(inputs: readonly Source[]): Source {
    const made = new Source();
    for (const input of inputs) input.#derived.push(made);
    return made;
  }

  /** The time that it was told last, Unix ms. */
  get now(): number {
    return this.#now;
  }

  /** Tells it the time, Unix ms: about every second, and with each reading. Announces a change where an answer does not hold any more. */
  expire(now: number): void {
    this.#now = now;
    if (now > this.#until) this.change();
    for (const one of this.#derived) one.expire(now);
  }

  /** The answer that is being made changes by itself after this time, Unix ms. */
  holdsUntil(time: number): void {
    this.#until = Math.min(this.#until, time);
  }

  /** The data of these keys have changed; those of all keys when absent. */
  change(keys?: Keys): void {
    if (keys === undefined) this.#until = Infinity;
    for (const kept of this.#kept) kept.drop(keys ?? null);
    if (this.#ofKey.size > 0) {
      for (const key of keys ?? this.#ofKey.keys()) notify(this.#ofKey.get(key), key);
    }
    notify(this.#ofAny);
    for (const one of this.#derived) one.change(keys);
  }

  /** Calls `listener` after each change of one of these keys; after every change when absent. */
  listen(keys: readonly string[] | undefined, listener: Listener): Unsubscribe {
    // A function of its own, so that one listener may be added twice.
    const call: Listener = (key) => listener(key);
    if (keys === undefined) {
      this.#ofAny.add(call);
      return () => void this.#ofAny.delete(call);
    }
    for (const key of keys) {
      const listeners = this.#ofKey.get(key) ?? new Set();
      this.#ofKey.set(key, listeners.add(call));
    }
    return () => {
      for (const key of keys) this.#remove(key, call);
    };
  }

  /** Declares a kind of answer. */
  answers<Q, T>({ build, keysOf, bound = usualBound }: Fold<Q, T>): Answers<Q, T> {
    const ready = new ReadyAnswers<Snapshot<T>>(bound, (snapshot) => {
      snapshot.kept.answer = null;
    });
    this.#kept.push(ready);
    const data = (query: Q): JsonText<T> | ApiError | null => {
      const built = build(query);
      if (built === null) return null;
      if (isError(built)) return built;
      const text = answerText<T>(built);
      return text.asOf === null ? text.dated(this.#received()) : text;
    };
    const read = (query: Q): Snapshot<T> | ApiError | null => {
      const variant = variantOf(query);
      const known = ready.get(variant);
      if (known !== undefined) return known;
      const found = data(query);
      if (found === null || isError(found)) return found;
      const snapshot = new Snapshot<T>(found);
      snapshot.kept = { answer: snapshot, ...untilChanged };
      ready.add(variant, { value: snapshot, keys: keysOf?.(query), bytes: snapshot.length });
      return snapshot;
    };
    return Object.assign(read, {
      data,
      listen: (query: Q, listener: Listener) => this.listen(keysOf?.(query), listener),
    });
  }

  #remove(key: string, call: Listener): void {
    const listeners = this.#ofKey.get(key);
    listeners?.delete(call);
    if (listeners?.size === 0) this.#ofKey.delete(key);
  }
}

/** An answer that a row gives out of memory, and what announces its changes. */
export interface Memory<V, D> {
  view(values: V): Snapshot<D> | ApiError;
  /** The data of the same answer without bytes, for who needs no bytes; read out of those of `view` when absent. */
  data?(values: V): JsonText<D> | ApiError;
  listen(values: V, listener: Listener): Unsubscribe;
}

/** The answers as a row gives them; `absent` is the error while there are no data. */
export const memoryOf = <V, D>(
  answers: Answers<V, D>,
  absent: ApiError = warmingUp,
): Required<Memory<V, D>> => ({
  view: (values) => answers(values) ?? absent,
  data: (values) => answers.data(values) ?? absent,
  listen: (values, listener) => answers.listen(values, listener),
});

function notify(listeners: ReadonlySet<Listener> | undefined, key?: string): void {
  if (listeners === undefined) return;
  for (const listener of listeners) {
    try {
      listener(key);
    } catch {
      // What a listener does is its own affair: the data have changed all the same.
    }
  }
}

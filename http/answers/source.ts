/** What answers in memory are made of. It keeps the ready ones and announces which of them have changed. */
import type { Bound } from '../wire/bounded-map.ts';
import { type ApiError, isApiError, warmingUp } from '../wire/errors.ts';
import { JsonText } from './json-text.ts';
import { ReadyAnswers } from './ready.ts';
import { Snapshot } from './snapshots.ts';

/** Removes a listener; further calls do nothing. */
export type Unsubscribe = () => void;

type Listener = () => void;

/** One kind of answer. `Q` is what it is asked with, `E` its errors; null while there are no data. */
export interface Answers<in Q, out T, out E = ApiError> {
  (query: Q): Snapshot<T> | E | null;
  /** Calls `listener` after each change that can concern the answer to `query`, whether there is an answer or not. */
  listen(query: Q, listener: Listener): Unsubscribe;
  /** The same for every change of their source. */
  listenAll(listener: Listener): Unsubscribe;
}

/** An answer that is the same whatever is asked. */
export interface Answer<out T> {
  (query?: unknown): Snapshot<T> | null;
  listen(query: unknown, listener: Listener): Unsubscribe;
  listenAll(listener: Listener): Unsubscribe;
}

export interface AnswerOptions<Q, T, E> {
  /** Equal for equal answers. */
  variantOf(query: Q): string | number;
  /** The keys whose changes concern the answer, such as a symbol. Every change of the source does when absent. */
  keysOf?(query: Q): readonly string[];
  /** Makes the answer; it is called at the first read after a change. Errors are not kept. */
  build(query: Q): JsonText<T> | E | null;
  /** Most ready answers, where clients choose among more variants than there are keys. */
  bound?: Bound;
}

/** The ready answers of one kind, and what a change costs them. */
interface Kept {
  readonly size: number;
  drop(keys: Iterable<string> | null): void;
}

/**
 * The source of answers. Whoever changes its data calls `change` with the keys of what has changed (symbols, exchanges,
 * names), or without for everything. That drops the ready answers concerned and calls their listeners; nothing is made
 * before somebody reads. A listener must return at once, and an exception in it is ignored.
 */
export class Source {
  readonly #kept: Kept[] = [];
  readonly #ofKey = new Map<string, Set<Listener>>();
  readonly #ofAny = new Set<Listener>();

  /** Ready answers of all kinds. */
  get ready(): number {
    return this.#kept.reduce((sum, { size }) => sum + size, 0);
  }

  /** The data of these keys have changed; those of all keys when absent. */
  change(keys?: Iterable<string>): void {
    const changed = keys === undefined ? null : [...keys];
    for (const kept of this.#kept) kept.drop(changed);
    if (changed === null) for (const listeners of this.#ofKey.values()) notify(listeners);
    else {
      for (const key of changed) {
        const listeners = this.#ofKey.get(key);
        if (listeners !== undefined) notify(listeners);
      }
    }
    notify(this.#ofAny);
  }

  /** Calls `listener` after each change of one of these keys; after every change when absent. */
  listen(keys: readonly string[] | undefined, listener: Listener): Unsubscribe {
    if (keys === undefined) {
      // A function of its own, so that one listener may be added twice.
      const call = () => listener();
      this.#ofAny.add(call);
      return () => void this.#ofAny.delete(call);
    }
    const ends = keys.map((key) => this.#listenTo(key, listener));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Declares a kind of answer. */
  answers<Q, T, E = never>(options: AnswerOptions<Q, T, E>): Answers<Q, T, E> {
    const { variantOf, keysOf, build, bound } = options;
    const ready = new ReadyAnswers<Snapshot<T>>(bound);
    this.#kept.push(ready);
    const read = (query: Q): Snapshot<T> | E | null => {
      const variant = variantOf(query);
      const known = ready.get(variant);
      if (known !== undefined) return known;
      const built = build(query);
      if (!(built instanceof JsonText)) return built;
      const snapshot = new Snapshot(built);
      ready.add(variant, { value: snapshot, keys: keysOf?.(query), bytes: snapshot.length });
      return snapshot;
    };
    return Object.assign(read, {
      listen: (query: Q, listener: Listener) => this.listen(keysOf?.(query), listener),
      listenAll: (listener: Listener) => this.listen(undefined, listener),
    });
  }

  /** Declares an answer that has no variants. */
  answer<T>(build: () => JsonText<T> | null): Answer<T> {
    return withoutQuery(this.answers<unknown, T>({ variantOf: () => '', build }));
  }

  #listenTo(key: string, listener: Listener): Unsubscribe {
    const listeners = this.#ofKey.get(key) ?? new Set();
    const call = () => listener();
    this.#ofKey.set(key, listeners.add(call));
    return () => {
      listeners.delete(call);
      if (listeners.size === 0 && this.#ofKey.get(key) === listeners) this.#ofKey.delete(key);
    };
  }
}

/** An answer that can be read without a query. */
export const withoutQuery = <T>(answers: Answers<unknown, T, never>): Answer<T> =>
  Object.assign((query?: unknown) => answers(query), {
    listen: answers.listen,
    listenAll: answers.listenAll,
  });

/** Answers of which `chosen` says by the query who makes them; `source` is that of all. */
export function either<Q, T, E = ApiError>(
  source: Source,
  chosen: (query: Q) => Answers<Q, T, E>,
): Answers<Q, T, E> {
  const read = (query: Q) => chosen(query)(query);
  return Object.assign(read, {
    listen: (query: Q, listener: Listener) => chosen(query).listen(query, listener),
    listenAll: (listener: Listener) => source.listen(undefined, listener),
  });
}

/** An answer that a row gives out of memory, and what announces its changes. */
export interface Memory<V, D> {
  view(values: V): Snapshot<D> | ApiError;
  listen(values: V, listener: Listener): Unsubscribe;
}

/** The answers as a row declares them: `query` says what its values ask for, which are themselves when it is absent. */
export type FromAnswers<V, D, Q> = {
  /** The answer while there are no data; `warming_up` when absent. */
  absent?: ApiError;
} & (
  | { answers: Answers<V, D>; query?: undefined }
  | { answers: Answers<Q, D>; query(values: V): Q | ApiError }
);

const isError = (query: unknown): query is ApiError =>
  typeof query === 'object' && query !== null && isApiError(query);

/** The same as the server reads it. */
export function memoryOf<V, D, Q>(from: FromAnswers<V, D, Q>): Memory<V, D> {
  const { absent = warmingUp } = from;
  if (from.query === undefined) {
    const { answers } = from;
    return {
      view: (values) => answers(values) ?? absent,
      listen: (values, listener) => answers.listen(values, listener),
    };
  }
  const { answers, query } = from;
  return {
    view(values) {
      const asked = query(values);
      return isError(asked) ? asked : (answers(asked) ?? absent);
    },
    listen(values, listener) {
      const asked = query(values);
      return isError(asked) ? answers.listenAll(listener) : answers.listen(asked, listener);
    },
  };
}

/** The origin of a row whose answer never changes. */
export const unchanging = <D>(snapshot: Snapshot<D>): Memory<unknown, D> => ({
  view: () => snapshot,
  listen: () => () => {},
});

function notify(listeners: ReadonlySet<Listener>): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch {
      // What a listener does is its own affair: the data have changed all the same.
    }
  }
}

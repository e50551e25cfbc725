/** The messages of subscriptions, by their mode. */
import { withLevels } from './levels.ts';
import { patched } from './patch.ts';

/** A version of an answer. */
export interface Update<T> {
  data: T;
  /** That of the answer, where the subscription has several (`symbol=*`); null otherwise. */
  path: string | null;
  version: string;
  /** When the newest reading in the data was received, Unix ms; null where it has no age. */
  asOf: number | null;
  /** When it was sent, Unix ms. */
  timestamp: number;
}

/** Events of a log, in its order. */
export interface Events<E> {
  /** Empty where a connection begins and there is nothing new. */
  events: readonly E[];
  /** The place after them, for `resume`. */
  position: string;
  /**
   * In the first message of a connection that goes on at a position: whether no event since then is missing. Null in all
   * other messages.
   */
  recovered: boolean | null;
  /** When it was sent, Unix ms. */
  timestamp: number;
}

/** How the messages of a mode are read. */
export interface Form<U> {
  mode: 'full' | 'patch' | 'log' | 'levels';
  /** An update replaces one with the same key that waits for the loop. */
  key(update: U): unknown;
  /** How many may wait; beyond that the subscription rests until the loop has taken them. */
  most: number;
  /** Null for a message that has no data; `lost` for one that says what has changed since a version that is not here. */
  read(message: Readonly<Record<string, unknown>>): U | null | 'lost';
  position(update: U): string;
}

function updateOf<T>(message: Readonly<Record<string, unknown>>, data: unknown): Update<T> {
  const { version, as_of, timestamp, path } = message;
  return {
    data: data as T,
    path: typeof path === 'string' ? path : null,
    version: String(version),
    asOf: typeof as_of === 'number' ? as_of : null,
    timestamp: Number(timestamp),
  };
}

/** The versions of an answer, of which the newest counts. */
export const versions = <T>(): Form<Update<T>> => ({
  mode: 'full',
  key: ({ path }) => path,
  most: Number.POSITIVE_INFINITY,
  read(message) {
    const { type, data } = message;
    return type === 'snapshot' || type === 'update' ? updateOf(message, data) : null;
  },
  position: ({ version }) => version,
});

/** The same, of which the service sends what has changed. */
export function patches<T>(): Form<Update<T>> {
  const whole = versions<T>();
  /** The last version of each answer, by its path. */
  const known = new Map<unknown, Update<T>>();
  return {
    ...whole,
    mode: 'patch',
    read(message) {
      const { type, from, patch, path = null } = message;
      const before = known.get(path);
      if (type === 'patch' && before?.version !== from) return 'lost';
      const update =
        type === 'patch' ? updateOf<T>(message, patched(before?.data, patch)) : whole.read(message);
      if (update !== null && update !== 'lost') known.set(path, update);
      return update;
    },
  };
}

/** The same of an order book, of which the service sends the levels that change. */
export function books<T>(): Form<Update<T>> {
  const whole = versions<T>();
  let known: Update<T> | null = null;
  return {
    ...whole,
    mode: 'levels',
    read(message) {
      if (message.type !== 'levels') {
        const update = whole.read(message);
        if (update !== null && update !== 'lost') known = update;
        return update;
      }
      const data = known?.version === message.from ? withLevels(known?.data, message) : null;
      if (data === null) return 'lost';
      known = updateOf<T>(message, data);
      return known;
    },
  };
}

/** The events of a log, of which each counts. */
export const events = <E>(): Form<Events<E>> => ({
  mode: 'log',
  key: (update) => update,
  most: 100,
  read({ type, events: list, position, recovered = null, timestamp }) {
    if (type !== 'events') return null;
    const about = { position: String(position), timestamp: Number(timestamp) };
    return { events: list as E[], recovered: recovered as boolean | null, ...about };
  },
  position: ({ position }) => position,
});

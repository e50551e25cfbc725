/** What the parsers of a stream remember: by connection, and of one message. */
import type { StreamContext } from '../sources/streams/stream.ts';

/** The value that `make` made for a connection, the same until it ends; a new one where no connection is given. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}

/**
 * The same reading, done once for a message about several topics: their parsers get it one after another, in one context. An
 * exception is not kept.
 */
export function readOnce<Found>(
  read: (message: unknown, context: StreamContext) => Found,
): typeof read {
  let last: { message: unknown; context: StreamContext; found: Found } | null = null;
  return (message, context) => {
    if (last?.context !== context || last.message !== message)
      last = { message, context, found: read(message, context) };
    return last.found;
  };
}

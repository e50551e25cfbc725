/** The memory of a stream's parser, by connection. */

/** The value that `make` made for a connection, the same until it ends; a new one where no connection is given. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}

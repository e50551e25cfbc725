/** What the parsers of a stream remember: by connection, and of one message. */
/** The value that `make` made for a connection, the same until it ends; a new one where no connection is given. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}

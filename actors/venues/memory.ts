/** What the parser of a stream remembers of a connection. */

/** What `make` made for a connection, the same until the connection ends; made anew where none is named. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}

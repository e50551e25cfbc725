/** Whether the service is heard: over the stream, or without a key at the last question. */

/** The connection as people read it. */
export type LinkState = 'live' | 'connecting' | 'offline';

let state: LinkState = 'connecting';
const listeners = new Set<(state: LinkState) => void>();

export const isLive = (): boolean => state === 'live';

export function become(next: LinkState): void {
  state = next;
  for (const listener of listeners) listener(state);
}

/** Calls back with each state, until the function that is returned is called. */
export function onLink(listener: (state: LinkState) => void): () => void {
  listeners.add(listener);
  listener(state);
  return () => listeners.delete(listener);
}

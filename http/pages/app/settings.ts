/** What a reader has chosen, kept in this browser. */
const prefix = 'tidemark.';

/** A value that survives the tab. What is there and cannot be read is as nothing. */
export function kept<V>(name: string, usual: V): { get(): V; set(value: V): void } {
  let value = usual;
  try {
    const text = localStorage.getItem(prefix + name);
    if (text !== null) value = JSON.parse(text);
  } catch {
    // A browser without storage, or a value of another version.
  }
  return {
    get: () => value,
    set(next) {
      value = next;
      try {
        localStorage.setItem(prefix + name, JSON.stringify(next));
      } catch {
        // It holds for this visit.
      }
    },
  };
}

/** Times as UTC or of this machine. */
export const zone = kept<'UTC' | 'local'>('zone', 'UTC');
/** Symbols of the watch list. */
export const watched = kept<readonly string[]>('watched', []);

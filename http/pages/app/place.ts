/** The view that the address names: `#/page/name?choices`. A link restores it. */
import { choice, idOf, type Option } from './dom.ts';

/** A page, what it is about, and what was chosen on it. */
export interface Place {
  page: string;
  about: string;
  chosen: URLSearchParams;
}

/** A part of the address as text; as it stands where it is none, such as `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', about = ''] = path.split('/');
  return {
    page: page || 'markets',
    about: decoded(about),
    chosen: new URLSearchParams(query),
  };
}

export function hashOf({ page, about, chosen }: Place): string {
  const query = chosen.toString();
  return `#/${page}${about === '' ? '' : `/${encodeURIComponent(about)}`}${query === '' ? '' : `?${query}`}`;
}

/** Writes a choice into the address, without a step in the history; an empty one leaves it. */
export function choose(changes: Readonly<Record<string, string>>): void {
  const place = placeOf(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') place.chosen.delete(name);
    else place.chosen.set(name, value);
  }
  history.replaceState(null, '', hashOf(place));
}

/** Writes a choice into the address as a step of the history: Back returns to what was shown before. */
export function go(changes: Readonly<Record<string, string>>): void {
  history.pushState(null, '', location.href);
  choose(changes);
}

/** Opens an address of the dashboard, also where it is the one that is shown. */
export function reopenAt(hash: string): void {
  if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}

/** Writes choices into the address, and opens the page anew with them. */
export function reopen(changes: Readonly<Record<string, string>>): void {
  choose(changes);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** A choice of a reader. */
export interface Chosen<V extends string = string> {
  get(): V;
  node: HTMLElement;
  /** Called when another one is chosen. */
  changed: () => void;
}

/** A choice that the address keeps under a name while it is not the usual one: the first where none is given. */
export function keptChoice<V extends string>(
  words: string,
  options: readonly [Option<V>, ...Option<V>[]],
  { name, usual = idOf(options[0]) }: { name: string; usual?: V },
): Chosen<V> {
  const wanted = placeOf(location.hash).chosen.get(name);
  let value = options.map(idOf).find((id) => id === wanted) ?? usual;
  const take = (next: V) => {
    value = next;
    choose({ [name]: next === usual ? '' : next });
    made.changed();
  };
  const node = choice(words, options, { chosen: value, choose: take });
  const made = { get: () => value, node, changed: () => {} };
  return made;
}

/** A kept choice that opens the page anew. */
export function pageChoice<V extends string>(
  words: string,
  options: readonly [Option<V>, ...Option<V>[]],
  name: string,
): Chosen<V> {
  return Object.assign(keptChoice(words, options, { name }), { changed: () => reopen({}) });
}

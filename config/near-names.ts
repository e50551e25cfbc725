/** Environment variables that are probably meant as settings and are none. */
import { table } from './table.ts';

/** After the name of a setting: the variable that names the file which holds it. */
export const fileSuffix = '_FILE';

const names: readonly string[] = Object.values(table).flatMap(({ env }) => [env, env + fileSuffix]);
const known = new Set(names);

/** Prefixes that only settings of this service have. */
const prefixes = ['TIDEMARK_', 'RPC_'];

const plain = (name: string): string => name.replaceAll('_', '').toUpperCase();

/**
 * Whether one insertion, removal, replacement or exchange of neighbours makes one text of the other.
 * https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance
 */
export function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [left, right] = [a.slice(at), b.slice(at)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** The setting that a name is probably meant as; null where it is like none. */
function nearest(name: string): string | null {
  const text = plain(name);
  return (
    names.find((one) => plain(one) === text) ??
    names.find((one) => isOneEditAway(plain(one), text)) ??
    null
  );
}

/** A variable that is no setting, and the setting that is probably meant. */
export interface NearName {
  name: string;
  meant: string | null;
}

/**
 * Variables of an environment that look like settings and are none: those with a prefix of ours, and those that differ from a
 * setting in one letter, in two exchanged ones, or in their underscores. Examples: `PROT`, `LOGLEVEL`.
 */
export const nearNames = (env: Readonly<Record<string, string | undefined>>): NearName[] =>
  Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]{2,}$/.test(name) && !known.has(name))
    .map((name) => ({ name, meant: nearest(name) }))
    .filter(({ name, meant }) => meant !== null || prefixes.some((one) => name.startsWith(one)));

/** What a client accepts: media types, and content codings. */
import { BoundedMap } from './bounded-map.ts';
import { type Encoding, encodings } from './compression.ts';

const mostRemembered = 256;

/** The same, with its results by header text: many clients send the same few headers. */
export function remembered<T>(choose: (header: string) => T): (header: string) => T {
  const choices = new BoundedMap<string, T>({ entries: mostRemembered });
  return (header) => {
    const known = choices.get(header);
    if (known !== undefined) return known;
    const choice = choose(header);
    choices.set(header, choice);
    return choice;
  };
}

/** The weights, from 0 to 1, of what an `Accept` or `Accept-Encoding` header names. */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    // Elements of a list may be empty (RFC 9110, 5.6.1.2), and a header that was not sent reads as one of them.
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const value = weight === undefined ? 1 : Number(weight.slice(2));
    found.set(name === 'x-gzip' ? 'gzip' : name, value >= 0 && value <= 1 ? value : 0);
  }
  return found;
}

function choose(header: string): Encoding | null {
  const given = weights(header);
  const weightOf = (encoding: Encoding) => given.get(encoding) ?? given.get('*') ?? 0;
  const best = Math.max(...encodings.map(weightOf));
  if (best === 0 || best < (given.get('identity') ?? 0)) return null;
  return encodings.find((encoding) => weightOf(encoding) === best) ?? null;
}

/**
 * The content coding for an `Accept-Encoding` header (RFC 9110, 12.5.3): the one with the greatest weight, among equals
 * the first of `encodings`; null for none. A client that also forbids `identity` still gets it.
 */
export const acceptedEncoding = remembered(choose);

const types = {
  json: 'application/json',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
} as const;

type Name = keyof typeof types;

/** Chooses of the offered formats the one that an `Accept` header (RFC 9110, 12.5.1) prefers; among equals the first, also without a header. */
const preferred = <N extends Name>(offered: readonly [N, ...N[]]) =>
  remembered((header): N => {
    const given = weights(header);
    const weightOf = (name: Name) => {
      const range = types[name].replace(/\/.*/, '/*');
      return given.get(types[name]) ?? given.get(range) ?? given.get('*/*') ?? 0;
    };
    return offered.reduce((best, name) => (weightOf(name) > weightOf(best) ? name : best));
  });

/** The format that an `Accept` header prefers of those of a file; JSON is the default. */
export const preferredFormat = preferred(['json', 'csv', 'parquet']);

const preferredOfTable = preferred(['json', 'csv']);

/** Whether an `Accept` header prefers CSV to JSON, which is the default. */
export const prefersCsv = (header: string): boolean =>
  header !== '' && header !== '*/*' && preferredOfTable(header) === 'csv';

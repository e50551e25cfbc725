/**
 * The readers of texts by strangers: any person can list a token, so its name may be of any length and hold
 * anything, and its numbers may be absurd.
 */
import { ShapeError } from '../failure.ts';
import { isRecord, required, text, type WireRow } from '../read.ts';
import { type Parsed, type Reading, readRows } from '../sources/define.ts';

/** Amounts above are refused, so that no sum of them can become infinite. */
const maxNumber = 1e30;
/** Most characters (code points) of a symbol or name. */
export const labelLimit = 64;
/** Most characters of an id, an address or a link: ids of some exchanges join two addresses and more. */
export const idLimit = 320;
/** Most entries of a list within a row. */
const listLimit = 1000;

/** A finite number that is not negative; NaN otherwise: drop the row. */
export function amount(value: unknown): number {
  const number = required(value);
  return number >= 0 && number <= maxNumber ? Math.abs(number) : Number.NaN;
}

/** `fallback` where the source says nothing; NaN where it says something unreadable. */
export const amountOr = <T>(value: unknown, fallback: T): number | T =>
  value === undefined || value === null ? fallback : amount(value);

/** A finite number of either sign, or `fallback` where the source says nothing; NaN where it is unreadable. */
export function signedOr<T>(value: unknown, fallback: T): number | T {
  if (value === undefined || value === null) return fallback;
  const number = required(value);
  return Math.abs(number) <= maxNumber ? number : Number.NaN;
}

/** False where any of the numbers is NaN. */
export const allReadable = (...numbers: readonly (number | null)[]): boolean =>
  !numbers.some((number) => Number.isNaN(number));

// Control characters, and those that turn the direction of the text around them.
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Text to show: without control characters and half characters, cut to `labelLimit` characters. Not escaped: JSON
 * needs none; code that writes it into HTML must escape it there. '' where it is not text.
 */
export function label(value: unknown): string {
  // Twice the units: a character may take two. A long text may lose some of its last characters.
  const seen = text(value)
    .slice(0, 4 * labelLimit)
    .toWellFormed()
    .replaceAll(unseen, '')
    .trim();
  if (seen.length <= labelLimit) return seen;
  return [...seen].slice(0, labelLimit).join('').trim();
}

/** An id, an address or a link: visible ASCII within `idLimit`; '' otherwise, drop the row. */
export function id(value: unknown): string {
  const found = text(value);
  return found.length <= idLimit && /^[!-~]+$/.test(found) ? found : '';
}

/** A link of the web; '' otherwise. */
export const link = (value: unknown): string => {
  const found = id(value);
  return found.startsWith('https://') ? found : '';
};

/** Labels of a list, without empty ones and repetitions; null where it is not a list. */
export function labels(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  return [...new Set(value.slice(0, listLimit).map(label))].filter((name) => name !== '');
}

/** An object's value at `key`, as a row; an empty row where there is none. */
export function part(row: WireRow, key: string): WireRow {
  const value = row[key];
  return isRecord(value) ? value : {};
}

/** The symbols of the two tokens of a pool; a token without one has none. */
export function symbolsOf(tokenA: WireRow, tokenB: WireRow) {
  const [a, b] = [label(tokenA.symbol), label(tokenB.symbol)];
  return { ...(a !== '' && { symbol_a: a }), ...(b !== '' && { symbol_b: b }) };
}

/** `readRows`, and of rows with one key only the first. */
export function uniqueRows<Row extends object>(
  values: readonly unknown[],
  key: (row: WireRow) => string,
  read: (row: WireRow) => Reading<Row>,
): Parsed<Row> {
  const seen = new Set<string>();
  return readRows(values, key, (row) => {
    const found = read(row);
    if (found === null || found === 'left_out') return found;
    const name = key(row);
    if (seen.has(name)) return 'left_out';
    seen.add(name);
    return found;
  });
}

/** The rows, or ShapeError where a list that is never empty has no such row. */
export function filled<Row>(parsed: Parsed<Row>, what: string): Parsed<Row> {
  if (parsed.rows.length + parsed.dropped.length === 0) throw new ShapeError(`${what}: none`);
  return parsed;
}

/** Where sources have another word for a chain than the service. */
const chains: ReadonlyMap<string, string> = new Map([
  ['op mainnet', 'optimism'],
  ['avax', 'avalanche'],
  ['binance', 'bsc'],
  ['eth', 'ethereum'],
  ['polygon_pos', 'polygon'],
  ['sui-network', 'sui'],
  ['ftm', 'fantom'],
  ['cro', 'cronos'],
  ['xdai', 'gnosischain'],
  ['sei-evm', 'seiv2'],
  ['starknet-alpha', 'starknet'],
  ['world-chain', 'worldchain'],
  ['flow-evm', 'flowevm'],
  ['manta-pacific', 'manta'],
  ['hedera-hashgraph', 'hedera'],
]);

/** A chain in the service's words: lower case, `op mainnet` is `optimism`. '' where it is not text. */
export function chainName(value: unknown): string {
  const name = label(value).toLowerCase();
  return chains.get(name) ?? name;
}

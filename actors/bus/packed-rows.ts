/**
 * Rows as columns: thousands of rows have the same keys, and many have the same texts, which would be most of the bytes and
 * of the time to write and read them. `[{a: 1, b: 'x'}, {a: 2, b: 'x'}, {a: 3}]` travels as `{of: [0, 0, 1], tables: [{count:
 * 2, keys: ['a', 'b'], columns: [[1, 2], {words: ['x'], at: [0, 0]}]}, {count: 1, keys: ['a'], columns: [[3]]}]}`: a row is
 * the next one of its table; `of` is left out where there is one table. A column is a list of values, places among words, or
 * rows themselves.
 */
import { isMap, numbersOf } from './packed-numbers.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows with the same keys in the same order. */
interface Table {
  keys: readonly string[];
  rows: Row[];
}

/** Whether a value is a list of rows. */
export const hasRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every(isMap);

/** Packs rows. */
export function packRows(rows: readonly Row[]) {
  const tables: Table[] = [];
  const of = rows.map((row) => placeOf(row, tables));
  const packed = tables.map(({ keys, rows: own }) => ({
    count: own.length,
    keys,
    columns: keys.map((key) => packColumn(own, key)),
  }));
  return tables.length === 1 ? { tables: packed } : { of, tables: packed };
}

/** Adds a row to its table; returns the place of the table. */
function placeOf(row: Row, tables: Table[]): number {
  const known = tables.findIndex(({ keys }) => isOf(row, keys));
  const table = tables[known];
  if (!table) return tables.push({ keys: Object.keys(row), rows: [row] }) - 1;
  table.rows.push(row);
  return known;
}

/** Whether a row has these keys in this order. */
function isOf(row: Row, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in row) if (key !== keys[at++]) return false;
  return at === keys.length;
}

function packColumn(rows: readonly Row[], key: string): unknown {
  const values = rows.map((row) => row[key]);
  const [first] = values;
  if (typeof first === 'string') return packWords(values) ?? values;
  if (typeof first === 'number' || first === null) return numbersOf(values) ?? values;
  return isPlain(first) && values.every(isPlain) ? packRows(values) : values;
}

const isPlain = (value: unknown): value is Row =>
  isMap(value) && Object.getPrototypeOf(value) === Object.prototype;

/** Null where there are other values than texts, or hardly any text is there twice. */
function packWords(values: readonly unknown[]) {
  const places = new Map<unknown, number>();
  const at: number[] = [];
  for (const value of values) {
    if (typeof value !== 'string') return null;
    const place = places.get(value) ?? places.size;
    if (place === places.size) places.set(value, place);
    at.push(place);
  }
  return 2 * places.size <= values.length ? { words: [...places.keys()], at } : null;
}

/** The rows as they were before `packRows`. Throws TypeError for what `packRows` does not make. */
export function unpackRows({ of, tables }: Row): Row[] {
  const parts = listOf(tables).map(rowsOf);
  if (of === undefined) return parts[0] ?? [];
  const next = parts.map(() => 0);
  return listOf(of).map((value) => {
    const place = Number(value);
    const row = parts[place]?.[next[place] ?? 0];
    if (row === undefined) throw new TypeError('packed rows: no row of this table');
    next[place] = (next[place] ?? 0) + 1;
    return row;
  });
}

function rowsOf(table: unknown): Row[] {
  if (!isMap(table)) throw new TypeError('packed rows: no table');
  const keys = listOf(table.keys).map(keyOf);
  const columns = listOf(table.columns).map(valuesOf);
  const length = Number(table.count);
  const isWhole = columns.length === keys.length && columns.every((one) => one.length === length);
  if (!isWhole) throw new TypeError('packed rows: not a table');
  return Array.from({ length }, (_, at) => {
    const row: Record<string, unknown> = {};
    let column = 0;
    for (const key of keys) row[key] = columns[column++]?.[at];
    return row;
  });
}

function valuesOf(column: unknown): readonly unknown[] {
  if (!isMap(column)) return listOf(column);
  if (!('words' in column)) return unpackRows(column);
  const words = listOf(column.words);
  return listOf(column.at).map((place) => words[Number(place)]);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('packed rows: not a list');
  return value;
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string' || key === '__proto__') throw new TypeError('packed rows: no key');
  return key;
}

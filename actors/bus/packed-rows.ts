/**
 * Rows as columns: thousands of rows have the same keys, and many have the same texts, which would be most of the bytes and
 * of the time to write and read them. `[{a: 1, b: 'x'}, {a: 2, b: 'x'}, {a: 3}]` travels as `{of: [0, 0, 1], tables: [{count:
 * 2, keys: ['a', 'b'], columns: [[1, 2], {words: ['x'], at: [0, 0]}]}, {count: 1, keys: ['a'], columns: [[3]]}]}`: a row is
 * the next one of its table; `of` is left out where there is one table. A column is a list of values, places among words, or
 * rows themselves.
 */
import { addExtension } from 'msgpackr';
import type { ColumnList } from '../topics/index.ts';
import { isMap, numbersOf } from './packed-numbers.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows with the same keys in the same order. */
class Table {
  readonly keys: readonly string[];
  readonly rows: Row[];

  constructor(keys: readonly string[], rows: Row[]) {
    this.keys = keys;
    this.rows = rows;
  }
}

/** In a reply, a long list of rows with the same keys. */
addExtension({
  Class: Table,
  type: 2,
  write: (table: Table) => ({ tables: [packTable(table)] }),
  read: (table: Row) => unpackRows(table),
});

/** Longer lists are not searched for lists. */
const mostSearched = 64;

/** The value with its long lists of numbers and of rows ready to travel; the same one where it has none. */
export function packLists(value: unknown): unknown {
  if (Array.isArray(value)) return packList(value);
  if (!isPlain(value)) return value;
  let changed: Record<string, unknown> | null = null;
  for (const key of Object.keys(value)) {
    const packed = packLists(value[key]);
    if (packed === value[key]) continue;
    changed ??= { ...value };
    changed[key] = packed;
  }
  return changed ?? value;
}

function packList(list: readonly unknown[]): unknown {
  const [first] = list;
  if (typeof first === 'number' || first === null) return numbersOf(list) ?? list;
  if (typeof first !== 'object') return list;
  if (list.length > mostSearched) return tableOf(list) ?? list;
  const packed = list.map(packLists);
  return packed.some((one, at) => one !== list[at]) ? packed : list;
}

/** The list as one table; null where its rows have different keys, or hold more than plain values. */
function tableOf(list: readonly unknown[]): Table | null {
  const [first] = list;
  const keys = isPlain(first) ? Object.keys(first) : [];
  const rows: Row[] = [];
  for (const row of list) {
    if (!isPlain(row) || !isOf(row, keys)) return null;
    rows.push(row);
  }
  const isFlat = keys.every((key) => typeof rows[0]?.[key] !== 'object' || rows[0][key] === null);
  return isFlat ? new Table(keys, rows) : null;
}

/** Whether a value is a list of rows. */
export const hasRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every(isMap);

/** Packs rows. */
export function packRows(rows: readonly Row[]) {
  const tables: Table[] = [];
  const of = rows.map((row) => placeOf(row, tables));
  const packed = tables.map(packTable);
  return tables.length === 1 ? { tables: packed } : { of, tables: packed };
}

const packTable = ({ keys, rows }: Table) => ({
  count: rows.length,
  keys,
  columns: keys.map((key) => packColumn(rows, key)),
});

/** Adds a row to its table; returns the place of the table. */
function placeOf(row: Row, tables: Table[]): number {
  const known = tables.findIndex(({ keys }) => isOf(row, keys));
  const table = tables[known];
  if (!table) return tables.push(new Table(Object.keys(row), [row])) - 1;
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

/**
 * The rows as they were before `packRows`, with the columns that are wanted. Throws TypeError for what `packRows` does not
 * make, and where a required column is missing.
 */
export function unpackRows({ of, tables }: Row, wanted?: ColumnList): Row[] {
  const parts = listOf(tables).map((table) => rowsOf(table, wanted));
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

function rowsOf(table: unknown, wanted?: ColumnList): Row[] {
  if (!isMap(table)) throw new TypeError('packed rows: no table');
  const keys = listOf(table.keys).map(keyOf);
  const columns = listOf(table.columns).map(valuesOf);
  const length = Number(table.count);
  const isWhole = columns.length === keys.length && columns.every((one) => one.length === length);
  if (!isWhole) throw new TypeError('packed rows: not a table');
  const known = keys.map((key) => wanted?.has(key) !== false);
  const added = wanted?.absent(keys) ?? [];
  wanted?.check(keys);
  return Array.from({ length }, (_, at) => {
    const row: Record<string, unknown> = {};
    let column = -1;
    for (const key of keys) if (known[++column]) row[key] = columns[column]?.[at];
    for (const key of added) row[key] = null;
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

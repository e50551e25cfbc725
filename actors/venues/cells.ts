/** Where the rows of an exchange have their values, and the step from its quantities to ours: once for all tables. Pure. */

import { ShapeError } from '../failure.ts';
import { isRecord, required, text, type WireRow } from '../read.ts';
import type { Instrument } from '../topics/index.ts';

export type Key = string | number;

/**
 * Where a value stands in a row: its key, or a function where it takes more than that, of the row and of what is known beside it. The
 * result of a function is read as the value at a key is: a text is a number where the column is one, and NaN is unknown.
 */
export type Cell<Of = undefined, About = undefined> =
  | Key
  | ((row: WireRow, of: Of, about: About) => unknown);

/** The value of a cell; undefined without one. */
export function valueIn(cell: Cell | undefined, row: WireRow): unknown;
export function valueIn<Of, About>(
  cell: Cell<Of, About> | undefined,
  row: WireRow,
  of: Of,
  about: About,
): unknown;
export function valueIn<Of, About>(
  cell: Cell<Of | undefined, About | undefined> | undefined,
  row: WireRow,
  of?: Of,
  about?: About,
): unknown {
  if (typeof cell === 'function') return cell(row, of, about);
  return cell === undefined ? undefined : row[cell];
}

/** Where a row has the id of its market. */
export type IdOfRow = Key | ((row: WireRow) => string);

/** The id in a row. */
export const idIn = (id: IdOfRow, row: WireRow): string =>
  typeof id === 'function' ? id(row) : text(row[id]);

/** The number of a cell; null without one, and where a function gives null: it is not stated. NaN is unreadable. */
export function given<Of>(cell: Cell<Of> | undefined, row: WireRow, of: Of): number | null {
  if (cell === undefined) return null;
  const value = valueIn(cell, row, of, undefined);
  return value === null && typeof cell === 'function' ? null : required(value);
}

/** The factors from the quantities of a market to canonical base units. */
export type Size = Pick<Instrument, 'scale' | 'contract' | 'inverse'>;

/**
 * A quantity in canonical base units, of one in contracts, or in native base units where a contract is one of them. An inverse contract
 * is worth so much of the quote: `price` is the native price.
 */
export function baseOf(
  { scale, contract, inverse }: Size,
  quantity: number,
  price: number,
): number {
  const size = quantity * contract;
  return inverse ? size / (price / scale) : size * scale;
}

/** A list in pieces of `size`. */
export const pieces = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

/** A field of linear markets, and the one that has the same of inverse markets. */
export const bySort =
  (linear: Key, inverse: Key) =>
  (row: WireRow, market: Instrument): unknown =>
    row[market.inverse ? inverse : linear];

/**
 * False for a list that has fewer than `columns` values: a value may be missing in the middle, and those after it then
 * stand in the wrong columns. True for everything that is not a list.
 */
export const isWhole = (row: unknown, columns: number): boolean =>
  !Array.isArray(row) || row.length >= columns;

/** Where a level of an order book has its price and its quantity. */
export interface LevelForm {
  price: string | number;
  quantity: string | number;
  /** The least length of a level that is a list (`isWhole`). */
  columns?: number;
}

/** `[price, quantity]`. */
export const pairForm: LevelForm = { price: 0, quantity: 1, columns: 2 };

/**
 * Rows out of an object that has one list for each column, in the order of `names`. ShapeError where a list is missing
 * or has another length than the first: the values of a row would not belong together.
 */
export function rowsFromColumns(columns: unknown, names: readonly string[]): unknown[][] {
  const lists = names.map((name): unknown[] => {
    const column = isRecord(columns) ? columns[name] : undefined;
    if (!Array.isArray(column)) throw new ShapeError(`${name}: not a list`);
    return column;
  });
  const [first = []] = lists;
  if (lists.some((column) => column.length !== first.length)) {
    throw new ShapeError('columns: their lengths differ');
  }
  return first.map((_, i) => lists.map((column) => column[i]));
}

/** Values of exchanges in place of a number: null, an empty string, or zero. */
const isNothing = (value: unknown): boolean =>
  value === null || value === '' || required(value) === 0;

/**
 * True for a market that was never traded: it has no last price (nothing, or no such key), and its 24 h volume is
 * stated as nothing. A volume beside a missing price is a fault, and so is a price that is not a number.
 */
export const neverTraded = (last: unknown, volume: unknown): boolean =>
  (last === undefined || isNothing(last)) && isNothing(volume);

/** The number, which may be zero, or `fallback` where it is absent, unreadable or negative. */
export function numberOr(value: unknown, fallback: number): number {
  const number = required(value);
  return number >= 0 ? number : fallback;
}

/** The base and the quote of an id that joins the two, such as `BTC-USDT`; null for an id of any other form. */
export function pairOf(id: string, separator: string): { base: string; quote: string } | null {
  const [base, quote, ...more] = id.split(separator);
  return base && quote && more.length === 0 ? { base, quote } : null;
}

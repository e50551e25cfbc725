/** Where the rows of an exchange have their values, and the step from its quantities to ours: once for all tables. Pure. */
import { required, type WireRow } from '../read.ts';
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

/** Conditions on a wire row before its values are read. */
import { ShapeError } from '../failure.ts';
import { isRecord, required } from '../read.ts';

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

/** Tables of cells as bytes, in forms that data tools read. */

/** A value of a row; null where it is not known. */
export type Cell = number | string | null;
export type Row = readonly Cell[];

/** The type of the values of a column: Unix ms, text, or a number with double precision. */
export type ColumnType = 'time' | 'text' | 'number';

export interface TableColumn {
  name: string;
  type: ColumnType;
}

/** Gives the bytes of a table some rows at a time, in their order; it keeps none of them. */
export interface TableEncoder {
  rows(rows: readonly Row[]): Uint8Array;
  /** The last bytes. */
  end(): Uint8Array;
}

export type EncoderOf = (columns: readonly TableColumn[]) => TableEncoder;

/** The cells of one column. */
export const cellsAt = (rows: readonly Row[], at: number): Cell[] =>
  rows.map((row) => row[at] ?? null);

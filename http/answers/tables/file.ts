/** A table that is read some rows at a time, for files of any length. */
import type { ApiError } from '../../wire/errors.ts';
import type { Question } from '../queries.ts';

/** A value of a row; null where it is not known. */
type Cell = number | string | null;
export type Row = readonly Cell[];

export interface TableColumn {
  name: string;
  /** Of the values: Unix ms or microseconds, text, or a number with double precision. */
  type: 'ms' | 'micros' | 'text' | 'number';
}

/** Asks a question once more where a later try may have an answer. */
export type AskQuestion = <D extends object>(question: Question<D>) => Promise<D | ApiError>;

export interface RowsFile {
  /** Of the file, without its end. */
  name: string;
  columns: readonly TableColumn[];
  /** Pages that it is asked for in; each counts as a request. */
  pages: number;
  /** The rows in their order; an error is the last part. */
  parts(ask: AskQuestion): AsyncGenerator<readonly Row[] | ApiError, void, undefined>;
}

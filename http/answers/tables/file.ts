/** A table that is read some rows at a time, for files of any length. */
import type { ApiError } from '../../wire/errors.ts';
import type { Question } from '../queries.ts';
import type { Row, TableColumn } from './encoder.ts';

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

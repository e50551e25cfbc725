/** Tables of cells as files that data tools read. Rows are written as CSV; DuckDB makes Parquet of it. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { csvLines, exactLines } from '../csv-lines.ts';
import type { Row, TableColumn } from './file.ts';
import { parquetOf } from './parquet.ts';

/** The forms of a table: media type, and the end of a file's name. */
export const tableFormats = {
  csv: { mediaType: 'text/csv', extension: 'csv' },
  parquet: { mediaType: 'application/vnd.apache.parquet', extension: 'parquet' },
} as const;
export type TableFormatName = keyof typeof tableFormats;

/** A file that is written some rows at a time. Nothing of it stays in memory. */
export class TableWriter {
  readonly #path: string;
  readonly #format: TableFormatName;
  readonly #columns: readonly TableColumn[];
  readonly #file: Promise<FileHandle>;
  readonly #hash = createHash('sha256');

  /** Begins the file at a path, where `<path>.csv` is free for use as well. */
  constructor(path: string, format: TableFormatName, columns: readonly TableColumn[]) {
    this.#path = path;
    this.#format = format;
    this.#columns = columns;
    this.#file = this.#begin();
    this.#file.catch(() => {});
  }

  get #draft(): string {
    return this.#format === 'csv' ? this.#path : `${this.#path}.csv`;
  }

  async #begin(): Promise<FileHandle> {
    const file = await open(this.#draft, 'w', 0o600);
    if (this.#format === 'csv')
      await file.appendFile(csvLines([this.#columns.map(({ name }) => name)]));
    return file;
  }

  /** Writes rows; gives the bytes that they take. */
  async rows(rows: readonly Row[]): Promise<number> {
    const text = this.#format === 'csv' ? csvLines(rows) : exactLines(rows);
    this.#hash.update(text);
    await (await this.#file).appendFile(text);
    return text.length;
  }

  /** Ends the file, which is whole then. Gives a text that is the same for equal rows. */
  async end(): Promise<string> {
    const file = await this.#file;
    await file.close();
    const digest = this.#hash.digest('base64url');
    if (this.#format === 'csv') return digest;
    try {
      await parquetOf(this.#draft, this.#path, this.#columns);
    } finally {
      await rm(this.#draft);
    }
    return digest;
  }

  /** Removes what there is of a file that is given up. */
  async drop(): Promise<void> {
    await (await this.#file).close().catch(() => {});
    for (const path of [this.#draft, this.#path]) await rm(path, { force: true });
  }
}

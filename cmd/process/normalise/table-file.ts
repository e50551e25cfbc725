/** Files of one data type, market and day, each of them whole or not there. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Cell, type DataType, forms } from '../../../actors/replay/columns.ts';
import { exactCell } from '../../../http/answers/csv-lines.ts';
import type { TableColumn } from '../../../http/answers/tables/file.ts';
import { parquetOf } from '../../../http/answers/tables/parquet.ts';

/** The first cells of every row. */
export type Lead = readonly [exchange: string, symbol: string, timestamp: number, local: number];

export interface TableFile {
  add(lead: Lead, rows: readonly (readonly Cell[])[]): void;
  /** Resolves when it can take more. */
  drained(): Promise<void>;
  /** Writes the end; it has its name from then on. */
  close(): Promise<void>;
}

const leading = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];
/** Characters that are written at once. */
const block = 65_536;

/** A number without an exponent: readers count its decimals. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return decimal(cell);
  return cell === null ? '' : /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Writes to `path` by way of a file with another name. */
export abstract class Partial {
  readonly #path: string;
  readonly #file;
  protected readonly to;
  #failure: Error | null = null;
  #wake = () => {};

  constructor(path: string, isCompressed: boolean) {
    this.#path = path;
    this.#file = createWriteStream(`${path}.partial`);
    this.#file.on('error', (error) => {
      this.#failure ??= error;
      this.#wake();
    });
    const gzip = isCompressed ? createGzip({ level: 6 }) : null;
    gzip?.pipe(this.#file);
    this.to = gzip ?? this.#file;
    this.to.on('drain', () => this.#wake());
  }

  async drained(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (!this.to.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  protected async end(): Promise<void> {
    this.to.end();
    await finished(this.#file);
    await rename(`${this.#path}.partial`, this.#path);
  }
}

/** CSV as Tardis has it: gzip, a header, no line where there is nothing. */
class CsvFile extends Partial implements TableFile {
  readonly #head: string;
  readonly #cellText: (cell: Cell) => string;
  #text = '';
  #isEmpty = true;

  constructor(path: string, head: string, cell: (cell: Cell) => string) {
    super(path, true);
    this.#head = head;
    this.#cellText = cell;
  }

  add([exchange, symbol, timestamp, local]: Lead, rows: readonly (readonly Cell[])[]): void {
    if (this.#isEmpty && rows.length > 0) this.#text = this.#head;
    for (const cells of rows) {
      let line = `${exchange},${symbol},${timestamp},${local}`;
      for (const cell of cells) line += `,${this.#cellText(cell)}`;
      this.#text += `${line}\n`;
      this.#isEmpty = false;
    }
    if (this.#text.length >= block) this.#flush();
  }

  async close(): Promise<void> {
    this.#flush();
    await this.end();
  }

  #flush(): void {
    if (this.#text !== '') this.to.write(this.#text);
    this.#text = '';
  }
}

/** Parquet by way of CSV beside it, whose cells are exact. */
class ParquetFile extends CsvFile {
  readonly #path: string;
  readonly #columns: TableColumn[];

  constructor(path: string, type: DataType) {
    super(`${path}.csv.gz`, '', exactCell);
    this.#path = path;
    const { columns, texts = [] } = forms[type];
    const typeOf = (name: string): TableColumn['type'] => {
      if (name.endsWith('timestamp')) return 'micros';
      return name === 'exchange' || name === 'symbol' || texts.includes(name) ? 'text' : 'number';
    };
    this.#columns = [...leading, ...columns].map((name) => ({ name, type: typeOf(name) }));
  }

  override async close(): Promise<void> {
    await super.close();
    const partial = `${this.#path}.partial`;
    await parquetOf(`${this.#path}.csv.gz`, partial, this.#columns);
    await rm(`${this.#path}.csv.gz`);
    await rename(partial, this.#path);
  }
}

export const tableFile = (
  path: string,
  type: DataType,
  format: 'tardis-csv' | 'parquet',
): TableFile =>
  format === 'parquet'
    ? new ParquetFile(path, type)
    : new CsvFile(path, `${[...leading, ...forms[type].columns].join(',')}\n`, cellText);

/** Files of one data type, market and day, each of them whole or not there. */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Cell, type DataType, forms } from '../../../actors/replay/columns.ts';
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
/** Characters, and rows, that are written at once. */
const block = { text: 65_536, rows: 5_000 };

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
  #text = '';
  #isEmpty = true;

  constructor(path: string, type: DataType) {
    super(path, true);
    this.#head = `${[...leading, ...forms[type].columns].join(',')}\n`;
  }

  add([exchange, symbol, timestamp, local]: Lead, rows: readonly (readonly Cell[])[]): void {
    if (this.#isEmpty && rows.length > 0) this.#text = this.#head;
    for (const cells of rows) {
      let line = `${exchange},${symbol},${timestamp},${local}`;
      for (const cell of cells) line += `,${cellText(cell)}`;
      this.#text += `${line}\n`;
      this.#isEmpty = false;
    }
    if (this.#text.length >= block.text) this.#flush();
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

class ParquetFile extends Partial implements TableFile {
  readonly #encoder;
  #rows: Cell[][] = [];

  constructor(path: string, type: DataType) {
    super(path, false);
    const { columns, texts = [] } = forms[type];
    const typeOf = (name: string) => {
      if (name.endsWith('timestamp')) return 'micros' as const;
      const isText = name === 'exchange' || name === 'symbol' || texts.includes(name);
      return isText ? ('text' as const) : ('number' as const);
    };
    this.#encoder = parquetOf(
      [...leading, ...columns].map((name) => ({ name, type: typeOf(name) })),
    );
  }

  add(lead: Lead, rows: readonly (readonly Cell[])[]): void {
    for (const cells of rows) this.#rows.push([...lead, ...cells]);
    if (this.#rows.length >= block.rows) this.#flush();
  }

  async close(): Promise<void> {
    this.#flush();
    this.to.write(this.#encoder.end());
    await this.end();
  }

  #flush(): void {
    if (this.#rows.length > 0) this.to.write(this.#encoder.rows(this.#rows));
    this.#rows = [];
  }
}

export const tableFile = (
  path: string,
  type: DataType,
  format: 'tardis-csv' | 'parquet',
): TableFile => (format === 'parquet' ? new ParquetFile(path, type) : new CsvFile(path, type));

/** The columns that the blocks of the SQLite store were written with, and the blocks that cannot be read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { BlockBytes, StoredColumn } from './block-bytes.ts';

/** A block as its table has it, with the number of the columns that it was written with. */
export interface StoredBytes extends BlockBytes {
  form: number;
  /** Null in blocks of versions that wrote none. */
  crc: number | null;
}

/** Bytes of another type are a block without any, which is a damaged one. */
export const storedBytesOf = ({
  data,
  backfilled,
  form,
  crc,
}: Record<string, unknown>): StoredBytes => ({
  data: data instanceof Uint8Array ? data : new Uint8Array(),
  backfilled: backfilled instanceof Uint8Array ? backfilled : null,
  form: Number(form),
  crc: crc === null ? null : Number(crc),
});

/** The CRC-32 of a block: of its id and form as decimal texts, its data, and its marks where it has some. */
export function crcOf(id: number, { data, backfilled, form }: Omit<StoredBytes, 'crc'>): number {
  const sum = crc32(data, crc32(`${id} ${form}`));
  return backfilled ? crc32(backfilled, sum) : sum;
}

/** A number for each list of columns that blocks were written with. */
export class Forms {
  readonly #db: DatabaseSync;
  readonly #known = new Map<number, readonly StoredColumn[]>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    for (const { id, columns } of db.prepare('SELECT id, columns FROM forms').all()) {
      this.#known.set(Number(id), parsed(String(columns)));
    }
  }

  /** The number of a list, given where there is none. */
  idOf(columns: readonly StoredColumn[]): number {
    const text = columns.map(({ name, digits }) => `${name}:${digits}`).join(' ');
    this.#db.prepare('INSERT OR IGNORE INTO forms (columns) VALUES (?)').run(text);
    const id = Number(this.#db.prepare('SELECT id FROM forms WHERE columns = ?').get(text)?.id);
    this.#known.set(id, parsed(text));
    return id;
  }

  /** The list of a number. Throws RangeError where there is none. */
  columnsOf(id: number): readonly StoredColumn[] {
    const columns = this.#known.get(id);
    if (!columns) throw new RangeError(`a block has unknown columns (${id})`);
    return columns;
  }
}

function parsed(text: string): StoredColumn[] {
  return text.split(' ').map((part) => {
    const [name = '', digits] = part.split(':');
    return { name, digits: digits === '7' ? 7 : 15 };
  });
}

/**
 * Adds the number of its columns to a table of blocks. The blocks of a file that has none have the columns of the series, so
 * far as they were written before blocks stated their columns. The number that those blocks have.
 */
export function addForm(db: DatabaseSync, table: string, form: number): number {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all();
  const known = columns.find(({ name }) => name === 'form');
  if (known) return Number(known.dflt_value);
  db.exec(`ALTER TABLE ${table} ADD COLUMN form INTEGER NOT NULL DEFAULT ${form}`);
  return form;
}

/** Adds the checksums to a table of blocks of a version that wrote none. */
export function addCrc(db: DatabaseSync, table: string): void {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all();
  if (columns.some(({ name }) => name === 'crc')) return;
  db.exec(`ALTER TABLE ${table} ADD COLUMN crc INTEGER`);
}

/** Moves blocks that cannot be read to the table `damaged_blocks`. */
export class DamagedBlocks {
  readonly #move: StatementSync;
  readonly #remove: StatementSync;
  readonly #report: (id: number, reason: string) => void;

  constructor(db: DatabaseSync, table: string, report: (id: number, reason: string) => void) {
    this.#report = report;
    this.#move = db.prepare(
      `INSERT INTO damaged_blocks SELECT '${table}', id, data, backfilled, form, ? FROM ${table} WHERE id = ?`,
    );
    this.#remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  }

  setAside(id: number, reason: string): void {
    this.#move.run(reason, id);
    this.#remove.run(id);
    this.#report(id, reason);
  }
}

/** The journal of the SQLite store: writes to the newest block of a tier, in their order, until the block is complete. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';
import { blockRows } from './blocks.ts';
import type { SqliteOptions } from './sqlite-tables.ts';
import type { Entry } from './sqlite-tier.ts';

const packr = new Packr({ useRecords: false });

const schema = `CREATE TABLE IF NOT EXISTS journal (
  id INTEGER PRIMARY KEY, tier TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL, crc INTEGER
)`;

/** Where an entry belongs, and what it writes. */
export interface Journaled {
  table: string;
  block: number;
  entry: Entry;
}

export class Journal {
  readonly #db: DatabaseSync;
  readonly #report: SqliteOptions['onDamaged'];
  readonly #insert: StatementSync;
  readonly #forget: StatementSync;

  /** Makes the table, or gives that of an earlier version its column `crc`. */
  constructor(db: DatabaseSync, report: SqliteOptions['onDamaged']) {
    this.#db = db;
    this.#report = report;
    db.exec(schema);
    const columns = db.prepare('PRAGMA table_info(journal)').all();
    if (!columns.some(({ name }) => name === 'crc'))
      db.exec('ALTER TABLE journal ADD COLUMN crc INTEGER');
    this.#insert = db.prepare('INSERT INTO journal (tier, block, data, crc) VALUES (?, ?, ?, ?)');
    this.#forget = db.prepare('DELETE FROM journal WHERE tier = ? AND block = ?');
  }

  append({ table, block, entry }: Journaled): void {
    const data = packr.pack(entry);
    this.#insert.run(table, block, data, crc32(data));
  }

  /** Removes the entries of a block. */
  forget(table: string, block: number): void {
    this.#forget.run(table, block);
  }

  /**
   * Calls `use` with each entry in order. One that is damaged, or for which `use` throws RangeError, costs itself alone: it
   * is moved to the table `damaged_blocks` and reported.
   */
  replay(use: (journaled: Journaled) => void): void {
    const damaged: { id: number; table: string; reason: string }[] = [];
    const rows = this.#db.prepare('SELECT id, tier, block, data, crc FROM journal ORDER BY id');
    for (const { id, tier, block, data, crc } of rows.iterate()) {
      const table = String(tier);
      try {
        use({ table, block: Number(block), entry: entryOf(data, crc) });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        damaged.push({ id: Number(id), table, reason: error.message });
      }
    }
    for (const one of damaged) this.#setAside(one);
  }

  #setAside({ id, table, reason }: { id: number; table: string; reason: string }): void {
    this.#db
      .prepare(
        'INSERT INTO damaged_blocks SELECT tier, block, data, NULL, NULL, ? FROM journal WHERE id = ?',
      )
      .run(reason, id);
    this.#db.prepare('DELETE FROM journal WHERE id = ?').run(id);
    this.#report?.(`journal of ${table}`, reason);
  }
}

/** The entry of some bytes. Throws RangeError where they are not what was written; entries of earlier versions have no sum. */
function entryOf(data: unknown, crc: unknown): Entry {
  if (!(data instanceof Uint8Array)) throw new RangeError('an entry of the journal has no bytes');
  if (crc !== null && crc32(data) !== Number(crc))
    throw new RangeError('an entry of the journal is not what was written');
  let entry: unknown = null;
  try {
    entry = packr.unpack(data);
  } catch {
    // The next line says so.
  }
  if (!isEntry(entry)) throw new RangeError('an entry of the journal has another form');
  return entry;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { mode, backfilled, keys, slots, columns } = value;
  if (!Array.isArray(keys) || !Array.isArray(slots) || !Array.isArray(columns)) return false;
  const isSlot = (slot: unknown) =>
    Number.isInteger(slot) && Number(slot) >= 0 && Number(slot) < blockRows;
  const isColumn = (column: unknown) =>
    Array.isArray(column) &&
    column.length === keys.length &&
    column.every((one) => typeof one === 'number');
  return (
    (mode === 'put' || mode === 'add' || mode === 'fill') &&
    typeof backfilled === 'boolean' &&
    keys.length === slots.length &&
    keys.every((key) => Number.isInteger(key)) &&
    slots.every(isSlot) &&
    columns.every(isColumn)
  );
}

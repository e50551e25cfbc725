/** One tier of one series in the SQLite store: the table of its complete blocks, and its newest block in memory. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { addBytes, type BlockBytes, decodeBlock, encodeBlock } from './block-bytes.ts';
import { addRows, Block, type BlockWrite, blockAt, blockRows, type Slots } from './blocks.ts';
import { type Series, tableOf } from './define.ts';
import {
  addCrc,
  addForm,
  crcOf,
  DamagedBlocks,
  Forms,
  type StoredBytes,
  storedBytesOf,
} from './sqlite-forms.ts';
import { blockId, blockOfId, keyOfId, type SqliteOptions } from './sqlite-tables.ts';
import type { Range, Stored, Write } from './store.ts';

/** The part of a write that lies in one block, as the journal keeps it: the numbers of the keys, and slots of the block. */
export interface Entry extends Omit<BlockWrite, 'form'> {
  keys: number[];
  slots: number[];
  columns: number[][];
  /** The number of the list of columns; absent in entries of versions in which blocks did not state them. */
  form?: number;
}

/** An entry, and the number of its block. */
export interface Placed {
  block: number;
  entry: Entry;
}

/** The parts of a write by block; `idOf` gives the number of a key. */
export function entriesOf(write: Write, idOf: (key: string) => number): Placed[] {
  const { series, step, mode, backfilled, rows } = write;
  const blocks = new Map<number, Entry>();
  for (const [at, key] of rows.keys.entries()) {
    const time = rows.times[at] ?? 0;
    const block = blockAt(time, step);
    const columns = series.columns.map((): number[] => []);
    const entry = blocks.get(block) ?? { mode, backfilled, keys: [], slots: [], columns };
    blocks.set(block, entry);
    entry.keys.push(idOf(key));
    entry.slots.push(Math.floor(time / step) - block * blockRows);
    for (const [column, values] of entry.columns.entries()) {
      values.push(rows.columns[column]?.[at] ?? Number.NaN);
    }
  }
  return [...blocks].map(([block, entry]) => ({ block, entry }));
}

/** A complete block, where it was found. */
interface Found {
  block: number;
  key: number;
  bytes: StoredBytes;
}

const none: ReadonlyMap<number, Block> = new Map();

/** With the name of a key of the series. */
type TierOptions = SqliteOptions & { nameOf?(key: number): string | undefined };

export class Tier {
  readonly table: string;
  readonly step: number;
  readonly series: Series;
  /** The blocks that are in the journal, by number and key; one that is older than the newest is being written. */
  readonly #open = new Map<number, Map<number, Block>>();
  /** The number of the newest block; -1 without any. */
  newest = -1;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #range: StatementSync;
  readonly #next: StatementSync;
  readonly #least: StatementSync;
  readonly #forms: Forms;
  readonly #damaged: DamagedBlocks;
  /** The number of the columns that blocks are written with. */
  readonly #written: number;
  /** The number of the columns of what does not state them. */
  readonly #earlier: number;

  constructor(db: DatabaseSync, series: Series, step: number, options: TierOptions = {}) {
    this.table = tableOf(series, step);
    this.step = step;
    this.series = series;
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${this.table} (id INTEGER PRIMARY KEY, data BLOB NOT NULL, backfilled BLOB)`,
    );
    this.#forms = new Forms(db);
    this.#written = this.#forms.idOf(series.columns);
    this.#earlier = addForm(db, this.table, this.#written);
    addCrc(db, this.table);
    this.#damaged = new DamagedBlocks(db, this.table, (id, reason) =>
      options.onDamaged?.(this.table, reason, {
        ...{ series: series.name, key: options.nameOf?.(keyOfId(id)) ?? null },
        from: blockOfId(id) * blockRows * step,
        to: ((blockOfId(id) + 1) * blockRows - 1) * step,
      }),
    );
    const select = `SELECT id, data, backfilled, form, crc FROM ${this.table}`;
    this.#select = db.prepare(`${select} WHERE id = ?`);
    this.#upsert = db.prepare(
      `INSERT OR REPLACE INTO ${this.table} (id, data, backfilled, form, crc) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#range = db.prepare(`${select} WHERE id >= ? AND id < ?`);
    this.#next = db.prepare(`${select} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#least = db.prepare(`SELECT min(id) AS id FROM ${this.table}`);
  }

  get form() {
    return this.series.columns;
  }

  /** Whether a block is in the journal. */
  isOpen(block: number): boolean {
    return this.#open.has(block);
  }

  /** The numbers of the blocks that are in the journal, ascending: each is opened as the newest one. */
  get openBlocks(): number[] {
    return [...this.#open.keys()];
  }

  /** The number of the oldest block that may have rows; Infinity without any. */
  get oldest(): number {
    const id = this.#least.get()?.id ?? null;
    const written = id === null ? Number.POSITIVE_INFINITY : blockOfId(Number(id));
    return Math.min(written, ...this.openBlocks);
  }

  /** The blocks of all keys in memory of one number; empty without any. */
  inMemory(block: number): ReadonlyMap<number, Block> {
    return this.#open.get(block) ?? none;
  }

  /**
   * Merges an entry of the journal into the blocks in memory. With `stored`, keys of a complete block that were written
   * already are read again; while the whole journal is read they must not be, because it has all of their rows.
   */
  merge(block: number, entry: Entry, stored: boolean): void {
    const blocks = this.#open.get(block) ?? new Map<number, Block>();
    this.#open.set(block, blocks);
    const rows = { ...entry, form: this.form };
    for (const [at, key] of entry.keys.entries()) {
      const known = blocks.get(key) ?? (stored ? this.#find(block, key) : null);
      const found = known ?? new Block(this.form);
      found.merge(entry.slots[at] ?? 0, at, rows);
      blocks.set(key, found);
    }
  }

  /** Merges an entry into blocks that are complete. */
  amend(block: number, entry: Entry): void {
    const changed = new Map<number, Block>();
    const rows = { ...entry, form: this.form };
    for (const [at, key] of entry.keys.entries()) {
      const found = changed.get(key) ?? this.#load(block, key) ?? new Block(this.form);
      found.merge(entry.slots[at] ?? 0, at, rows);
      changed.set(key, found);
    }
    for (const [key, found] of changed) this.save(block, key, found);
  }

  /** The oldest complete block that is not written yet; null without one. */
  get complete(): number | null {
    const [oldest] = this.openBlocks;
    return oldest === undefined || oldest >= this.newest ? null : oldest;
  }

  /** Takes keys of a block out of memory, and the block with its last key. */
  drop(block: number, keys: Iterable<number>): void {
    const blocks = this.#open.get(block);
    for (const key of keys) blocks?.delete(key);
    if (blocks?.size === 0) this.#open.delete(block);
  }

  /** The block of a key, from memory or from the table. */
  #find(block: number, key: number): Block | null {
    const found = this.inMemory(block).get(key);
    return found ?? (block === this.newest ? null : this.#load(block, key));
  }

  /** A complete block; null where there is none. */
  #load(block: number, key: number): Block | null {
    const bytes = this.#bytes(block, key);
    if (!bytes) return null;
    const id = blockId(block, key);
    return this.#undamaged(id, () => decodeBlock(this.#stated(id, bytes), this.form));
  }

  save(block: number, key: number, rows: Block): void {
    const { data, backfilled } = encodeBlock(rows, this.form);
    const [id, form] = [blockId(block, key), this.#written];
    this.#upsert.run(id, data, backfilled, form, crcOf(id, { data, backfilled, form }));
  }

  #bytes(block: number, key: number): StoredBytes | null {
    const row = this.#select.get(blockId(block, key));
    return row ? storedBytesOf(row) : null;
  }

  /** Complete blocks of all keys from one block number to another. */
  *between(from: number, to: number): Iterable<Found> {
    for (const row of this.#range.iterate(blockId(from, 0), blockId(to + 1, 0))) {
      const id = Number(row.id);
      yield { block: blockOfId(id), key: keyOfId(id), bytes: storedBytesOf(row) };
    }
  }

  /** Adds the rows of a key's block of this number that lie within a range, from memory or from the table. */
  addRows(into: Stored, block: number, key: number, range: Range): void {
    const open = this.inMemory(block).get(key);
    if (open) {
      addRows(into, open, this.form, this.#slots(block, range));
      return;
    }
    const bytes = block === this.newest ? null : this.#bytes(block, key);
    if (bytes) this.addBytes(into, { block, key, bytes }, range);
  }

  /** Adds the rows of the bytes of the block of this number that lie within a range. */
  addBytes(into: Stored, { block, key, bytes }: Found, range: Range): void {
    const before = into.times.length;
    const id = blockId(block, key);
    const added = this.#undamaged(id, () => {
      addBytes(into, this.#stated(id, bytes), this.form, this.#slots(block, range));
      return true;
    });
    if (!added)
      for (const list of [into.times, into.backfilled, ...into.columns]) list.length = before;
  }

  /**
   * Reads the complete blocks after an id, as many as `count`, and sets those aside that are damaged. The last id; null after
   * the last block. Throws where SQLite cannot read a page.
   */
  verify(after: number, count: number): number | null {
    const rows = this.#next.all(after, count);
    for (const row of rows) {
      const [id, bytes] = [Number(row.id), storedBytesOf(row)];
      this.#undamaged(id, () => decodeBlock(this.#stated(id, bytes), this.form));
    }
    return rows.length < count ? null : Number(rows.at(-1)?.id);
  }

  /** The bytes with their columns. Throws RangeError where they are not what was written. */
  #stated(id: number, bytes: StoredBytes): BlockBytes {
    if (bytes.crc !== null && bytes.crc !== crcOf(id, bytes))
      throw new RangeError('a block is not what was written');
    if (bytes.form === this.#written) return bytes;
    return { ...bytes, written: this.#forms.columnsOf(bytes.form) };
  }

  /** The columns of an entry of the journal in the order of the series; NaN where it has none. */
  placed(entry: Entry): Entry {
    const { form = this.#earlier } = entry;
    if (form === this.#written) return entry;
    const written = this.#forms.columnsOf(form);
    const columns = this.form.map(({ name }) => {
      const at = written.findIndex((one) => one.name === name);
      return entry.columns[at] ?? entry.keys.map(() => Number.NaN);
    });
    return { ...entry, columns };
  }

  /** The entry as the journal keeps it. */
  stating(entry: Entry): Entry {
    return { ...entry, form: this.#written };
  }

  /** Null where the block is damaged, which is then set aside. */
  #undamaged<T>(id: number, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#damaged.setAside(id, error.message);
      return null;
    }
  }

  #slots(block: number, { from, to }: Range): Slots {
    const { step } = this;
    const start = block * blockRows * step;
    return {
      ...{ start, step },
      first: Math.max(0, Math.ceil((from - start) / step)),
      last: Math.min(blockRows - 1, Math.floor((to - start) / step)),
    };
  }
}

export const emptyRows = ({ form }: Tier): Stored => ({
  times: [],
  columns: form.map(() => []),
  backfilled: [],
});

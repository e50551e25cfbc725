/** One tier of one series in the SQLite store: the table of its complete blocks, and its newest block in memory. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Block, blockRows, decodeBlock, encodeBlock } from './blocks.ts';
import { type Series, tableOf } from './define.ts';
import { blockId, blockOfId, keyOfId } from './sqlite-tables.ts';
import { given, type Range, type Stored, StoreError } from './store.ts';

export class Tier {
  readonly table: string;
  readonly step: number;
  readonly series: Series;
  readonly blocks = new Map<number, Block>();
  /** The number of the newest block; -1 without any. */
  newest = -1;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #range: StatementSync;

  constructor(db: DatabaseSync, series: Series, step: number) {
    this.table = tableOf(series, step);
    this.step = step;
    this.series = series;
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${this.table} (id INTEGER PRIMARY KEY, data BLOB NOT NULL, backfilled BLOB)`,
    );
    this.#select = db.prepare(`SELECT data, backfilled FROM ${this.table} WHERE id = ?`);
    this.#upsert = db.prepare(`INSERT OR REPLACE INTO ${this.table} VALUES (?, ?, ?)`);
    this.#range = db.prepare(
      `SELECT id, data, backfilled FROM ${this.table} WHERE id >= ? AND id < ?`,
    );
  }

  get form() {
    return this.series.columns;
  }

  /** The block of a key in memory, made where there is none. */
  open(key: number): Block {
    const block = this.blocks.get(key) ?? new Block(this.form.length);
    this.blocks.set(key, block);
    return block;
  }

  /** A complete block; null where there is none. */
  load(block: number, key: number): Block | null {
    const row = this.#select.get(blockId(block, key));
    return row ? this.#decode(row) : null;
  }

  save(block: number, key: number, rows: Block): void {
    const { data, backfilled } = encodeBlock(rows, this.form);
    this.#upsert.run(blockId(block, key), data, backfilled);
  }

  /** Complete blocks of all keys from one block number to another. */
  *between(from: number, to: number): Iterable<{ block: number; key: number; rows: Block }> {
    for (const row of this.#range.iterate(blockId(from, 0), blockId(to + 1, 0))) {
      const id = Number(row.id);
      yield { block: blockOfId(id), key: keyOfId(id), rows: this.#decode(row) };
    }
  }

  /** Adds the rows of the block of this number that lie within a range. */
  addRows(into: Stored, block: number, rows: Block, { from, to }: Range): void {
    const start = block * blockRows * this.step;
    const first = Math.max(0, Math.ceil((from - start) / this.step));
    const last = Math.min(blockRows - 1, Math.floor((to - start) / this.step));
    for (let slot = first; slot <= last; slot++) {
      const state = rows.state[slot] ?? 0;
      if (state === 0) continue;
      into.times.push(start + slot * this.step);
      into.backfilled.push(state === 2);
      for (const [column, { digits }] of this.form.entries()) {
        into.columns[column]?.push(given(rows.values[column * blockRows + slot] ?? null, digits));
      }
    }
  }

  #decode({ data, backfilled }: Record<string, unknown>): Block {
    if (!(data instanceof Uint8Array))
      throw new StoreError('damaged', 'SQLite: a block has no data');
    try {
      return decodeBlock(data, backfilled instanceof Uint8Array ? backfilled : null, this.form);
    } catch (error) {
      throw error instanceof RangeError
        ? new StoreError('damaged', `SQLite: ${error.message}`)
        : error;
    }
  }
}

export const emptyRows = ({ form }: Tier): Stored => ({
  times: [],
  columns: form.map(() => []),
  backfilled: [],
});

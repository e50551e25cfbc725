/**
 * The store in one SQLite file. A write goes to the journal of the newest block of its tier, and to that block in memory;
 * when a later block begins, the complete one is written key by key. So a sample of thousands of keys is one row, and
 * the rows of one key lie together. Its calls block: only the history process uses it.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Packr } from 'msgpackr';
import { Block, type BlockWrite, blockAt, blockRows } from './blocks.ts';
import { type Series, tableOf } from './define.ts';
import { EventTable } from './sqlite-events.ts';
import { blockId, KeyNames, openFile, type SqliteOptions, storeErrorOf } from './sqlite-tables.ts';
import { emptyRows, Tier } from './sqlite-tier.ts';
import {
  type Batch,
  type EventRange,
  type Range,
  type Store,
  type Stored,
  StoreError,
  type Write,
} from './store.ts';

const packr = new Packr({ useRecords: false });

/** The part of a write that lies in one block, as the journal keeps it: the numbers of the keys, and slots of the block. */
interface Entry extends Omit<BlockWrite, 'form'> {
  keys: number[];
  slots: number[];
  columns: number[][];
}

/** Merges an entry of the journal into the block in memory. */
function applyEntry(tier: Tier, entry: Entry): void {
  const rows = { ...entry, form: tier.form };
  for (const [at, key] of entry.keys.entries())
    tier.open(key).merge(entry.slots[at] ?? 0, at, rows);
}

export class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #keys: KeyNames;
  readonly #events: EventTable;
  readonly #tiers = new Map<string, Tier>();
  readonly #journal: StatementSync;
  readonly #forget: StatementSync;

  /** Opens the file, or makes it. Throws StoreError. */
  constructor(path: string, series: readonly Series[], options: SqliteOptions = {}) {
    this.#path = path;
    this.#db = openFile(path, options);
    this.#keys = new KeyNames(this.#db);
    try {
      this.#events = new EventTable(this.#db);
      for (const one of series) {
        for (const { step } of one.tiers) {
          const tier = new Tier(this.#db, one, step);
          this.#tiers.set(tier.table, tier);
        }
      }
      this.#journal = this.#db.prepare('INSERT INTO journal (tier, block, data) VALUES (?, ?, ?)');
      this.#forget = this.#db.prepare('DELETE FROM journal WHERE tier = ? AND block < ?');
      this.#replay();
    } catch (error) {
      this.#db.close();
      throw storeErrorOf(error);
    }
  }

  /** Makes the blocks in memory of the journal. */
  #replay(): void {
    const rows = this.#db.prepare('SELECT tier, block, data FROM journal ORDER BY id').iterate();
    for (const { tier: table, block, data } of rows) {
      const tier = this.#tiers.get(String(table));
      if (!tier || !(data instanceof Uint8Array)) continue;
      tier.newest = Math.max(tier.newest, Number(block));
      const entry: Entry = packr.unpack(data);
      applyEntry(tier, entry);
    }
  }

  #tier(series: Series, step: number): Tier {
    const tier = this.#tiers.get(tableOf(series, step));
    if (!tier) throw new StoreError('failed', `the series ${series.name} is not open`);
    return tier;
  }

  async write({ writes, events, positions = [] }: Batch): Promise<void> {
    const after: (() => void)[] = [];
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      for (const position of positions) this.#move(position);
      const sums = events?.sums(this.#events.insert(events.rows)) ?? [];
      for (const [tier, entries] of this.#entriesOf([...writes, ...sums]))
        after.push(this.#append(tier, entries));
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#keys.rollback();
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw storeErrorOf(error);
    }
    this.#keys.commit();
    for (const apply of after) apply();
  }

  #move({ name, from, to }: NonNullable<Batch['positions']>[number]): void {
    if (from !== undefined && this.#positionOf(name) !== from) {
      throw new StoreError('superseded', `the position ${name} has been moved by another process`);
    }
    this.#db.prepare('INSERT OR REPLACE INTO positions VALUES (?, ?)').run(name, to);
  }

  /** The parts of the writes by tier and block. */
  #entriesOf(writes: readonly Write[]): Map<Tier, { block: number; entry: Entry }[]> {
    const tiers = new Map<Tier, { block: number; entry: Entry }[]>();
    for (const { series, step, mode, backfilled, rows } of writes) {
      const tier = this.#tier(series, step);
      const blocks = new Map<number, Entry>();
      for (const [at, key] of rows.keys.entries()) {
        const time = rows.times[at] ?? 0;
        const block = blockAt(time, step);
        const empty = series.columns.map((): number[] => []);
        const entry = blocks.get(block) ?? {
          mode,
          backfilled,
          keys: [],
          slots: [],
          columns: empty,
        };
        blocks.set(block, entry);
        entry.keys.push(this.#keys.give(series.name, key));
        entry.slots.push(Math.floor(time / step) - block * blockRows);
        for (const [column, values] of entry.columns.entries()) {
          values.push(rows.columns[column]?.[at] ?? Number.NaN);
        }
      }
      const entries = [...blocks].map(([block, entry]) => ({ block, entry }));
      tiers.set(tier, [...(tiers.get(tier) ?? []), ...entries]);
    }
    return tiers;
  }

  /** Writes within the transaction; what is returned brings the memory up to date once that is committed. */
  #append(tier: Tier, entries: readonly { block: number; entry: Entry }[]): () => void {
    const newest = entries.reduce((most, { block }) => Math.max(most, block), tier.newest);
    const moves = newest > tier.newest;
    if (moves && tier.newest >= 0) {
      for (const [key, rows] of tier.blocks) tier.save(tier.newest, key, rows);
      this.#forget.run(tier.table, newest);
    }
    const late = entries.filter(({ block }) => block < newest);
    for (const { block, entry } of late) this.#amend(tier, block, entry);
    const fresh = entries.filter(({ block }) => block === newest);
    for (const { entry } of fresh) this.#journal.run(tier.table, newest, packr.pack(entry));
    return () => {
      if (moves) tier.blocks.clear();
      tier.newest = newest;
      for (const { entry } of fresh) applyEntry(tier, entry);
    };
  }

  /** Merges rows into blocks that are complete. */
  #amend(tier: Tier, block: number, entry: Entry): void {
    const changed = new Map<number, Block>();
    const rows = { ...entry, form: tier.form };
    for (const [at, key] of entry.keys.entries()) {
      const found = changed.get(key) ?? tier.load(block, key) ?? new Block(tier.form.length);
      found.merge(entry.slots[at] ?? 0, at, rows);
      changed.set(key, found);
    }
    for (const [key, found] of changed) tier.save(block, key, found);
  }

  read(series: Series, step: number, keys: readonly string[], range: Range) {
    return this.#try(() => {
      const tier = this.#tier(series, step);
      const ids = this.#keys.all(series.name);
      const found = new Map<string, Stored>();
      for (const key of keys) {
        const id = ids.get(key);
        const rows = id === undefined ? null : this.#rowsOf(tier, id, range);
        if (rows && rows.times.length > 0) found.set(key, rows);
      }
      return found;
    });
  }

  #rowsOf(tier: Tier, key: number, range: Range): Stored {
    const { step } = tier;
    const rows = emptyRows(tier);
    const last = Math.min(blockAt(range.to, step), tier.newest);
    for (let block = blockAt(range.from, step); block <= last; block++) {
      const found = block === tier.newest ? tier.blocks.get(key) : tier.load(block, key);
      if (found) tier.addRows(rows, block, found, range);
    }
    return rows;
  }

  scan(series: Series, step: number, range: Range, prefix = '') {
    return this.#try(() => {
      const tier = this.#tier(series, step);
      const found = new Map<string, Stored>();
      const add = (key: number, block: number, rows: Block) => {
        const name = this.#keys.nameOf(series.name, key);
        if (!name?.startsWith(prefix)) return;
        const into = found.get(name) ?? emptyRows(tier);
        tier.addRows(into, block, rows, range);
        if (into.times.length > 0) found.set(name, into);
      };
      const last = blockAt(range.to, step);
      const complete = tier.between(blockAt(range.from, step), Math.min(last, tier.newest - 1));
      for (const { block, key, rows } of complete) add(key, block, rows);
      if (last >= tier.newest) for (const [key, rows] of tier.blocks) add(key, tier.newest, rows);
      return found;
    });
  }

  position(name: string): Promise<string | null> {
    return this.#try(() => this.#positionOf(name));
  }

  #positionOf(name: string): string | null {
    const row = this.#db.prepare('SELECT position FROM positions WHERE name = ?').get(name);
    return row === undefined ? null : String(row.position);
  }

  prune(series: Series, step: number, before: number): Promise<void> {
    return this.#try(() => {
      const { table } = this.#tier(series, step);
      const end = blockId(blockAt(before, step), 0);
      this.#db.prepare(`DELETE FROM ${table} WHERE id < ?`).run(end);
    });
  }

  events(wanted: EventRange) {
    return this.#try(() => this.#events.select(wanted));
  }

  pruneEvents(before: number): Promise<void> {
    return this.#try(() => this.#events.prune(before));
  }

  size(): Promise<number> {
    return this.#try(() => statSync(this.#path).size);
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  async #try<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error);
    }
  }
}

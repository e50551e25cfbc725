/**
 * The store in one SQLite file. A write goes to the journal of the newest block of its tier, and to that block in memory;
 * when a later block begins, the complete one is written key by key, some keys at a time, between questions. So a sample
 * of thousands of keys is one row, and the rows of one key lie together. Its calls block: only the history process uses it.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { blockAt, blockRows } from './blocks.ts';
import { type Series, tableOf } from './define.ts';
import { BlockCheck, type Checked } from './sqlite-check.ts';
import { DeliveryTable } from './sqlite-deliveries.ts';
import { EventTable } from './sqlite-events.ts';
import { Journal } from './sqlite-journal.ts';
import { blockId, KeyNames, openFile, type SqliteOptions, storeErrorOf } from './sqlite-tables.ts';
import { emptyRows, entriesOf, type Placed, Tier } from './sqlite-tier.ts';
import {
  type Batch,
  type EventRange,
  type Range,
  type Store,
  type Stored,
  StoreError,
  type Write,
} from './store.ts';

/** Values of the blocks that are written in one go: some milliseconds. */
const atOnce = 5_000;

export class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #unlock: () => void;
  readonly #path: string;
  readonly #keys: KeyNames;
  readonly #events: EventTable;
  readonly #deliveries: DeliveryTable;
  readonly #tiers = new Map<string, Tier>();
  readonly #journal: Journal;
  readonly #check: BlockCheck;
  #completing = false;
  /** Why blocks could not be completed: the next write fails with it. */
  #failure: unknown = null;

  /** Opens the file, or makes it. Throws StoreError, also where another store has it open. */
  constructor(path: string, series: readonly Series[], options: SqliteOptions = {}) {
    this.#path = path;
    const { db, unlock } = openFile(path, options);
    this.#db = db;
    this.#unlock = unlock;
    this.#keys = new KeyNames(db);
    try {
      this.#events = new EventTable(this.#db);
      this.#deliveries = new DeliveryTable(this.#db);
      for (const one of series) {
        for (const { step } of one.tiers) {
          const nameOf = (key: number) => this.#keys.nameOf(one.name, key);
          const tier = new Tier(this.#db, one, step, { ...options, nameOf });
          this.#tiers.set(tier.table, tier);
        }
      }
      this.#check = new BlockCheck([...this.#tiers.values()]);
      this.#journal = new Journal(this.#db, options.onDamaged);
      this.#replay();
    } catch (error) {
      this.#close();
      throw storeErrorOf(error);
    }
  }

  /** Makes the blocks in memory of the journal, which has every write to them. */
  #replay(): void {
    this.#journal.replay(({ table, block, entry }) => {
      const tier = this.#tiers.get(table);
      if (!tier) return;
      const placed = tier.placed(entry);
      tier.newest = Math.max(tier.newest, block);
      tier.merge(block, placed, false);
    });
    this.#completeSoon();
  }

  #tier(series: Series, step: number): Tier {
    const tier = this.#tiers.get(tableOf(series, step));
    if (!tier) throw new StoreError('failed', `the series ${series.name} is not open`);
    return tier;
  }

  async write({ writes, events, deliveries = [], positions = [] }: Batch): Promise<void> {
    const after: (() => void)[] = [];
    try {
      this.#raise();
      this.#db.exec('BEGIN IMMEDIATE');
      for (const position of positions) this.#move(position);
      const sums = events?.sums(this.#events.insert(events.rows)) ?? [];
      this.#deliveries.insert(deliveries);
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
    this.#completeSoon();
  }

  #raise(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure;
  }

  #move({ name, from, to }: NonNullable<Batch['positions']>[number]): void {
    if (from !== undefined && this.#positionOf(name) !== from) {
      throw new StoreError('superseded', `the position ${name} has been moved by another process`);
    }
    this.#db.prepare('INSERT OR REPLACE INTO positions VALUES (?, ?)').run(name, to);
  }

  /** The parts of the writes by tier and block. */
  #entriesOf(writes: readonly Write[]): Map<Tier, Placed[]> {
    const tiers = new Map<Tier, Placed[]>();
    for (const write of writes) {
      const { series, step } = write;
      const tier = this.#tier(series, step);
      const entries = entriesOf(write, (key) => this.#keys.give(series.name, key));
      tiers.set(tier, [...(tiers.get(tier) ?? []), ...entries]);
    }
    return tiers;
  }

  /** Writes within the transaction; the returned function updates the memory after the commit. */
  #append(tier: Tier, entries: readonly Placed[]): () => void {
    const newest = entries.reduce((most, { block }) => Math.max(most, block), tier.newest);
    const isOpen = ({ block }: Placed) => block === newest || tier.isOpen(block);
    for (const { block, entry } of entries.filter((one) => !isOpen(one))) tier.amend(block, entry);
    const fresh = entries.filter(isOpen);
    for (const { block, entry } of fresh)
      this.#journal.append({ table: tier.table, block, entry: tier.stating(entry) });
    return () => {
      tier.newest = newest;
      for (const { block, entry } of fresh) tier.merge(block, entry, true);
    };
  }

  /** Writes the complete blocks to their tables, and forgets their journal, in turns with other work. */
  #completeSoon(): void {
    if (this.#completing) return;
    const tier = [...this.#tiers.values()].find(({ complete }) => complete !== null);
    if (!tier) return;
    this.#completing = true;
    setImmediate(() => {
      this.#completing = false;
      // After a failure, such as a full disk, the next write tries again.
      if (this.#db.isOpen && this.#completeSome(tier)) this.#completeSoon();
    });
  }

  /** False where the store fails. */
  #completeSome(tier: Tier): boolean {
    const block = tier.complete;
    if (block === null) return true;
    const blocks = [...tier.inMemory(block)];
    const some = blocks.slice(0, Math.ceil(atOnce / (tier.form.length * blockRows)));
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      for (const [key, rows] of some) tier.save(block, key, rows);
      if (some.length === blocks.length) this.#journal.forget(tier.table, block);
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#failure = error;
      return false;
    }
    tier.drop(
      block,
      some.map(([key]) => key),
    );
    return true;
  }

  read(series: Series, step: number, keys: readonly string[], range: Range) {
    return this.#try(() => {
      const tier = this.#tier(series, step);
      const ids = this.#keys.all(series.name);
      // A client may ask for any time: a look into each block since 1970 would hold this process for seconds.
      const first = Math.max(blockAt(range.from, step), tier.oldest);
      const found = new Map<string, Stored>();
      for (const key of keys) {
        const id = ids.get(key);
        const rows = id === undefined ? null : this.#rowsOf(tier, id, first, range);
        if (rows && rows.times.length > 0) found.set(key, rows);
      }
      return found;
    });
  }

  #rowsOf(tier: Tier, key: number, first: number, range: Range): Stored {
    const rows = emptyRows(tier);
    const last = Math.min(blockAt(range.to, tier.step), tier.newest);
    for (let block = first; block <= last; block++) {
      tier.addRows(rows, block, key, range);
    }
    return rows;
  }

  scan(series: Series, step: number, range: Range, prefix = '') {
    return this.#try(() => {
      const tier = this.#tier(series, step);
      const found = new Map<string, Stored>();
      /** Adds the rows of a key, where its name fits. */
      const add = (key: number, rows: (into: Stored) => void) => {
        const name = this.#keys.nameOf(series.name, key);
        if (!name?.startsWith(prefix)) return;
        const into = found.get(name) ?? emptyRows(tier);
        rows(into);
        if (into.times.length > 0) found.set(name, into);
      };
      const first = blockAt(range.from, step);
      const last = Math.min(blockAt(range.to, step), tier.newest);
      for (const { block, key, bytes } of tier.between(first, Math.min(last, tier.newest - 1))) {
        if (tier.inMemory(block).has(key)) continue;
        add(key, (into) => tier.addBytes(into, { block, key, bytes }, range));
      }
      for (const block of tier.openBlocks.filter((one) => one >= first && one <= last)) {
        for (const key of tier.inMemory(block).keys()) {
          add(key, (into) => tier.addRows(into, block, key, range));
        }
      }
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
      const tier = this.#tier(series, step);
      const end = blockAt(before, step);
      for (const block of tier.openBlocks.filter((one) => one < Math.min(end, tier.newest))) {
        this.#journal.forget(tier.table, block);
        tier.drop(block, [...tier.inMemory(block).keys()]);
      }
      this.#db.prepare(`DELETE FROM ${tier.table} WHERE id < ?`).run(blockId(end, 0));
    });
  }

  events(wanted: EventRange) {
    return this.#try(() => this.#events.select(wanted));
  }

  pruneEvents(before: number): Promise<void> {
    return this.#try(() => this.#events.prune(before));
  }

  deliveries(alert: string, limit: number) {
    return this.#try(() => this.#deliveries.select(alert, limit));
  }

  pruneDeliveries(before: number): Promise<void> {
    return this.#try(() => this.#deliveries.prune(before));
  }

  size(): Promise<number> {
    return this.#try(() => statSync(this.#path).size);
  }

  /** Checks some of the complete blocks, the next ones at each call. */
  checkBlocks(count: number): Checked {
    return this.#check.next(count);
  }

  async close(): Promise<void> {
    this.#close();
  }

  #close(): void {
    if (this.#db.isOpen) this.#db.close();
    this.#unlock();
  }

  async #try<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error);
    }
  }
}

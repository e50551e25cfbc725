/**
 * The recent rows of the store of one process: plain tables in an SQLite file, which docs/history.md describes. Every call
 * blocks for as long as SQLite takes.
 */
import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { RecordedName } from '../topics/index.ts';
import { type Series, tableOf } from './define.ts';
import type { Wanted } from './files.ts';
import type { LogRange, LogTable } from './logs.ts';
import * as logs from './logs.ts';
import { type Period, periodAt } from './periods.ts';
import { insertLog, logSql, selectLog } from './sqlite-logs.ts';
import {
  type Batch,
  given,
  type Newest,
  type Position,
  type Range,
  type Stored,
  StoreError,
  storedCells,
  type Write,
} from './store.ts';
import { onConflict } from './upsert.ts';

const schema = `
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY, series TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (series, key)
);
CREATE TABLE IF NOT EXISTS positions (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
`;

const codes: Readonly<Record<number, StoreError['code']>> = {
  // https://www.sqlite.org/rescode.html: SQLITE_CORRUPT, SQLITE_FULL, SQLITE_NOTADB.
  11: 'damaged',
  13: 'full',
  26: 'damaged',
  // What passes, or an operator mends: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CANTOPEN, PROTOCOL.
  3: 'away',
  5: 'away',
  6: 'away',
  7: 'away',
  8: 'away',
  10: 'away',
  14: 'away',
  15: 'away',
};

/** An error of the driver as one of the store; a bug stays what it is. */
export function storeErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  return new StoreError(codes[code] ?? 'failed', `SQLite: ${error.message}`);
}

export const isDamage = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'damaged';

/** Renames a file that cannot be read: `recent.sqlite` becomes `recent-damaged-2026-01-31T10-20-30Z.sqlite`, which is returned. */
export function setAside(path: string): string {
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = path.replace(/\.sqlite$/, `-damaged-${date}Z.sqlite`);
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(path + end)) renameSync(path + end, aside + end);
  }
  return aside;
}

/** The columns of a tier's table after `key`, in the order in which rows are read and written. */
export const columnsOf = ({ columns }: Series): string[] => [
  'time',
  'backfilled',
  ...columns.map(({ name }) => `"${name}"`),
];

/** Columns that another version did not have are added; what it had besides stays. */
function makeTable(db: DatabaseSync, series: Series, table: string): void {
  const values = series.columns.map(({ name }) => `"${name}" REAL`);
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (key INTEGER NOT NULL, time INTEGER NOT NULL, backfilled INTEGER NOT NULL,
      ${values.join(', ')}, PRIMARY KEY (key, time)) WITHOUT ROWID`,
  );
  const found = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const known = new Set(found.map(({ name }) => name));
  for (const { name } of series.columns) {
    if (!known.has(name)) db.exec(`ALTER TABLE ${table} ADD COLUMN "${name}" REAL`);
  }
}

export class RecentRows {
  readonly #db: DatabaseSync;
  /** By series and name; what a transaction that failed has added is forgotten with all others. */
  readonly #keys = new Map<RecordedName, Map<string, number>>();
  readonly #statements = new Map<string, StatementSync>();

  /** Opens the file, or makes it, with at most `mostPages` pages of 4 KiB. Throws StoreError. */
  constructor(path: string, series: readonly Series[], mostPages?: number) {
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(path, { timeout: 1_000 });
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384');
      // Each minute touches a page of each key: pages are copied to the file after some minutes.
      db.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 67108864');
      if (mostPages !== undefined) db.exec(`PRAGMA max_page_count = ${mostPages}`);
      db.exec(schema);
      for (const one of series) {
        for (const { step } of one.tiers) makeTable(db, one, tableOf(one, step));
      }
      db.exec(logSql(logs.events));
      db.exec(logSql(logs.deliveries));
      this.#db = db;
    } catch (error) {
      db?.close();
      throw storeErrorOf(error);
    }
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** One transaction of a batch; `before` are rows that it finds as if they had been stored already. */
  write({ writes, events, deliveries = [], positions = [] }: Batch, before: readonly Write[]) {
    this.#transaction(() => {
      for (const position of positions) this.#move(position);
      for (const one of before) this.#upsert(one);
      const sums = events?.sums(insertLog(this.#prepared, logs.events, events.rows)) ?? [];
      insertLog(this.#prepared, logs.deliveries, deliveries);
      for (const one of [...writes, ...sums]) this.#upsert(one);
    });
  }

  #transaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#keys.clear();
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #move({ name, from, to }: Position): void {
    if (from !== undefined && this.position(name) !== from) {
      throw new StoreError('superseded', `the position ${name} has been moved by another process`);
    }
    this.#prepared('INSERT OR REPLACE INTO positions VALUES (?, ?)').run(name, to);
  }

  #upsert({ series, step, mode, rows }: Write): void {
    const names = ['key', ...columnsOf(series)];
    const insert = this.#prepared(
      `INSERT INTO ${tableOf(series, step)} AS t (${names}) VALUES (${names.map(() => '?')})
        ${onConflict(series, mode, 'max')}`,
    );
    for (const row of rows) {
      const id = this.#give(series.name, row.key);
      insert.run(id, row.time, row.backfilled ? 1 : 0, ...storedCells(series, row));
    }
  }

  readonly #prepared = (sql: string): StatementSync => {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  };

  /** The number of a key, given where it has none. */
  #give(series: RecordedName, key: string): number {
    const known = this.keys(series).get(key);
    if (known !== undefined) return known;
    const insert = this.#prepared('INSERT INTO keys (series, key) VALUES (?, ?)');
    const id = Number(insert.run(series, key).lastInsertRowid);
    this.#keys.get(series)?.set(key, id);
    return id;
  }

  /** All keys of a series with their numbers. */
  keys(series: RecordedName): ReadonlyMap<string, number> {
    const loaded = this.#keys.get(series);
    if (loaded) return loaded;
    const rows = this.#prepared('SELECT key, id FROM keys WHERE series = ?').all(series);
    const ids = new Map(rows.map(({ key, id }) => [String(key), Number(id)]));
    this.#keys.set(series, ids);
    return ids;
  }

  /** The numbers of the wanted keys that are known. */
  idsOf({ name }: Series, wanted: Wanted): (readonly [string, number])[] {
    const ids = this.keys(name);
    if ('prefix' in wanted) return [...ids].filter(([key]) => key.startsWith(wanted.prefix));
    return [...new Set(wanted.keys)].flatMap((key) => {
      const id = ids.get(key);
      return id === undefined ? [] : [[key, id] as const];
    });
  }

  /** The rows of a key. */
  read(series: Series, step: number, id: number, { from, to }: Range): Stored {
    const select = this.#prepared(
      `SELECT ${columnsOf(series)} FROM ${tableOf(series, step)}
        WHERE key = ? AND time BETWEEN ? AND ? ORDER BY time`,
    );
    select.setReturnArrays(true);
    const rows = select.all(id, from, to);
    return {
      times: rows.map((row) => Number(row[0])),
      columns: series.columns.map(({ digits }, at) =>
        rows.map((row) => {
          const value = row[at + 2];
          return typeof value === 'number' ? given(value, digits) : null;
        }),
      ),
      backfilled: rows.map((row) => row[1] === 1),
    };
  }

  /** Looks once into each key: an index by time would be written with every row. */
  newest(series: Series, step: number, { from, to }: Range): Newest | null {
    const select = this.#prepared(
      `SELECT time, count(*) AS keys, min(key) AS first, min(iif(instr(key, 'BTC'), key, NULL)) AS bitcoin
        FROM (
          SELECT key, (SELECT max(time) FROM ${tableOf(series, step)} t WHERE t.key = keys.id AND time BETWEEN ? AND ?) AS time
          FROM keys WHERE series = ?
        ) WHERE time IS NOT NULL GROUP BY time ORDER BY time DESC LIMIT 1`,
    );
    const found = select.get(from, to, series.name);
    if (found === undefined) return null;
    const { time, keys, first, bitcoin } = found;
    return { time: Number(time), keys: Number(keys), key: String(bitcoin ?? first) };
  }

  /** The periods in which a key has rows, of those that end within a range. */
  periodsOf(series: Series, step: number, id: number, { from, to }: Range): Period[] {
    const first = this.#prepared(
      `SELECT min(time) AS time FROM ${tableOf(series, step)} WHERE key = ? AND time >= ?`,
    );
    const found: Period[] = [];
    for (let since = from; ; ) {
      const time = first.get(id, periodAt(since, step).from)?.time;
      const period = typeof time === 'number' ? periodAt(time, step) : null;
      if (!period || period.to > to) return found;
      if (period.to > from) found.push(period);
      since = period.to;
    }
  }

  /** Removes the rows of some keys from a time to before another. */
  remove(series: Series, step: number, ids: readonly number[], { from, to }: Omit<Period, 'name'>) {
    const sql = `DELETE FROM ${tableOf(series, step)} WHERE key = ? AND time >= ? AND time < ?`;
    const remove = this.#prepared(sql);
    this.#transaction(() => {
      for (const id of ids) remove.run(id, from, to);
    });
  }

  log<T>(table: LogTable<T>, wanted: LogRange): T[] {
    return selectLog(this.#prepared, table, wanted);
  }

  pruneLog<T>({ name }: LogTable<T>, before: number): void {
    this.#prepared(`DELETE FROM ${name} WHERE time < ?`).run(before);
  }

  position(name: string): string | null {
    const row = this.#prepared('SELECT position FROM positions WHERE name = ?').get(name);
    return row === undefined ? null : String(row.position);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

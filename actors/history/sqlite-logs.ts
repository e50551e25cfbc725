/** The tables of logs in the SQLite store. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LogRange, LogRow, LogTable } from './logs.ts';

const sqlTypes = { text: 'TEXT', number: 'REAL', json: 'TEXT' } as const;

export class SqliteLog<T> {
  readonly #table: LogTable<T>;
  readonly #names: readonly string[];
  readonly #insert: StatementSync;
  readonly #all: StatementSync;
  readonly #owned: StatementSync;
  readonly #forget: StatementSync;

  constructor(db: DatabaseSync, table: LogTable<T>) {
    const { name, columns, key, owner } = table;
    const types = Object.entries(columns).map(([column, type]) => `${column} ${sqlTypes[type]}`);
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${name} (time INTEGER NOT NULL, ${types}, PRIMARY KEY (${key})) WITHOUT ROWID`,
    );
    this.#table = table;
    this.#names = ['time', ...Object.keys(columns)];
    this.#insert = db.prepare(
      `INSERT OR IGNORE INTO ${name} (${this.#names}) VALUES (${this.#names.map(() => '?')})`,
    );
    const select = (which: string) =>
      db.prepare(
        `SELECT * FROM ${name} WHERE time BETWEEN ? AND ? ${which} ORDER BY time DESC, key DESC LIMIT ?`,
      );
    this.#all = select('');
    this.#owned = select(`AND ${owner} = ?`);
    this.#forget = db.prepare(`DELETE FROM ${name} WHERE time < ?`);
  }

  /** Writes within the transaction; returns those that were not there. */
  insert(all: readonly T[]): T[] {
    return all.filter((one) => {
      const row = this.#table.rowOf(one);
      return this.#insert.run(...this.#names.map((name) => row[name] ?? null)).changes > 0;
    });
  }

  select({ from, to, owner, limit }: LogRange): T[] {
    const rows =
      owner === undefined
        ? this.#all.all(from, to, limit)
        : this.#owned.all(from, to, owner, limit);
    return rows.map((row) => this.#table.of(row as LogRow));
  }

  /** Removes rows before a time, Unix ms. */
  prune(before: number): void {
    this.#forget.run(before);
  }
}

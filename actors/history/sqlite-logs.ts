/** The tables of logs in the SQLite store. */
import type { StatementSync } from 'node:sqlite';
import type { LogRange, LogRow, LogTable } from './logs.ts';

/** Gives the statement of a text, which is kept. */
type Prepare = (sql: string) => StatementSync;

const sqlTypes = { text: 'TEXT', number: 'REAL', json: 'TEXT' } as const;

export function logSql<T>({ name, columns, key }: LogTable<T>): string {
  const types = Object.entries(columns).map(([column, type]) => `${column} ${sqlTypes[type]}`);
  return `CREATE TABLE IF NOT EXISTS ${name} (time INTEGER NOT NULL, ${types}, PRIMARY KEY (${key})) WITHOUT ROWID`;
}

/** Writes within the transaction; returns those that were not there. */
export function insertLog<T>(prepare: Prepare, table: LogTable<T>, all: readonly T[]): T[] {
  const names = ['time', ...Object.keys(table.columns)];
  const insert = prepare(
    `INSERT OR IGNORE INTO ${table.name} (${names}) VALUES (${names.map(() => '?')})`,
  );
  return all.filter((one) => {
    const row = table.rowOf(one);
    return insert.run(...names.map((name) => row[name] ?? null)).changes > 0;
  });
}

export function selectLog<T>(
  prepare: Prepare,
  table: LogTable<T>,
  { from, to, owner, limit }: LogRange,
): T[] {
  const which = owner === undefined ? '' : `AND ${table.owner} = ?`;
  const select = prepare(
    `SELECT * FROM ${table.name} WHERE time BETWEEN ? AND ? ${which} ORDER BY time DESC, key DESC LIMIT ?`,
  );
  const rows = select.all(from, to, ...(owner === undefined ? [] : [owner]), limit);
  return rows.map((row) => table.of(row as LogRow));
}

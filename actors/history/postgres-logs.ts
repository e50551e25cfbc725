/** The tables of logs in the PostgreSQL store. */
import type pg from 'pg';
import type { LogRange, LogRow, LogTable } from './logs.ts';

export const schemaName = 'tidemark';

const sqlTypes = { text: 'text', number: 'double precision', json: 'jsonb' } as const;

/** Unix ms of `time`. */
const ms = 'round(extract(epoch FROM rows.time) * 1000)::float8 AS time';

/** Name of a table with its schema. */
export const logName = ({ name }: Pick<LogTable<never>, 'name'>): string => `${schemaName}.${name}`;

const typesOf = ({ columns }: Pick<LogTable<never>, 'columns'>) =>
  Object.entries(columns).map(([name, type]) => ({ name, type: sqlTypes[type] }));

export function logSql<T>(table: LogTable<T>): string {
  const columns = typesOf(table).map(({ name, type }) => `${name} ${type}`);
  return `CREATE TABLE IF NOT EXISTS ${logName(table)} (time timestamptz NOT NULL, ${columns}, PRIMARY KEY (${table.key}))
    ${table.isPartitioned ? 'PARTITION BY RANGE (time)' : ''}`;
}

/** Writes within the transaction; returns those that were not there. */
export async function insertLog<T>(
  client: pg.PoolClient,
  table: LogTable<T>,
  all: readonly T[],
): Promise<T[]> {
  if (all.length === 0) return [];
  const idOf = (row: LogRow) => table.key.map((name) => row[name]).join('|');
  const known = new Map(all.map((one) => [idOf(table.rowOf(one)), one]));
  const rows = [...known.values()].map(table.rowOf);
  const types = typesOf(table);
  const names = types.map(({ name }) => name).join(', ');
  const { rows: fresh } = await client.query<LogRow>(
    `INSERT INTO ${logName(table)} AS rows (time, ${names})
      SELECT to_timestamp(ms / 1000.0), ${names}
      FROM unnest($1::float8[], ${types.map(({ type }, at) => `$${at + 2}::${type}[]`)}) AS given (ms, ${names})
      ON CONFLICT DO NOTHING RETURNING ${table.key.map((name) => (name === 'time' ? ms : name))}`,
    ['time', ...types.map(({ name }) => name)].map((name) => rows.map((row) => row[name] ?? null)),
  );
  return fresh.flatMap((row) => known.get(idOf(row)) ?? []);
}

export async function selectLog<T>(
  pool: pg.Pool,
  table: LogTable<T>,
  { from, to, owner, limit }: LogRange,
): Promise<T[]> {
  const cells = typesOf(table).map(({ name, type }) => (type === 'jsonb' ? `${name}::text` : name));
  const { rows } = await pool.query<LogRow>(
    `SELECT ${ms}, ${cells} FROM ${logName(table)} AS rows
      WHERE rows.time BETWEEN to_timestamp($1 / 1000.0) AND to_timestamp($2 / 1000.0)
        ${owner === undefined ? '' : `AND ${table.owner} = $4`}
      ORDER BY rows.time DESC, key DESC LIMIT $3`,
    [from, to, limit, ...(owner === undefined ? [] : [owner])],
  );
  return rows.map(table.of);
}

/** Removes rows before a time, Unix ms. */
export async function pruneLog<T>(
  pool: pg.Pool,
  table: LogTable<T>,
  before: number,
): Promise<void> {
  const sql = `DELETE FROM ${logName(table)} WHERE time < to_timestamp($1 / 1000.0)`;
  await pool.query(sql, [before]);
}

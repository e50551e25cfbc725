/** The partitions of the PostgreSQL store: each holds a range of time of one table, and expires as a whole. */
import type pg from 'pg';
import { isLockTimeout, lockTimeoutSql, transaction } from './postgres-pool.ts';

/** A range of time, Unix ms, `to` exclusive. */
export interface Partition {
  name: string;
  from: number;
  to: number;
}

/** The bounds are those that PostgreSQL has: another version, another HISTORY_DAYS or an operator may have made the partition. */
const listSql = String.raw`SELECT name, extract(epoch FROM bounds[1]::timestamptz)::float8 * 1000 AS "from",
    extract(epoch FROM bounds[2]::timestamptz)::float8 * 1000 AS "to"
  FROM (
    SELECT inhrelid::regclass::text AS name,
      regexp_match(pg_get_expr(relpartbound, oid), 'FROM \(''(.+)''\) TO \(''(.+)''\)') AS bounds
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = $1::regclass
  ) AS found WHERE bounds IS NOT NULL`;

async function partitionsOf(on: pg.Pool | pg.PoolClient, table: string): Promise<Partition[]> {
  const { rows } = await on.query<Partition>(listSql, [table]);
  return rows;
}

const covers = (partitions: readonly Partition[], time: number): boolean =>
  partitions.some(({ from, to }) => from <= time && time < to);

/** The multiple of `span` that holds a time, as far as no partition has it. The name ends in its start in seconds. */
function freeRange(
  { table, span }: { table: string; span: number },
  partitions: readonly Partition[],
  time: number,
): Partition {
  const start = Math.floor(time / span) * span;
  const before = partitions.filter(({ to }) => to <= time).map(({ to }) => to);
  const after = partitions.filter(({ from }) => from > time).map(({ from }) => from);
  const from = Math.max(start, ...before);
  return { name: `${table}_${from / 1000}`, from, to: Math.min(start + span, ...after) };
}

/**
 * The partitions of a table, after those were made that rows of the given times lack. Neither readers nor writers of the table wait
 * for that, nor does it wait for them: `CREATE TABLE ... PARTITION OF` would lock the whole table.
 * https://www.postgresql.org/docs/15/ddl-partitioning.html#DDL-PARTITIONING-DECLARATIVE-MAINTENANCE
 */
export async function makePartitions(
  pool: pg.Pool,
  { table, span, times }: { table: string; span: number; times: Iterable<number> },
): Promise<Partition[]> {
  return transaction(pool, async (client) => {
    // One process at a time, of this and of other versions.
    await client.query(`LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
    const partitions = await partitionsOf(client, table);
    for (const time of times) {
      if (covers(partitions, time)) continue;
      const made = freeRange({ table, span }, partitions, time);
      const [from, to] = [made.from, made.to].map((at) => `'${new Date(at).toISOString()}'`);
      await client.query(`CREATE TABLE ${made.name} (LIKE ${table} INCLUDING ALL)`);
      await client.query(
        `ALTER TABLE ${table} ATTACH PARTITION ${made.name} FOR VALUES FROM (${from}) TO (${to})`,
      );
      partitions.push(made);
    }
    return partitions;
  });
}

/** The times that no partition holds, each once. */
export const withoutPartition = (
  partitions: readonly Partition[],
  times: Iterable<number>,
): number[] => [...new Set(times)].filter((time) => !covers(partitions, time));

/**
 * Drops the partitions that lie before a time as a whole, Unix ms, and returns the names of those that stay until the next call
 * because an open transaction reads the table.
 */
export async function dropPartitions(
  pool: pg.Pool,
  table: string,
  before: number,
): Promise<string[]> {
  const inUse: string[] = [];
  for (const { name, to } of await partitionsOf(pool, table)) {
    if (to > before) continue;
    const dropped = transaction(pool, async (client) => {
      await client.query(lockTimeoutSql);
      await client.query(`DROP TABLE IF EXISTS ${name}`);
    });
    await dropped.catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      inUse.push(name);
    });
  }
  return inUse;
}

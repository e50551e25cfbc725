/** The connections of the PostgreSQL store: a pool, transactions, and the driver's errors as those of a store. */
import pg from 'pg';
import { StoreError } from './store.ts';

/** Longest waits, ms. */
export const timeoutsMs = { connect: 3_000, query: 20_000 };

/** An error of the driver as one of the store. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof pg.DatabaseError)) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return new StoreError('away', `PostgreSQL does not answer${code}`);
  }
  const { code = '', message } = error;
  if (code === '53100') return new StoreError('full', 'PostgreSQL: the disk is full');
  // Connections, conflicts, resources, locks and read-only servers: they pass, or an operator mends them.
  if (/^(08|25006|40|42501|53|55|57|58)/.test(code))
    return new StoreError('away', `PostgreSQL: ${message}`);
  return new StoreError('failed', `PostgreSQL: ${message}`);
}

/** Connects when it is first used. */
export function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: timeoutsMs.connect,
    query_timeout: timeoutsMs.query,
    statement_timeout: timeoutsMs.query,
    application_name: 'tidemark-history',
  });
  // A connection that ends is replaced at the next use; its open queries fail by themselves.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Commits what `work` does, or nothing. */
export async function transaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    broken = false;
    return result;
  } catch (error) {
    if (error instanceof pg.DatabaseError || error instanceof StoreError) {
      broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
    }
    throw error;
  } finally {
    // A failed one may still have an open query.
    client.release(broken);
  }
}

/**
 * A statement that locks a whole table waits behind every open query on it, and every later query behind the statement. So it
 * gives up after a second, and is tried again later.
 */
export const lockTimeoutSql = "SET LOCAL lock_timeout = '1s'";

/** Whether a statement has given up for `lockTimeoutSql`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

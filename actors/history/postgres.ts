/** The store in a PostgreSQL database: a table for each tier, partitioned by time, for readers of its own and for several machines. */
import pg from 'pg';
import type { BusLog } from '../bus/bus.ts';
import type { Series } from './define.ts';
import {
  eventSpan,
  eventTable,
  insertEvents,
  schemaName,
  selectEvents,
} from './postgres-events.ts';
import {
  fullName,
  partitionSql,
  readerSql,
  schemaSql,
  selectSql,
  spanOf,
  upsertSql,
} from './postgres-tables.ts';
import {
  type Batch,
  type EventRange,
  given,
  type Position,
  type Range,
  rounded,
  type Store,
  type Stored,
  type StoredEvent,
  StoreError,
  type Write,
} from './store.ts';

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

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

export class PostgresStore implements Store {
  readonly #pool: pg.Pool;
  readonly #series: readonly Series[];
  readonly #log: BusLog;
  /** Numbers of keys, by series and key. */
  readonly #keys = new Map<string, number>();
  readonly #partitions = new Set<string>();
  #ready: Promise<void> | null = null;

  /** Connects when it is first used. */
  constructor(url: string, series: readonly Series[], log: BusLog) {
    this.#series = series;
    this.#log = log;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: timeoutsMs.connect,
      query_timeout: timeoutsMs.query,
      statement_timeout: timeoutsMs.query,
      application_name: 'tidemark-history',
    });
    // A connection that ends is replaced at the next use; its open queries fail by themselves.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** Makes the missing objects, once. */
  #prepared(): Promise<void> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    await this.#transaction(async (client) => {
      for (const sql of schemaSql(this.#series)) await client.query(sql);
    });
    await this.#pool.query(readerSql).catch((error: unknown) => {
      const { message } = storeErrorOf(error);
      this.#log.warn({ error: message }, 'the role that reads the history cannot be made');
    });
  }

  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
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

  write({ writes, events, positions = [] }: Batch): Promise<void> {
    return this.#try(async () => {
      const possible = events ? [...writes, ...events.sums(events.rows)] : writes;
      for (const write of possible) await this.#makeRoom(write);
      const times = events?.rows.map(({ timestamp }) => timestamp) ?? [];
      await this.#makePartitions(eventTable, eventSpan, times);
      await this.#transaction(async (client) => {
        for (const position of positions) await this.#move(client, position);
        const fresh = times.length > 0 ? await insertEvents(client, events?.rows ?? []) : [];
        const sums = events?.sums(fresh) ?? [];
        for (const write of [...writes, ...sums]) await this.#upsert(client, write);
      });
    });
  }

  /** The numbers and the partitions that a write needs. They stay where the write fails. */
  async #makeRoom({ series, step, rows }: Write): Promise<void> {
    const { name } = series;
    const unknown = [...new Set(rows.keys)].filter((key) => !this.#keys.has(`${name} ${key}`));
    if (unknown.length > 0) {
      const values = [name, unknown];
      await this.#pool.query(
        `INSERT INTO ${schemaName}.keys (series, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
        values,
      );
      const found = await this.#pool.query<{ key: string; id: number }>(
        `SELECT key, id FROM ${schemaName}.keys WHERE series = $1 AND key = ANY($2)`,
        values,
      );
      for (const { key, id } of found.rows) this.#keys.set(`${name} ${key}`, id);
    }
    const tier = series.tiers.find((one) => one.step === step);
    const span = tier ? spanOf(tier) : step;
    await this.#makePartitions(fullName(series, step), span, rows.times);
  }

  async #makePartitions(table: string, span: number, times: readonly number[]): Promise<void> {
    for (const start of new Set(times.map((time) => Math.floor(time / span) * span))) {
      const sql = partitionSql(table, start, span);
      if (this.#partitions.has(sql)) continue;
      await this.#pool.query(sql);
      this.#partitions.add(sql);
    }
  }

  async #move(client: pg.PoolClient, { name, from, to }: Position): Promise<void> {
    if (from !== undefined) {
      const sql = `SELECT position FROM ${schemaName}.positions WHERE name = $1 FOR UPDATE`;
      const { rows } = await client.query<{ position: string }>(sql, [name]);
      if ((rows[0]?.position ?? null) !== from) {
        throw new StoreError(
          'superseded',
          `the position ${name} has been moved by another process`,
        );
      }
    }
    const sql = `INSERT INTO ${schemaName}.positions VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET position = $2`;
    await client.query(sql, [name, to]);
  }

  async #upsert(client: pg.PoolClient, { series, step, mode, backfilled, rows }: Write) {
    const columns = series.columns.map(({ digits }, at) =>
      (rows.columns[at] ?? []).map((value) => orNull(rounded(value, digits))),
    );
    const ids = rows.keys.map((key) => this.#keys.get(`${series.name} ${key}`));
    const values = [ids, rows.times, backfilled, ...columns];
    await client.query(upsertSql(series, step, mode), values);
  }

  read(series: Series, step: number, keys: readonly string[], { from, to }: Range) {
    return this.#select(series, selectSql(series, step, 'keys'), [from, to, keys]);
  }

  scan(series: Series, step: number, { from, to }: Range, prefix = '') {
    return this.#select(series, selectSql(series, step, 'prefix'), [from, to, prefix]);
  }

  #select({ columns }: Series, text: string, values: unknown[]): Promise<Map<string, Stored>> {
    return this.#try(async () => {
      type Row = [key: string, time: number, backfilled: boolean, ...(number | null)[]];
      const { rows } = await this.#pool.query<Row>({ text, values, rowMode: 'array' });
      const found = new Map<string, Stored>();
      for (const [key, time, backfilled, ...numbers] of rows) {
        const empty = { times: [], columns: columns.map(() => []), backfilled: [] };
        const into: Stored = found.get(key) ?? empty;
        found.set(key, into);
        into.times.push(Math.round(time));
        into.backfilled.push(backfilled);
        for (const [at, { digits }] of columns.entries()) {
          into.columns[at]?.push(given(numbers[at] ?? null, digits));
        }
      }
      return found;
    });
  }

  events(wanted: EventRange): Promise<StoredEvent[]> {
    return this.#try(() => selectEvents(this.#pool, wanted));
  }

  position(name: string): Promise<string | null> {
    return this.#try(async () => {
      const sql = `SELECT position FROM ${schemaName}.positions WHERE name = $1`;
      const { rows } = await this.#pool.query<{ position: string }>(sql, [name]);
      return rows[0]?.position ?? null;
    });
  }

  /** Drops the partitions that lie before the time as a whole. */
  prune(series: Series, step: number, before: number): Promise<void> {
    const tier = series.tiers.find((one) => one.step === step);
    return this.#drop(fullName(series, step), tier ? spanOf(tier) : step, before);
  }

  pruneEvents(before: number): Promise<void> {
    return this.#drop(eventTable, eventSpan, before);
  }

  #drop(table: string, span: number, before: number): Promise<void> {
    return this.#try(async () => {
      const { rows } = await this.#pool.query<{ name: string }>(
        'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
        [table],
      );
      for (const { name } of rows) {
        const start = Number(/_(\d+)$/.exec(name)?.[1] ?? Number.NaN) * 1000;
        if (!(start + span <= before)) continue;
        await this.#pool.query(`DROP TABLE IF EXISTS ${name}`);
        this.#partitions.delete(partitionSql(table, start, span));
      }
    });
  }

  size(): Promise<number> {
    return this.#try(async () => {
      const { rows } = await this.#pool.query<{ bytes: string }>(
        'SELECT COALESCE(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = $2',
        [schemaName, 'r'],
      );
      return Number(rows[0]?.bytes);
    });
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#prepared();
      return await work();
    } catch (error) {
      throw storeErrorOf(error);
    }
  }
}

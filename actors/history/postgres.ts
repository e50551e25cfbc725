/** The store in a PostgreSQL database: a table for each tier, partitioned by time, for readers of its own and for several machines. */
import type pg from 'pg';
import { day } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import type { Series } from './define.ts';
import type { LogRange, LogTable } from './logs.ts';
import * as logs from './logs.ts';
import { insertLog, logName, pruneLog, schemaName, selectLog } from './postgres-logs.ts';
import {
  dropPartitions,
  makePartitions,
  type Partition,
  withoutPartition,
} from './postgres-partitions.ts';
import { lockTimeoutSql, poolOf, storeErrorOf, transaction } from './postgres-pool.ts';
import {
  fullName,
  missingSql,
  newestSql,
  readerSql,
  schemaLockSql,
  selectSql,
  spanOf,
  tablesSql,
  upsertSql,
} from './postgres-tables.ts';
import {
  type Batch,
  given,
  type Newest,
  type Position,
  type Range,
  type Store,
  type Stored,
  StoreError,
  storedCells,
  type Write,
} from './store.ts';

const eventTable = logName(logs.events);

/** What a process remembers of the database. */
class Known {
  /** By series and key. */
  readonly keys = new Set<string>();
  /** By table. */
  readonly partitions = new Map<string, readonly Partition[]>();
}

export class PostgresStore implements Store {
  readonly #pool: pg.Pool;
  readonly #series: readonly Series[];
  readonly #log: BusLog;
  #known = new Known();
  #ready: Promise<void> | null = null;

  /** Connects when it is first used. */
  constructor(url: string, series: readonly Series[], log: BusLog) {
    this.#series = series;
    this.#log = log;
    this.#pool = poolOf(url);
  }

  /** Makes what the database lacks, once. */
  #prepared(): Promise<void> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    const pool = this.#pool;
    if ((await this.#missing(pool)).length > 0) {
      await transaction(pool, async (client) => {
        await client.query(schemaLockSql);
        await client.query(lockTimeoutSql);
        // Another process may have made it since.
        for (const sql of await this.#missing(client)) await client.query(sql);
      });
    }
    const reader = transaction(pool, async (client) => {
      await client.query(schemaLockSql);
      await client.query(readerSql);
    });
    await reader.catch((error: unknown) => {
      const { message } = storeErrorOf(error);
      this.#log.warn({ error: message }, 'the role that reads the history cannot be made');
    });
  }

  async #missing(on: pg.Pool | pg.PoolClient): Promise<string[]> {
    const { rows } = await on.query<{ name: string; columns: string[] }>(tablesSql);
    return missingSql(this.#series, rows);
  }

  write({ writes, events, deliveries = [], positions = [] }: Batch): Promise<void> {
    return this.#try(async () => {
      const known = this.#known;
      const possible = events ? [...writes, ...events.sums(events.rows)] : writes;
      for (const write of possible) await this.#makeRoom(known, write);
      const times = events?.rows.map(({ timestamp }) => timestamp) ?? [];
      await this.#makePartitions(known, { table: eventTable, span: day, times });
      await transaction(this.#pool, async (client) => {
        for (const position of positions) await this.#move(client, position);
        const fresh = await insertLog(client, logs.events, events?.rows ?? []);
        await insertLog(client, logs.deliveries, deliveries);
        const sums = events?.sums(fresh) ?? [];
        for (const write of [...writes, ...sums]) await this.#upsert(client, write);
      });
    });
  }

  /** The keys and the partitions that a write needs. They stay where the write fails. */
  async #makeRoom(known: Known, { series, step, rows }: Write): Promise<void> {
    const { name } = series;
    const unknown = [...new Set(rows.map(({ key }) => key))].filter(
      (key) => !known.keys.has(`${name} ${key}`),
    );
    if (unknown.length > 0) {
      // A conflict takes a number, too: so only keys that are missing are inserted.
      await this.#pool.query(
        `INSERT INTO ${schemaName}.keys (series, key)
          SELECT $1, wanted FROM unnest($2::text[]) AS wanted
          WHERE NOT EXISTS (SELECT FROM ${schemaName}.keys WHERE series = $1 AND key = wanted)
          ON CONFLICT DO NOTHING`,
        [name, unknown],
      );
      for (const key of unknown) known.keys.add(`${name} ${key}`);
    }
    const tier = series.tiers.find((one) => one.step === step);
    const span = tier ? spanOf(tier) : step;
    const table = fullName(series, step);
    await this.#makePartitions(known, { table, span, times: rows.map(({ time }) => time) });
  }

  async #makePartitions(
    { partitions }: Known,
    { table, span, times }: { table: string; span: number; times: readonly number[] },
  ): Promise<void> {
    const missing = withoutPartition(partitions.get(table) ?? [], times);
    if (missing.length === 0) return;
    partitions.set(table, await makePartitions(this.#pool, { table, span, times: missing }));
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

  async #upsert(client: pg.PoolClient, { series, step, mode, rows }: Write) {
    const cells = rows.map((row) => storedCells(series, row));
    const values = [
      rows.map(({ key }) => key),
      rows.map(({ time }) => time),
      rows.map(({ backfilled }) => backfilled === true),
      ...series.columns.map((_, at) => cells.map((row) => row[at])),
    ];
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
      type Row = [key: string, times: number[], backfilled: boolean[], ...(number | null)[][]];
      const { rows } = await this.#pool.query<Row>({ text, values, rowMode: 'array' });
      const found = new Map<string, Stored>();
      for (const [key, times, backfilled, ...lists] of rows) {
        const numbers = columns.map(({ digits }, at) =>
          (lists[at] ?? []).map((value) => given(value, digits)),
        );
        found.set(key, { times, columns: numbers, backfilled });
      }
      return found;
    });
  }

  newest(series: Series, step: number, { from, to }: Range): Promise<Newest | null> {
    return this.#try(async () => {
      const { rows } = await this.#pool.query<Newest>(newestSql(series, step), [from, to]);
      return rows[0] ?? null;
    });
  }

  log<T>(table: LogTable<T>, wanted: LogRange): Promise<T[]> {
    return this.#try(() => selectLog(this.#pool, table, wanted));
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
    return this.#drop(fullName(series, step), before);
  }

  pruneLog<T>(table: LogTable<T>, before: number): Promise<void> {
    if (table.isPartitioned) return this.#drop(logName(table), before);
    return this.#try(() => pruneLog(this.#pool, table, before));
  }

  #drop(table: string, before: number): Promise<void> {
    return this.#try(async () => {
      const inUse = await dropPartitions(this.#pool, table, before);
      this.#known.partitions.delete(table);
      if (inUse.length === 0) return;
      this.#log.warn({ partitions: inUse }, 'expired partitions are in use: they stay for now');
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
      // A partition may have been dropped by another process, the database may be another one: nothing is taken as known.
      this.#known = new Known();
      throw storeErrorOf(error);
    }
  }
}

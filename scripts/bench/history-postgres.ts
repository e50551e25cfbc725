/**
 * The history in PostgreSQL beside that in SQLite, both with a year of the same rows of some assets: what a row takes, what 1,000
 * assets take by that, and how long the questions take that `history` asks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { SeriesAnswers } from '../../actors/history/answers.ts';
import { PostgresStore } from '../../actors/history/postgres.ts';
import { schemaName } from '../../actors/history/postgres-events.ts';
import { fullName } from '../../actors/history/postgres-tables.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { openInterest } from '../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import type { Store } from '../../actors/history/store.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { recordedKey } from '../../actors/topics/index.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { assetOf, exchanges, fillHistory, formOf, perpetuals } from './history-file.ts';
import { bytesOf, every, fillPostgres, printSizes } from './history-postgres-rows.ts';
import { cpuOf } from './load.ts';
import { median, percentile, printTable } from './report.ts';

/** As a server of its own has them, but for memory: what is asked does not fit into it. */
const settings = ['shared_buffers=256MB', 'max_wal_size=4GB'];
const hour = 3_600_000;

const [points, rounds] = [500, 200];
const asked = exchanges.slice(0, 9);
/** Assets in both that all of these exchanges have. */
const shared = Array.from({ length: perpetuals }, (_, i) => assetOf(8, i)).filter((asset) => {
  const number = Number(asset.slice(1));
  return number % every === 0 && number >= 8 * 13 && number < perpetuals;
});

interface Asked {
  took: number[];
  /** Processor time of this process and of the server, ms. */
  cpu: number[];
  rows: number;
}

/** Processor time of the connections of the store since they were opened, ms. */
async function serverCpu(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'tidemark-history'`,
  );
  return rows.reduce((sum, { pid }) => sum + cpuOf(pid), 0) / 1_000;
}

/** Each store in turns: 500 hours of nine exchanges, of another time and asset each time, or the newest. */
async function ask(stores: readonly Store[], now: number, newest: boolean): Promise<Asked[]> {
  const all = stores.map((store): Asked & { answers: SeriesAnswers } => {
    const answers = new SeriesAnswers({ series: allSeries, store, clock });
    return { answers, took: [], cpu: [], rows: 0 };
  });
  for (let round = 0; round < rounds; round++) {
    const asset = shared[round % shared.length] ?? '';
    const to = newest ? now : now - hour * (2 + ((round * 37) % 8_000));
    const keys = asked.map((exchange) => recordedKey(exchange, 'stable', asset));
    for (const one of all) {
      const [begun, cpu] = [performance.now(), process.cpuUsage()];
      const reply = await one.answers.series({
        ...{ series: 'open-interest', keys, step: '1h', limit: points, to },
      });
      one.took.push(performance.now() - begun);
      const { user, system } = process.cpuUsage(cpu);
      one.cpu.push((user + system) / 1_000);
      const { rows } = reply.ok ? reply.value.value : { rows: [] };
      one.rows += rows.reduce((sum, { times }) => sum + times.length, 0) / rounds;
    }
  }
  return all;
}

/** 8 kB pages that the server touches for one of the questions about the past. */
async function pagesOf(pool: pg.Pool, now: number): Promise<number> {
  const asset = shared[0] ?? '';
  const to = now - 100 * 24 * hour;
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT t.* FROM ${schemaName}.keys k
      JOIN ${fullName(openInterest, hour)} t ON t.key = k.id
      WHERE k.series = 'open-interest' AND k.key = ANY($1)
        AND t.time BETWEEN to_timestamp($2 / 1000.0) AND to_timestamp($3 / 1000.0)`,
    [asked.map((exchange) => recordedKey(exchange, 'stable', asset)), to - (points - 1) * hour, to],
  );
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  return (plan?.Plan['Shared Hit Blocks'] ?? 0) + (plan?.Plan['Shared Read Blocks'] ?? 0);
}

/** Ms of 1,000 rows of a sample, as the recorder writes them. */
async function append(store: Store, now: number): Promise<number> {
  const keys = formOf(openInterest, hour).keys.slice(0, 1_000);
  const took: number[] = [];
  for (let round = 0; round < 60; round++) {
    const time = Math.floor(now / 300_000) * 300_000 + round * 300_000;
    const columns = openInterest.columns.map((_, at) => keys.map((_, i) => at + round + i / 7));
    const rows = { keys, times: keys.map(() => time), columns };
    const write = { series: openInterest, step: 300_000, mode: 'put', backfilled: false } as const;
    const begun = performance.now();
    await store.write({ writes: [{ ...write, rows }] });
    took.push(performance.now() - begun);
  }
  return median(took);
}

/** Sorts every partition of the hours of open interest by key; seconds for each million rows. */
async function cluster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ name: string; key: string; count: number }>(
    `SELECT i.inhrelid::regclass::text AS name, x.indexrelid::regclass::text AS key, reltuples AS count
      FROM pg_inherits i JOIN pg_index x ON x.indrelid = i.inhrelid AND x.indisprimary
      JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
    [fullName(openInterest, hour)],
  );
  const begun = performance.now();
  for (const { name, key } of rows) {
    await pool.query(`CLUSTER ${name} USING ${key.split('.').at(-1)}`);
    await pool.query(`VACUUM (ANALYZE) ${name}`);
  }
  const millions = rows.reduce((sum, { count }) => sum + count, 0) / 1e6;
  return (performance.now() - begun) / 1_000 / millions;
}

/** Ms of the removal of the hours of open interest of the first four weeks. */
async function drop(store: Store, now: number): Promise<number> {
  const begun = performance.now();
  await store.prune(openInterest, hour, now - 360 * 24 * hour);
  return performance.now() - begun;
}

/** Each question to both stores, with what the server takes for it. */
async function reads(
  stores: readonly Store[],
  pool: pg.Pool,
  now: number,
  names: readonly string[],
) {
  const before = await serverCpu(pool);
  const past = await ask(stores, now, false);
  const server = ((await serverCpu(pool)) - before) / rounds;
  const newest = await ask(stores, now, true);
  const pages = await pagesOf(pool, now);
  return names.flatMap((name, at) => {
    const [one, other] = [past[at], newest[at]];
    if (!one || !other) return [];
    const figures = [one.rows, median(one.took), percentile(one.took, 0.99), median(other.took)];
    return [[name, ...figures, median(one.cpu), ...(at === 1 ? [server, pages] : ['', ''])]];
  });
}

async function measure(path: string, url: string, pool: pg.Pool, now: number): Promise<void> {
  const sqlite = new SqliteStore(path, allSeries);
  const postgres = new PostgresStore(url, allSeries, pino({ level: 'fatal' }));
  const stores = [sqlite, postgres];
  const hours = fullName(openInterest, hour);
  const asRecorded = await reads(stores, pool, now, ['SQLite', 'PostgreSQL']);
  const appended = [await append(sqlite, now), await append(postgres, now)];
  const before = await bytesOf(pool, hours);
  const seconds = await cluster(pool);
  const after = await bytesOf(pool, hours);
  const sorted = await reads(stores, pool, now, ['SQLite', 'PostgreSQL, hours sorted by key']);
  const columns = ['rows', 'median ms', 'p99 ms', 'newest, median ms', 'own CPU, ms'];
  printTable(
    `${points} points x ${asked.length} exchanges, answered by the history without its cache`,
    [['', ...columns, 'CPU of the server, ms', 'its pages'], ...asRecorded, ...sorted],
  );
  printTable('other figures', [
    ['', ''],
    ['SQLite: 1,000 rows of a sample, ms', appended[0] ?? 0],
    ['PostgreSQL: 1,000 rows of a sample, ms', appended[1] ?? 0],
    ['sorting a million rows by key, s', seconds],
    ['size of the hours of open interest after sorting, to before', after / before],
    ['dropping a partition of 28 days, ms', await drop(postgres, now)],
  ]);
  await sqlite.close();
  await postgres.close();
}

/** Prints all of it. Takes some ten minutes, and 2 GB in the folder for temporary files. */
export async function benchHistoryPostgres(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-history-'));
  const server = await startPostgres(settings);
  const now = Date.now();
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', () => {});
  try {
    const path = join(folder, 'history.sqlite');
    const files = await fillHistory(path, now, every);
    printSizes(files, await fillPostgres(server.url, now));
    await measure(path, server.url, pool, now);
  } finally {
    await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

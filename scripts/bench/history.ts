/** The history on files of a year: what rows take, what a minute's write costs, and how long questions take. */
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { periodAt } from '../../actors/history/periods.ts';
import { price } from '../../actors/history/series/price.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import type { Stored, Write } from '../../actors/history/store.ts';
import flags from '../../cmd/flags.json' with { type: 'json' };
import { median, percentile, printTable } from './report.ts';
import { onStage } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const keys = Array.from({ length: 1_000 }, (_, i) => `perpetual/A${i}`);
/** A year of minutes of one key in ten, so that the bench ends in minutes; the last whole day and the hours are of all. */
const years = { days: 365, every: 10 };

/** Files as the store writes them, made past it, which would take far longer. Gives rows and bytes. */
async function fill(folder: string, now: number) {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
  const duck = await instance.connect();
  const sizes: [string, number, number, number][] = [];
  const make = async (step: number, name: string, days: number) => {
    let [rows, bytes] = [0, 0];
    const last = periodAt(now - day, step).from;
    for (let at = periodAt(now - days * day, step); at.from < last; at = periodAt(at.to, step)) {
      const every = step === minute && at.to < last ? years.every : 1;
      const file = join(folder, 'price', name, `${at.name}.parquet`);
      mkdirSync(dirname(file), { recursive: true });
      const count = (at.to - at.from) / step;
      await duck.run(
        `COPY (
          SELECT 'perpetual/A' || k AS key, make_timestamptz((${at.from} + m * ${step}) * 1000) AS time, false AS backfilled,
            (100 * (1 + k % 7) * exp(0.02 * sin(m / 200.0 + k) + 0.0005 * random()))::FLOAT AS price,
            (1e6 * (1 + k % 11) * exp(0.1 * sin(m / 900.0 + k) + 0.0001 * random()))::FLOAT AS turnover
          FROM range(0, 1000, ${every}) r(k), range(${count}) s(m) ORDER BY key, time
        ) TO '${file}' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2)`,
      );
      const sql = `SELECT sum(total_compressed_size) FROM parquet_metadata('${file}')`;
      bytes += Number((await duck.runAndReadAll(sql)).getRows()[0]?.[0]);
      rows += (count * keys.length) / every;
    }
    sizes.push([name, rows, bytes / rows, bytes / rows / 2]);
  };
  await make(minute, '1m', years.days);
  await make(hour, '1h', years.days);
  instance.closeSync();
  printTable('files of the history', [['step', 'rows', 'bytes a row', 'bytes a value'], ...sizes]);
}

const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** A minute of all keys at a time. */
const sampleAt = (time: number): Write => ({
  series: price,
  step: minute,
  mode: 'put',
  rows: keys.map((key, i) => ({
    key,
    time,
    cells: [100 + i + Math.random(), 1e6 + i],
  })),
});

async function benchWrites(store: SqliteStore, now: number): Promise<void> {
  const costs: number[] = [];
  for (let at = Math.floor((now - day) / minute) * minute; at < now; at += minute) {
    const since = process.cpuUsage();
    await store.write({ writes: [sampleAt(at)] });
    costs.push(cpuMs(since));
  }
  printTable(`a minute's write of ${keys.length} keys, processor time`, [
    ['', 'median ms', 'largest ms', '% of a core'],
    ['price', median(costs), Math.max(...costs), (100 * median(costs)) / minute],
  ]);
}

async function benchQuestions(store: SqliteStore, now: number): Promise<void> {
  const [midnight] = [Math.floor(now / day) * day];
  const key = (every = 1) => `perpetual/A${randomInt(1_000 / every) * every}`;
  const read = (step: number, wanted: readonly string[], from: number, to: number) => () =>
    store.read(price, step, wanted, { from, to: to - 1 });
  const dayBefore = periodAt(now - day, minute).from - day;
  const questions: [string, () => Promise<Map<string, Stored>>][] = [
    ['one key, 30 days of hours', () => read(hour, [key()], now - 30 * day, now)()],
    [
      '100 keys, a day of minutes in a file',
      read(minute, keys.slice(300, 400), dayBefore, dayBefore + day),
    ],
    ['100 keys, the open day of minutes', read(minute, keys.slice(300, 400), midnight, now)],
    ['one key, 30 days of minutes', () => read(minute, [key(10)], now - 30 * day, now)()],
    ['one key, a year of minutes', () => read(minute, [key(10)], now - 365 * day, now)()],
  ];
  const table: (string | number)[][] = [];
  for (const [name, ask] of questions) {
    const [times, costs]: [number[], number[]] = [[], []];
    let rows = 0;
    for (let round = 0; round < 30; round++) {
      const [begun, since] = [performance.now(), process.cpuUsage()];
      const found = await ask();
      times.push(performance.now() - begun);
      costs.push(cpuMs(since));
      rows = [...found.values()].reduce((sum, stored) => sum + stored.times.length, 0);
    }
    table.push([name, rows, median(times), percentile(times, 0.99), median(costs)]);
  }
  printTable('questions', [['', 'rows', 'median ms', 'p99 ms', 'processor ms'], ...table]);
}

async function benchClosing(store: SqliteStore, now: number): Promise<void> {
  const begun = performance.now();
  await store.archive(now + 2 * day);
  printTable('a day of minutes is moved to a file', [
    ['', 'seconds'],
    [`${keys.length} keys`, (performance.now() - begun) / 1_000],
  ]);
}

/** As a history process would: prints costs, times and memory. */
async function benchStore(folder: string, now: number): Promise<void> {
  const megabytes = () => process.memoryUsage.rss() / 1e6;
  const memory: [string, number][] = [['before', megabytes()]];
  const store = new SqliteStore(folder, [price]);
  await benchWrites(store, now);
  memory.push(['after a day of writes', megabytes()]);
  await benchQuestions(store, now);
  memory.push(['after the questions', megabytes()]);
  await benchClosing(store, now);
  memory.push(['after a period was closed', megabytes()]);
  printTable('memory of the process', [['', 'MB'], ...memory]);
  await store.close();
}

const steps = { fill, benchStore };

/** Prints sizes, costs, times and memory, each step by a process of its own with the flags of the history process. */
export const benchHistory = (): Promise<void> =>
  onStage(async ({ folder }) => {
    const now = String(Date.now());
    for (const step of Object.keys(steps))
      await once(
        fork(import.meta.filename, [step, folder, now], { execArgv: flags.history }),
        'exit',
      );
  });

const [, file, name, folder, now] = process.argv;
const step = Object.entries(steps).find(([one]) => one === name)?.[1];
if (file === import.meta.filename && folder !== undefined) await step?.(folder, Number(now));

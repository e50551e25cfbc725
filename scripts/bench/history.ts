/** The history on a file of a year: what a sample and a read cost beside the driver's own statements. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SeriesAnswers } from '../../actors/history/answers.ts';
import { writeOf } from '../../actors/history/rows.ts';
import { openInterest } from '../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { type OpenInterestRow, recordedKey } from '../../actors/topics/index.ts';
import { assetOf, every, exchanges, fillHistory, perpetuals } from './history-file.ts';
import { median, percentile, printTable } from './report.ts';
import { onStage } from './stage.ts';

const fiveMinutes = 300_000;
const hour = 3_600_000;

/** Open interest of all perpetuals, as exchanges give it. */
function marketAt(now: number): MarketState {
  const newest = new NewestRows();
  for (const [at, source] of exchanges.entries()) {
    const rows = Array.from({ length: perpetuals }, (_, i): OpenInterestRow => {
      const symbol = assetOf(at, i);
      const known = { units: 1_000 + i, value: 1e6 + i, mark: 100, stated: null };
      return { market: `${symbol}USDT`, symbol, quote: 'USDT', ...known };
    });
    newest.accept('openInterest', { source, part: 'linear', asked: now, received: now, rows });
  }
  return new MarketState(newest);
}

const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const points = 500;
/** Exchanges that all have the assets that are asked for. */
const asked = exchanges.slice(0, 9);
const shared = Array.from({ length: perpetuals }, (_, i) => assetOf(8, i)).filter((asset) => {
  const number = Number(asset.slice(1));
  return number % every === 0 && number >= 8 * 13 && number < perpetuals;
});

/** A plain table of as many points, with other keys between them. */
function plainTable(folder: string, now: number) {
  const path = join(folder, 'plain.sqlite');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  db.exec(
    'CREATE TABLE rows (key INTEGER, time INTEGER, base REAL, usd REAL, PRIMARY KEY (key, time)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)');
  const end = Math.floor(now / hour);
  db.exec('BEGIN');
  const [keys, hours] = [200, 9_600];
  for (let key = 0; key < keys; key++) {
    for (let i = 0; i < hours; i++) insert.run(key, (end - i) * hour, 1_000 + i / 7, 2_000 + i / 7);
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const select = db.prepare(
    `SELECT key, time, base, usd FROM rows WHERE key IN (${asked.map(() => '?').join(',')}) AND time BETWEEN ? AND ? ORDER BY key, time`,
  );
  return {
    /** Of a row. */
    bytes: statSync(path).size / (keys * hours),
    read: (from: number, to: number, keys: number[]) => select.all(...keys, from, to),
    append(count: number, time: number) {
      db.exec('BEGIN');
      for (let i = 0; i < count; i++) insert.run(1_000 + i, time, 1_000 + i, 1e6 + i);
      db.exec('COMMIT');
    },
    close: () => db.close(),
  };
}

type Plain = ReturnType<typeof plainTable>;

/** Processor time of samples, and of as many rows that the driver adds to a plain table, in turns. */
async function benchAppends(store: SqliteStore, plain: Plain, now: number): Promise<void> {
  const [own, its]: [number[], number[]] = [[], []];
  // More than one block, so that one becomes complete.
  for (let i = 0; i < 110; i++) {
    const end = Math.floor(now / fiveMinutes) * fiveMinutes + i * fiveMinutes;
    const market = marketAt(end);
    await new Promise((next) => setTimeout(next, 20));
    let since = process.cpuUsage();
    const rows = openInterest.sample?.(market, end) ?? [];
    const timed = Array.from(rows, (row) => ({ ...row, time: end - fiveMinutes }));
    const about = { step: fiveMinutes, mode: 'put', backfilled: false } as const;
    await store.write({ writes: [writeOf(openInterest, timed, about)] });
    own.push(cpuMs(since));
    since = process.cpuUsage();
    plain.append(exchanges.length * perpetuals, end - fiveMinutes);
    its.push(cpuMs(since));
  }
  printTable(`a sample of ${exchanges.length} x ${perpetuals} perpetuals, processor time in ms`, [
    ['', 'median', 'largest', "to the driver's inserts"],
    ["the driver's inserts into a plain table", median(its), Math.max(...its), 1],
    ['sample, rows, write', median(own), Math.max(...own), median(own) / median(its)],
  ]);
}

/** Reads of the store and of the bare driver in turns, each of another time and of other assets. */
async function benchReads(store: SqliteStore, plain: Plain, now: number): Promise<void> {
  const answers = new SeriesAnswers({ series: [openInterest], store, clock });
  const [own, its]: [number[], number[]] = [[], []];
  let rows = 0;
  for (let round = 0; round < 400; round++) {
    const asset = shared[round % shared.length] ?? '';
    const to = now - hour * (2 + ((round * 37) % 8_000));
    const keys = asked.map((exchange) => recordedKey(exchange, 'stable', asset));
    const params = { series: 'open-interest', keys, step: '1h', limit: points, to } as const;
    let begun = performance.now();
    const reply = await answers.series(params);
    own.push(performance.now() - begun);
    if (reply.ok) rows += reply.value.value.rows.reduce((sum, { times }) => sum + times.length, 0);
    begun = performance.now();
    const others = asked.map((_, i) => (round * 9 + i) % 200);
    plain.read(to - (points - 1) * hour, to, others);
    its.push(performance.now() - begun);
  }
  printTable(
    `a read of ${points} points x ${asked.length} exchanges (${Math.round(rows / 400)} rows)`,
    [
      ['', 'median ms', 'p99 ms', "to the driver's query"],
      ["the driver's query of a plain table", median(its), percentile(its, 0.99), 1],
      ['answer of the history', median(own), percentile(own, 0.99), median(own) / median(its)],
    ],
  );
}

/** Prints both, and what the rows take. */
export const benchHistory = (): Promise<void> =>
  onStage(async ({ folder }) => {
    const path = join(folder, 'history.sqlite');
    const now = Date.now();
    const rows = await fillHistory(path, now);
    const { size } = statSync(path);
    const plain = plainTable(folder, now);
    printTable(`${rows} rows of open interest`, [
      ['', 'MB', 'bytes a row', 'to plain rows'],
      ['a file of the history', size / 1e6, size / rows, size / rows / plain.bytes],
      ['a plain table', (plain.bytes * rows) / 1e6, plain.bytes, 1],
    ]);
    const store = new SqliteStore(path, [openInterest]);
    await benchReads(store, plain, now);
    await benchAppends(store, plain, now);
    plain.close();
    await store.close();
  });

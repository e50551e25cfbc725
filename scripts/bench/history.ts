/**
 * The history on a file of a year: what a sample costs, what a read costs beside the driver's own query, and what a
 * history process of a whole service takes.
 */

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SeriesAnswers } from '../../actors/history/answers.ts';
import { writeOf } from '../../actors/history/rows.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { openInterest } from '../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { type OpenInterestRow, recordedKey } from '../../actors/topics/index.ts';
import { assetOf, exchanges, fillHistory, perpetuals } from './history-file.ts';
import { benchHistoryProcess } from './history-process.ts';
import { median, percentile, printTable } from './report.ts';

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

/** Processor time of samples, and how long the process is busy at a stretch while blocks are completed. */
async function benchAppends(store: SqliteStore, now: number) {
  const costs: number[] = [];
  const stretches: number[] = [];
  let at = process.cpuUsage();
  const watch = setInterval(() => {
    stretches.push(cpuMs(at));
    at = process.cpuUsage();
  }, 1);
  // More than one block, so that one becomes complete.
  for (let i = 0; i < 110; i++) {
    const end = Math.floor(now / fiveMinutes) * fiveMinutes + i * fiveMinutes;
    const market = marketAt(end);
    await new Promise((next) => setTimeout(next, 20));
    const since = process.cpuUsage();
    const rows = openInterest.sample?.(market, end) ?? [];
    const timed = Array.from(rows, (row) => ({ ...row, time: end - fiveMinutes }));
    const write = writeOf(openInterest, timed, {
      step: fiveMinutes,
      mode: 'put',
      backfilled: false,
    });
    await store.write({ writes: [write] });
    costs.push(cpuMs(since));
  }
  await new Promise((next) => setTimeout(next, 2_000));
  clearInterval(watch);
  printTable(`a sample of ${exchanges.length} x ${perpetuals} perpetuals, processor time in ms`, [
    ['', 'median', 'largest'],
    ['sample, rows, write', median(costs), Math.max(...costs)],
    ['without a turn for others', median(stretches), Math.max(...stretches)],
  ]);
}

const points = 500;
/** Exchanges that all have the first assets. */
const asked = exchanges.slice(0, 9);

/** A plain table of the same points, with other keys between them. */
function plainTable(folder: string, now: number) {
  const db = new DatabaseSync(join(folder, 'plain.sqlite'));
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  db.exec(
    'CREATE TABLE rows (key INTEGER, time INTEGER, base REAL, usd REAL, PRIMARY KEY (key, time)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  const end = Math.floor(now / hour);
  db.exec('BEGIN');
  for (let key = 0; key < 200; key++) {
    for (let i = 0; i < 9_600; i++) insert.run(key, (end - i) * hour, 1_000 + i / 7, 2_000 + i / 7);
  }
  db.exec('COMMIT');
  const select = db.prepare(
    `SELECT key, time, base, usd FROM rows WHERE key IN (${asked.map(() => '?').join(',')}) AND time BETWEEN ? AND ? ORDER BY key, time`,
  );
  return { db, read: (from: number, to: number, keys: number[]) => select.all(...keys, from, to) };
}

/** Reads of the store and of the bare driver in turns, each of another time and of other assets. */
async function benchReads(store: SqliteStore, folder: string, now: number): Promise<void> {
  const answers = new SeriesAnswers({ series: allSeries, store, clock });
  const plain = plainTable(folder, now);
  const shared = Array.from({ length: perpetuals }, (_, i) => assetOf(8, i)).slice(0, 180);
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
    plain.read(
      to - (points - 1) * hour,
      to,
      asked.map((_, i) => (round * 9 + i) % 200),
    );
    its.push(performance.now() - begun);
  }
  plain.db.close();
  printTable(
    `a read of ${points} points x ${asked.length} exchanges (${Math.round(rows / 400)} rows)`,
    [
      ['', 'median ms', 'p99 ms', "to the driver's query"],
      ["the driver's query of a plain table", median(its), percentile(its, 0.99), 1],
      ['answer of the history', median(own), percentile(own, 0.99), median(own) / median(its)],
    ],
  );
}

/** Prints all of them. */
export async function benchHistory(argument?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-history-'));
  const path = argument ?? join(folder, 'history.sqlite');
  const now = Date.now();
  try {
    if (!existsSync(path)) {
      const sizes = await fillHistory(path, now);
      const rows = sizes.map(({ name, bytes, rows }) => [name, bytes / 1e6, rows, bytes / rows]);
      printTable(`a file of ${Math.round(statSync(path).size / 1e6)} MB`, [
        ['', 'MB', 'rows', 'bytes a row'],
        ...rows,
      ]);
    }
    const store = new SqliteStore(path, allSeries);
    await benchReads(store, folder, now);
    await store.close();
    await benchHistoryProcess(path);
    const again = new SqliteStore(path, allSeries);
    await benchAppends(again, Date.now());
    await again.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ended days in files: each row once at every moment, over kills, late rows, restored back-ups and damage. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { ClosingProcess } from '../../../actors/history/closing.ts';
import { defineSeries, exact, keptFor } from '../../../actors/history/define.ts';
import { periodAt, periodOf } from '../../../actors/history/periods.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import type { Mode, Store } from '../../../actors/history/store.ts';
import { interest, writing } from '../../support/events.ts';
import { until } from '../../support/until.ts';

const step = 300_000;
const hour = 3_600_000;
const day = 24 * hour;
/** 2027-01-15T08:00Z. */
const start = 1_800_000_000_000;
const midnight = start - 8 * hour;
const everything = { from: start - 10 * day, to: start + 100 * day };
const place = mkdtempSync(join(tmpdir(), 'history-files-'));
t.teardown(() => rmSync(place, { recursive: true, force: true }));
const folderOf = (name: string) => join(place, name);
const fileOf = (folder: string, name = '2027-01-15') =>
  join(folder, 'open-interest', '5m', `${name}.parquet`);

type Row = [key: string, time: number, base: number, usd: number];
const write = (rows: readonly Row[], mode: Mode = 'put', backfilled = false) =>
  writing(interest, step, rows, { mode, backfilled });

/** Two keys, two days. */
const rows: Row[] = ['a', 'b'].flatMap((key, k) =>
  Array.from({ length: 200 }, (_, at): Row => [key, start + at * step, k + at / 8, 100 * k + at]),
);
const archived = start + 10 * day;
const readAll = async (store: Store) =>
  Object.fromEntries(await store.scan(interest, step, everything));
const expected = {
  a: {
    times: rows.slice(0, 200).map(([, time]) => time),
    columns: [
      rows.slice(0, 200).map(([, , base]) => base),
      rows.slice(0, 200).map(([, , , usd]) => usd),
    ],
    backfilled: Array(200).fill(false),
  },
  b: {
    times: rows.slice(200).map(([, time]) => time),
    columns: [rows.slice(200).map(([, , base]) => base), rows.slice(200).map(([, , , usd]) => usd)],
    backfilled: Array(200).fill(false),
  },
};

/** Rows that are in SQLite. */
function recentRows(folder: string): number {
  const db = new DatabaseSync(join(folder, 'recent.sqlite'), { readOnly: true });
  const { count } = db.prepare('SELECT count(*) AS count FROM open_interest_5m').get() ?? {};
  db.close();
  return Number(count);
}

t.test('the period of a time, by the step', async (t) => {
  const time = Date.UTC(2028, 1, 29, 13);
  t.strictSame(periodAt(time, step), {
    name: '2028-02-29',
    from: Date.UTC(2028, 1, 29),
    to: Date.UTC(2028, 2, 1),
  });
  t.strictSame(periodAt(time, hour), {
    name: '2028-02',
    from: Date.UTC(2028, 1, 1),
    to: Date.UTC(2028, 2, 1),
  });
  t.strictSame(periodAt(time, day), {
    name: '2028',
    from: Date.UTC(2028, 0, 1),
    to: Date.UTC(2029, 0, 1),
  });
  t.equal(periodOf('2028-02', hour)?.to, Date.UTC(2028, 2, 1));
  for (const name of ['2028-02-01', 'x', '2028-13']) t.equal(periodOf(name, hour), null);
});

t.test(
  'a day goes to its file a day after its end, and comes back as it was written',
  async (t) => {
    const folder = folderOf('days');
    const store = new SqliteStore(folder, [interest]);
    await store.write({ writes: [write(rows)] });
    await store.archive(midnight + 2 * day - 1);
    t.notOk(existsSync(fileOf(folder)));
    await store.archive(midnight + 2 * day);
    t.ok(existsSync(fileOf(folder)));
    t.notOk(existsSync(fileOf(folder, '2027-01-16')));
    t.equal(recentRows(folder), 16);
    t.strictSame(await readAll(store), expected);
    const part = { from: midnight + day - step, to: midnight + day };
    t.strictSame((await store.read(interest, step, ['b', 'c'], part)).get('b')?.times, [
      midnight + day - step,
      midnight + day,
    ]);
    t.strictSame(await readAll(store), expected);
    await store.close();
  },
);

t.test('late rows count at once, and what changes nothing is not stored again', async (t) => {
  const folder = folderOf('late');
  const store = new SqliteStore(folder, [interest]);
  await store.write({ writes: [write(rows.slice(0, 8), 'put', true)] });
  await store.archive(archived);
  t.equal(recentRows(folder), 0);
  await store.write({
    writes: [write(rows.slice(0, 8), 'fill'), write(rows.slice(0, 8), 'put', true)],
  });
  t.equal(recentRows(folder), 0, 'nothing changes');
  await store.write({
    writes: [
      write([
        ['a', start, 7, Number.NaN],
        ['a', start + 50 * step, 8, 9],
      ]),
      write([['a', start, 9, 9]], 'fill'),
    ],
  });
  await store.write({ writes: [write([['a', start + step, 1, 1]], 'add')] });
  t.equal(recentRows(folder), 3);
  const check = async () => {
    const { a } = await readAll(store);
    t.strictSame(
      a?.times,
      [...Array(8).keys(), 50].map((at) => start + at * step),
    );
    t.strictSame(a?.columns, [
      [7, 1 + 1 / 8, ...[2, 3, 4, 5, 6, 7].map((at) => at / 8), 8],
      [0, 2, 2, 3, 4, 5, 6, 7, 9],
    ]);
    t.strictSame(a?.backfilled, [false, ...Array(7).fill(true), false]);
  };
  await check();
  await store.archive(archived);
  t.equal(recentRows(folder), 0);
  await check();
  await store.close();
});

t.test('rows that stand in both, and drafts that were left behind', async (t) => {
  const [folder, copy] = [folderOf('both'), folderOf('copy')];
  const store = new SqliteStore(folder, [interest]);
  await store.write({ writes: [write(rows)] });
  // As docs/history.md says: SQLite first, then the files, between which the days are moved.
  const db = new DatabaseSync(join(folder, 'recent.sqlite'), { readOnly: true });
  cpSync(folder, copy, { recursive: true, filter: (path) => !/recent/.test(path) });
  db.exec(`VACUUM INTO '${join(copy, 'recent.sqlite')}'`);
  db.close();
  await store.archive(archived);
  cpSync(folder, copy, { recursive: true, filter: (path) => !/recent/.test(path) });
  await store.close();
  const draft = `${fileOf(copy)}.1.draft`;
  writeFileSync(draft, 'half');
  t.equal(recentRows(copy), 400);
  t.ok(existsSync(fileOf(copy)));
  const restored = new SqliteStore(copy, [interest]);
  t.notOk(existsSync(draft));
  t.strictSame(await readAll(restored), expected);
  await restored.archive(archived);
  t.strictSame([recentRows(copy), await readAll(restored)], [0, expected]);
  await restored.close();
});

t.test('questions while rows are added and days are moved', async (t) => {
  const store = new SqliteStore(folderOf('meanwhile'), [interest]);
  let added = 0;
  let isOver = false;
  const adding = (async () => {
    while (!isOver) {
      const at = start + (added % 10) * day;
      await store.write({ writes: [write([['a', at, 1, 1]], 'add')] });
      added++;
    }
  })();
  const moving = (async () => {
    while (!isOver) await store.archive(start + 20 * day);
  })();
  for (let round = 0; round < 40; round++) {
    const before = added;
    const { a } = await readAll(store);
    const sum = (a?.columns[1] ?? []).reduce<number>((all, one) => all + (one ?? 0), 0);
    // One more may be committed without being counted yet.
    t.ok(sum >= before && sum <= added + 1, `${before} <= ${sum} <= ${added + 1}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  isOver = true;
  await Promise.all([adding, moving]);
  t.ok(added > 0);
  await store.close();
});

t.test(
  'a process that is killed while it writes and moves days loses and doubles nothing',
  async (t) => {
    const folder = folderOf('killed');
    const script = join(import.meta.dirname, '..', '..', 'support', 'store-archiver.ts');
    const files = join(folder, 'open-interest', '5m');
    const isMoved = () =>
      existsSync(files) && readdirSync(files).some((name) => name.endsWith('.parquet'));
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 2] });
      let written = 0;
      const { stdout } = child;
      if (!stdout) throw new Error('no output');
      stdout.on('data', (lines: Buffer) => {
        written = Number(lines.toString().trim().split('\n').at(-1));
      });
      await once(stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, 200 + 400 * round));
      // Those that follow write to days that are in files.
      if (round === 2) await until(isMoved, 'a day is moved');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const store = new SqliteStore(folder, [interest]);
      const at = Number(await store.position('place'));
      const { 'kill/a': found } = await readAll(store);
      const sum = found?.columns[1]?.reduce<number>((all, one) => all + (one ?? 0), 0);
      t.ok(at >= written && written > 0, 'what was confirmed is there');
      t.equal(sum, at, 'nothing twice');
      await store.close();
    }
  },
);

t.test('a draft that takes too long has failed, and its process has ended', async (t) => {
  const process = new ClosingProcess(1);
  const draft = join(folderOf('slow'), 'x.draft');
  const task = { series: interest.name, table: 'x', from: 0, to: day, columns: [], file: draft };
  const work = { ...task, draft, database: draft, spill: draft, present: '' };
  await t.rejects(process.draft(work), { code: 'failed', message: /longer than 0.001 s/ });
  await t.rejects(process.draft(work), { code: 'failed' });
});

t.test('expired files are removed; a file without a new column is read', async (t) => {
  const folder = folderOf('expired');
  const store = new SqliteStore(folder, [interest]);
  await store.write({ writes: [write(rows)] });
  await store.archive(archived);
  await store.prune(interest, step, midnight + day - 1);
  t.ok(existsSync(fileOf(folder)));
  await store.prune(interest, step, midnight + day);
  t.notOk(existsSync(fileOf(folder)));
  await store.close();
  const { columns: known, tiers } = interest;
  const added = defineSeries({
    name: 'market-indicators',
    key: 'k',
    columns: { value: exact('US dollars'), at: exact('Unix ms') },
    tiers: [{ step: '5m', keep: '30d' }],
  });
  const wider = { ...interest, tiers, columns: [...known, ...added.columns] };
  const later = new SqliteStore(folder, [wider]);
  const found = (await later.scan(wider, step, everything)).get('b');
  t.strictSame(
    found?.columns.map((column) => column[0]),
    [1 + 192 / 8, 292, null, null],
  );
  await later.close();
});

t.test('with a shorter HISTORY_DAYS the files of before are read, and expire', async (t) => {
  const folder = folderOf('shorter');
  const store = new SqliteStore(folder, [interest]);
  await store.write({ writes: [writing(interest, hour, [['a', start, 1, 100]])] });
  // Two days into the next month.
  await store.archive(Date.UTC(2027, 1, 3));
  await store.close();
  const file = join(folder, 'open-interest', '1h', '2027-01.parquet');
  t.ok(existsSync(file));
  // Less than four months: from now on hours become no files.
  const shorter = keptFor(interest, 90);
  const later = new SqliteStore(folder, [shorter]);
  t.strictSame((await later.scan(shorter, hour, everything)).get('a')?.times, [start]);
  await later.prune(shorter, hour, Date.UTC(2027, 1));
  t.notOk(existsSync(file));
  await later.close();
});

t.test('what is damaged is named', async (t) => {
  const folder = folderOf('damaged');
  const store = new SqliteStore(folder, [interest]);
  await store.write({ writes: [write(rows)] });
  await store.archive(archived);
  truncateSync(fileOf(folder), 500);
  await t.rejects(readAll(store), { code: 'failed', message: /2027-01-15\.parquet/ });
  const rest = await store.read(interest, step, ['a'], { from: midnight + day, to: archived });
  t.equal(rest.get('a')?.times.length, 8);
  await store.close();
  writeFileSync(
    join(folder, 'recent.sqlite'),
    'this is no database, whatever its name says. '.repeat(99),
  );
  const next = new SqliteStore(folder, [interest]);
  const { files, notice } = next.damage();
  t.match(notice, /damaged and is set aside as .*recent-damaged-.*\.sqlite; a new one begins/);
  t.equal(files, 1);
  t.equal((await next.read(interest, step, ['a'], { from: midnight + day, to: archived })).size, 1);
  await next.close();
});

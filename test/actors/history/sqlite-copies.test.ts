/** A history file that is damaged: found while nothing reads the damage, and restored from its copy. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { copiesOf, FileCare } from '../../../actors/history/sqlite-copies.ts';
import { SqliteFile } from '../../../actors/history/sqlite-file.ts';
import { FakeClock } from '../../support/clock.ts';
import { interest } from '../../support/events.ts';

const step = 300_000;
const start = 96 * step * 60_000;
const page = 8_192;

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-copies-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);

/** A file of some fifty pages. */
async function made(path: string): Promise<void> {
  const store = new SqliteFile({
    path,
    series: [interest],
    clock: new FakeClock(start),
    log: silent,
  });
  for (let day = 0; day < 4; day++) {
    const times = keys.map(() => start + day * 96 * step);
    const columns = [keys.map((_, i) => i + day / 7), keys.map((_, i) => 1e6 + i * 1.37 + day)];
    const how = { series: interest, step, mode: 'put', backfilled: false } as const;
    await store.write({ writes: [{ ...how, rows: { keys, times, columns } }] });
  }
  await store.close();
  // Without free pages, in which noise does no harm and is not looked for.
  const db = new DatabaseSync(path);
  db.exec('VACUUM');
  db.close();
}

/** The values of all keys on the first day, by key. */
async function read(store: SqliteFile) {
  const found = await store.read(interest, step, keys, { from: start, to: start });
  return keys.map((key) => found.get(key)?.columns[0]?.[0]);
}

/** Overwrites a page with noise. */
function damage(path: string, at: number, seed = 7): void {
  const bytes = readFileSync(path);
  let state = seed;
  for (let i = 0; i < page; i++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[at * page + i] = state & 0xff;
  }
  writeFileSync(path, bytes);
}

const careOf = (path: string, clock: FakeClock) => new FileCare({ path, clock, log: silent });

t.test('noise in any page is found by a check, though nothing reads it', async (t) => {
  const path = join(folder(t), 'history.sqlite');
  await made(path);
  const pages = readFileSync(path).length / page;
  t.ok(pages >= 10, `${pages} pages`);
  const clean = careOf(path, new FakeClock(start));
  await clean.check();
  t.equal(clean.problem, null);
  await clean.stop();
  const whole = join(folder(t), 'whole.sqlite');
  copyFileSync(path, whole);
  for (let i = 0; i < 10; i++) {
    copyFileSync(whole, path);
    damage(path, 1 + Math.floor((i * (pages - 1)) / 10), i + 1);
    const care = careOf(path, new FakeClock(start));
    await care.check();
    t.match(care.problem, /^the file is damaged \(.+\): what cannot be read is missing$/);
    await care.stop();
  }
});

t.test('a copy a day, two of them, none of a damaged file', async (t) => {
  const path = join(folder(t), 'history.sqlite');
  await made(path);
  const clock = new FakeClock(Date.now());
  const care = careOf(path, clock);
  const names = () => copiesOf(path).map((name) => basename(name));
  await care.check();
  t.match(names(), [/^history-copy-.*Z\.sqlite$/]);
  const [first = ''] = names();
  await care.check();
  t.strictSame(names(), [first], 'it is young');
  for (let day = 0; day < 3; day++) {
    await clock.advance(86_400_000);
    await care.check();
    // Files are dated by the machine, whose clock the test does not move.
    const now = new Date(clock.now());
    for (const name of copiesOf(path).slice(0, 1)) utimesSync(name, now, now);
  }
  t.equal(names().length, 2);
  t.notOk(names().includes(first), 'the oldest goes');
  const before = names();
  damage(path, 5);
  await clock.advance(86_400_000);
  await care.check();
  t.strictSame(names(), before);
  await care.stop();
  t.notOk(readdirSync(join(path, '..')).some((name) => name.includes('-new')));
});

t.test('a file that cannot be read is set aside, and its copy takes its place', async (t) => {
  const path = join(folder(t), 'history.sqlite');
  await made(path);
  const care = careOf(path, new FakeClock(Date.now()));
  await care.check();
  await care.stop();
  damage(path, 0);
  const options = { path, series: [interest], clock: new FakeClock(start), log: silent };
  const store = new SqliteFile(options);
  t.strictSame(
    await read(store),
    keys.map((_, i) => i),
    'every value is there',
  );
  t.match(
    store.notice,
    /set aside as .*history-damaged-.*; history-copy-.* takes its place, with 0 rows/,
  );
  await store.close();
  const names = readdirSync(join(path, '..'));
  t.ok(
    names.some((name) => name.startsWith('history-damaged-')),
    'nothing is deleted',
  );
});

/** Writes a row of each key on a day, and leaves it in the journal. */
async function later(path: string, day: number): Promise<void> {
  const clock = new FakeClock(start);
  const store = new SqliteFile({ path, series: [interest], clock, log: silent });
  const times = keys.map(() => start + day * 96 * step);
  const columns = [keys.map((_, i) => i + day * 1_000), keys.map(() => day)];
  const how = { series: interest, step, mode: 'put', backfilled: false } as const;
  await store.write({
    writes: [{ ...how, rows: { keys, times, columns } }],
    positions: [{ name: 'day', to: `${day}` }],
  });
  await store.close();
}

/** The values of a day by key. */
async function onDay(store: SqliteFile, day: number) {
  const time = start + day * 96 * step;
  const found = await store.read(interest, step, keys, { from: time, to: time });
  return keys.map((key) => found.get(key)?.columns[0]?.[0]);
}

/** The pages of the tables of a file, by the name of the table. */
function rootOf(path: string, table: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
  db.close();
  return Number(row?.rootpage) - 1;
}

t.test('rows that are newer than the copy are taken over from what can be read', async (t) => {
  const path = join(folder(t), 'history.sqlite');
  await made(path);
  const care = careOf(path, new FakeClock(Date.now()));
  await care.check();
  await care.stop();
  // Day 3 was open in the copy, and is complete in the file; day 4 is in the journal of the file.
  await later(path, 4);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  damage(path, rootOf(path, 'damaged_blocks'));
  damage(path, rootOf(path, 'positions'));
  const options = { path, series: [interest], clock: new FakeClock(start), log: silent };
  const store = new SqliteFile(options);
  // Reads the damaged page, which makes the copy take the place of the file.
  await store.position('day').catch(() => null);
  t.match(store.notice, /history-copy-.* takes its place, with \d+ rows that could be read/);
  t.strictSame(
    await onDay(store, 4),
    keys.map((_, i) => i + 4_000),
    'the newest rows, which the copy has not',
  );
  t.strictSame(
    await read(store),
    keys.map((_, i) => i),
    'the oldest ones',
  );
  t.strictSame(
    (await onDay(store, 3)).map((value) => value !== undefined),
    keys.map(() => true),
  );
  await store.close();
  const again = new SqliteFile(options);
  t.strictSame(
    await onDay(again, 4),
    keys.map((_, i) => i + 4_000),
    'and they stay',
  );
  await again.close();
});

t.test('the store says what the check has found', async (t) => {
  const path = join(folder(t), 'history.sqlite');
  await made(path);
  damage(path, 6);
  const clock = new FakeClock(start);
  const log: string[] = [];
  const note = (_: object, message: string) => void log.push(message);
  const store = new SqliteFile({
    path,
    series: [interest],
    clock,
    isCaredFor: true,
    log: { info: note, warn: note, error: note },
  });
  await clock.advance(1);
  await store.close();
  t.match(store.notice, /the file is damaged/);
  t.ok(log.includes('the history file is damaged'));
});

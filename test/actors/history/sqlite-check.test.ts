/** Noise within the rows of a history file, which leaves the structure of its pages whole. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { SqliteFile } from '../../../actors/history/sqlite-file.ts';
import { FakeClock } from '../../support/clock.ts';
import { interest } from '../../support/events.ts';

const step = 300_000;
const span = 96 * step;
const start = span * 60_000;
const keys = Array.from({ length: 300 }, (_, at) => `key-${at}`);

function pathOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-check-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return join(folder, 'history.sqlite');
}

/** Errors of the log, with their fields. */
const logged: Record<string, unknown>[] = [];
const note = (fields: object, message: string) => void logged.push({ ...fields, message });
const log = { info() {}, warn() {}, error: note };

/** Eight rows of each key in a complete block, and one in the next, which is in the journal. */
async function record(path: string): Promise<void> {
  const store = new SqliteFile({
    path,
    series: [interest],
    clock: new FakeClock(start),
    log: silent,
  });
  for (const slot of [0, 1, 2, 3, 4, 5, 6, 7, 96]) {
    const times = keys.map(() => start + slot * step);
    // Values of many bits, which are not packed.
    const columns = [
      keys.map((_, at) => 1e6 + at * 1.37 + slot * 1e4),
      keys.map((_, at) => at + 0.1 * slot),
    ];
    const how = { series: interest, step, mode: 'put', backfilled: false } as const;
    await store.write({ writes: [{ ...how, rows: { keys, times, columns } }] });
  }
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
  await store.close();
}

/** Flips a bit of the middle of the block of a key, in the bytes of the file. */
function damage(path: string, key: number): void {
  const db = new DatabaseSync(path, { readOnly: true });
  const id = (start / span) * 2 ** 24 + key;
  const row = db.prepare('SELECT data FROM open_interest_5m WHERE id = ?').get(id);
  db.close();
  if (!(row?.data instanceof Uint8Array)) throw new Error('the block is there');
  const bytes = readFileSync(path);
  const at = bytes.indexOf(row.data);
  if (at < 0) throw new Error('the block lies in one page');
  const place = at + 12 + Math.floor((row.data.length - 12) / 2);
  bytes[place] = (bytes[place] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

/** What `quick_check` says, which does not see such noise. */
function quickCheck(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const found = db.prepare('PRAGMA quick_check').get();
  db.close();
  return found?.quick_check;
}

t.test('noise in the values of a block is found unasked, and named', async (t) => {
  const path = pathOf(t);
  await record(path);
  // In the second turn: 300 blocks, of which a turn reads 250.
  damage(path, 280);
  t.equal(quickCheck(path), 'ok');
  logged.length = 0;
  const clock = new FakeClock(start);
  const store = new SqliteFile({ path, series: [interest], clock, log, isCaredFor: true });
  await clock.advance(1_000);
  t.same(store.damaged, { block: 0, page: 0, file: 0 }, 'a turn is bounded');
  await clock.advance(1_000);
  t.same(store.damaged, { block: 1, page: 0, file: 0 });
  const range = { from: start, to: start + 95 * step };
  t.match(logged, [
    {
      table: 'open_interest_5m',
      series: interest.name,
      key: 'key-279',
      ...range,
      reason: 'a block is not what was written',
    },
  ]);
  const [from, to] = [range.from, range.to].map((time) => new Date(time).toISOString());
  t.equal(
    store.notice,
    `damaged blocks that are set aside in the table damaged_blocks: 1, the last one open_interest_5m of key-279 from ${from} to ${to}`,
  );
  const wide = { from: start, to: start + span };
  const found = await store.read(interest, step, keys, wide);
  t.equal(found.get('key-279')?.times.length, 1, 'its row in the journal stays');
  t.equal(found.get('key-278')?.times.length, 9, 'all others do');
  await clock.advance(7_200_000);
  t.equal(store.damaged.block, 1, 'once');
  await store.close();
});

t.test('a later round finds what was damaged after the first', async (t) => {
  const path = pathOf(t);
  await record(path);
  const clock = new FakeClock(start);
  const store = new SqliteFile({ path, series: [interest], clock, log: silent, isCaredFor: true });
  await clock.advance(10_000);
  t.equal(store.notice, null);
  const db = new DatabaseSync(path);
  db.exec("UPDATE open_interest_5m SET data = data || x'00' WHERE id % 16777216 = 7");
  db.close();
  await clock.advance(3_600_000);
  t.equal(store.damaged.block, 1);
  await store.close();
});

t.test('a question finds noise in the block that it reads', async (t) => {
  const path = pathOf(t);
  await record(path);
  damage(path, 1);
  const store = new SqliteFile({
    path,
    series: [interest],
    clock: new FakeClock(start),
    log: silent,
  });
  const found = await store.read(interest, step, ['key-0', 'key-1'], { from: start, to: start });
  t.strictSame([...found.keys()], ['key-1']);
  t.equal(store.damaged.block, 1);
  await store.close();
});

t.test('blocks of a version that wrote no checksums are read, new ones have one', async (t) => {
  const path = pathOf(t);
  await record(path);
  const db = new DatabaseSync(path);
  db.exec('ALTER TABLE open_interest_5m DROP COLUMN crc');
  db.close();
  const clock = new FakeClock(start);
  const store = new SqliteFile({ path, series: [interest], clock, log: silent, isCaredFor: true });
  await clock.advance(5_000);
  const found = await store.read(interest, step, keys, { from: start, to: start + span });
  t.equal(found.size, 300);
  t.equal(found.get('key-5')?.times.length, 9);
  t.equal(store.notice, null);
  await store.close();
});

/** What becomes of stored blocks when the columns of a series change, and when one of them is damaged. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Packr, unpack } from 'msgpackr';
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import type { Series } from '../../../actors/history/define.ts';
import { SqliteFile } from '../../../actors/history/sqlite-file.ts';
import { FakeClock } from '../../support/clock.ts';
import { interest } from '../../support/events.ts';

const packr = new Packr({ useRecords: false });
const step = 300_000;
const start = 96 * step * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-forms-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const open = (path: string, series: Series) =>
  new SqliteFile({ path, series: [series], clock: new FakeClock(start), log: silent });

/** Writes one row of each key to the first block, and one to the second, so that the first is complete. */
async function record(path: string, keys: readonly string[]): Promise<void> {
  const store = open(path, interest);
  for (const time of [start, start + 96 * step]) {
    const columns = [keys.map(() => 1.5), keys.map((_, at) => 100 + at)];
    const rows = { keys, times: keys.map(() => time), columns };
    const how = { series: interest, step, mode: 'put', backfilled: false } as const;
    await store.write({ writes: [{ ...how, rows }] });
  }
  for (let turn = 0; turn < 9; turn++) await new Promise((resolve) => setImmediate(resolve));
  await store.close();
}

async function columnsOf(path: string, series: Series, key: string) {
  const store = open(path, series);
  const found = await store.read(series, step, [key], { from: start, to: start + 200 * step });
  const { notice } = store;
  await store.close();
  return [found.get(key)?.columns, notice];
}

const [base, usd] = interest.columns;
if (!base || !usd) throw new Error('the series has two columns');
const markets = { name: 'markets', combine: 'last', digits: 15 } as const;

t.test('a new column is null in older blocks, one that is gone is left out', async (t) => {
  const path = join(folder, 'changed.sqlite');
  await record(path, ['a']);
  const none = [null, null];
  t.strictSame(await columnsOf(path, { ...interest, columns: [markets, usd, base] }, 'a'), [
    [none, [100, 100], [1.5, 1.5]],
    null,
  ]);
  t.strictSame(await columnsOf(path, { ...interest, columns: [usd] }, 'a'), [[[100, 100]], null]);
  t.strictSame((await columnsOf(path, interest, 'a'))[0], [
    [1.5, 1.5],
    [100, 100],
  ]);
});

t.test('a file of a version whose blocks did not state their columns is read', async (t) => {
  const path = join(folder, 'earlier.sqlite');
  await record(path, ['a']);
  const file = new DatabaseSync(path);
  file.exec('ALTER TABLE open_interest_5m DROP COLUMN form; DROP TABLE forms');
  file.exec('ALTER TABLE journal DROP COLUMN crc');
  for (const { id, data } of file.prepare('SELECT id, data FROM journal').all()) {
    if (!(data instanceof Uint8Array)) throw new Error('the journal has bytes');
    const { form: _, ...entry } = unpack(data);
    file.prepare('UPDATE journal SET data = ? WHERE id = ?').run(packr.pack(entry), Number(id));
  }
  file.close();
  const both = [
    [1.5, 1.5],
    [100, 100],
  ];
  for (let time = 0; time < 2; time++) {
    t.strictSame(await columnsOf(path, interest, 'a'), [both, null]);
  }
  t.strictSame(await columnsOf(path, { ...interest, columns: [markets, usd] }, 'a'), [
    [
      [null, null],
      [100, 100],
    ],
    null,
  ]);
});

t.test('a damaged block costs itself alone, and is kept', async (t) => {
  const path = join(folder, 'damaged.sqlite');
  await record(path, ['a', 'b']);
  const file = new DatabaseSync(path);
  file.exec("UPDATE open_interest_5m SET data = x'ff' WHERE id % 16777216 = 1");
  file.close();
  const set = 'damaged blocks that are set aside in the table damaged_blocks: 1';
  const range = [start, start + 95 * step].map((time) => new Date(time).toISOString()).join(' to ');
  const last = `${set}, the last one open_interest_5m of a from ${range}`;
  t.strictSame(await columnsOf(path, interest, 'a'), [[[1.5], [100]], last], 'the journal stays');
  t.strictSame(await columnsOf(path, interest, 'b'), [
    [
      [1.5, 1.5],
      [101, 101],
    ],
    null,
  ]);
  const after = new DatabaseSync(path, { readOnly: true });
  const kept = after.prepare('SELECT tier, hex(data) AS data, reason FROM damaged_blocks').all();
  after.close();
  t.match(kept, [
    { tier: 'open_interest_5m', data: 'FF', reason: 'a block is not what was written' },
  ]);
  t.notOk(readdirSync(folder).some((name) => name.includes('-damaged-')));
});

t.test('a damaged entry of the journal costs itself alone, and is kept', async (t) => {
  const noise: { [what: string]: (data: Uint8Array) => Uint8Array } = {
    'no bytes': () => new Uint8Array(),
    'the first half': (data) => data.subarray(0, data.length / 2),
    'one changed bit in its last number': (data) => {
      data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
      return data;
    },
  };
  for (const [what, damage] of Object.entries(noise)) {
    const path = join(folder, `journal-${what.length}.sqlite`);
    await record(path, ['a', 'b']);
    const file = new DatabaseSync(path);
    const [first] = file.prepare('SELECT id, data FROM journal ORDER BY id').all();
    if (!(first?.data instanceof Uint8Array)) throw new Error('the journal has bytes');
    file
      .prepare('UPDATE journal SET data = ? WHERE id = ?')
      .run(damage(first.data), Number(first.id));
    const { rows: before } = file.prepare('SELECT count(*) AS rows FROM journal').get() ?? {};
    file.close();
    const set =
      'damaged blocks that are set aside in the table damaged_blocks: 1, the last one journal of open_interest_5m';
    t.equal((await columnsOf(path, interest, 'a'))[1], set, what);
    const after = new DatabaseSync(path, { readOnly: true });
    const { rows } = after.prepare('SELECT count(*) AS rows FROM journal').get() ?? {};
    const kept = after.prepare('SELECT tier FROM damaged_blocks').all();
    after.close();
    t.equal(Number(rows), Number(before) - 1);
    t.match(kept, [{ tier: 'open_interest_5m' }]);
    t.equal((await columnsOf(path, interest, 'b'))[1], null, 'once');
  }
});

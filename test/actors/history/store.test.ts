import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { events } from '../../../actors/history/logs.ts';
import { PostgresStore } from '../../../actors/history/postgres.ts';
import { storeErrorOf, timeoutsMs } from '../../../actors/history/postgres-pool.ts';
import { spanOf } from '../../../actors/history/postgres-tables.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { type Batch, type Mode, type Store, StoreError } from '../../../actors/history/store.ts';
import { interest, storesEvents, sums, writing } from '../../support/events.ts';
import { startPostgres } from '../../support/postgres.ts';

const minute = 60_000;
const step = 5 * minute;
const day = 86_400_000;
const start = 1_800_000_000_000;

type Row = [key: string, time: number, base: number, usd: number];

const write = (rows: readonly Row[], mode: Mode = 'put', backfilled = false) =>
  writing(interest, step, rows, { mode, backfilled });

const series = [interest, sums];

const everything = { from: start - day, to: start + 100 * day };
const readAll = async (store: Store, ...keys: string[]) =>
  Object.fromEntries(await store.read(interest, step, keys, everything));

/** How one kind of store is made; `reopen` closes the old one unless the process is meant to have died. */
interface Kind {
  open(): Promise<Store>;
  reopen(store: Store): Promise<Store>;
}

/** What every store must do. */
function contract(name: string, kind: (t: Test) => Kind): void {
  t.test(name, async (t) => {
    const at = kind(t);
    let store = await at.open();
    const put = (...rows: Parameters<typeof write>) => store.write({ writes: [write(...rows)] });

    t.test('rows come back as written, of the keys and the range asked for', async (t) => {
      const rows: Row[] = [
        ['a/stable/BTC', start, 1.5, 100.25],
        ['b/stable/BTC', start, 2.5, 200.25],
        ['a/stable/BTC', start + step, 3.5, Number.NaN],
        ['a/stable/BTC', start + 3 * step, 4.5, 400.125],
      ];
      await put(rows);
      t.same(await readAll(store, 'a/stable/BTC', 'c/stable/BTC'), {
        'a/stable/BTC': {
          times: [start, start + step, start + 3 * step],
          columns: [
            [1.5, 3.5, 4.5],
            [100.25, null, 400.125],
          ],
          backfilled: [false, false, false],
        },
      });
      const range = { from: start + 1, to: start + step };
      const part = await store.read(interest, step, ['a/stable/BTC'], range);
      t.same(part.get('a/stable/BTC')?.times, [start + step]);
    });

    t.test('single precision keeps seven digits, double precision all', async (t) => {
      await put([['digits', start, 123456.789, 123456.789]]);
      const { columns = [] } = (await readAll(store, 'digits')).digits ?? {};
      t.same(columns, [[123456.8], [123456.789]]);
    });

    t.test('put replaces, add adds, fill leaves; an unknown value replaces nothing', async (t) => {
      const late = start + 2 * step;
      const both = (...rows: Row[]) => rows;
      await put(both(['m', start, 1, 10], ['m', late, Number.NaN, 1]));
      await put([['m', start, 2, Number.NaN]]);
      await put(both(['m', start, 5, 5], ['m', late, 7, 2]), 'add');
      await put(both(['m', start, 9, 9], ['m', late + step, 3, 3]), 'fill', true);
      t.same(await readAll(store, 'm'), {
        m: {
          times: [start, late, late + step],
          columns: [
            [7, 7, 3],
            [15, 3, 3],
          ],
          backfilled: [false, false, true],
        },
      });
    });

    t.test('rows of long ago, of later and of between are found over a restart', async (t) => {
      const times = [0, 5, 1, 9, 3, 12, 40].map((days) => start + days * day);
      for (const [at, time] of times.entries()) {
        await put([['far', time, at, at]]);
      }
      await put([3, 40].map((days) => ['far', start + days * day, 10 * days, days]));
      const expected = {
        times: [0, 1, 3, 5, 9, 12, 40].map((days) => start + days * day),
        columns: [30, 3].map((third, i) => [0, 2, third, 1, 3, 5, [400, 40][i]]),
        backfilled: Array(7).fill(false),
      };
      t.same((await readAll(store, 'far')).far, expected);
      store = await at.reopen(store);
      t.same((await readAll(store, 'far')).far, expected);
    });

    t.test('a scan gives every key that begins so', async (t) => {
      const time = start + 41 * day;
      const keys = ['x/coin/BTC', 'x/stable/BTC', 'x/stable/ETH'];
      await put(keys.map((key, at) => [key, time, at, at]));
      const found = await store.scan(interest, step, { from: time, to: time }, 'x/stable');
      t.same([...found.keys()].sort(), ['x/stable/BTC', 'x/stable/ETH']);
      t.same(found.get('x/stable/ETH')?.columns, [[2], [2]]);
      t.same([...(await store.scan(interest, step, { from: time, to: time })).keys()].sort(), keys);
    });

    t.test('a position is moved with the rows, or neither', async (t) => {
      t.equal(await store.position('liquidations'), null);
      const time = start + 42 * day;
      const add = (from: string | null, to: string) =>
        store.write({
          writes: [write([['log', time, 1, 1]], 'add')],
          positions: [{ name: 'liquidations', from, to }],
        });
      await add(null, '5-0');
      await t.rejects(add(null, '6-0'), { code: 'superseded' });
      await add('5-0', '6-0');
      t.equal(await store.position('liquidations'), '6-0');
      t.same((await readAll(store, 'log')).log?.columns, [[2], [2]]);
    });

    t.test('a write that fails leaves nothing', async (t) => {
      const time = start + 43 * day;
      const good = write([['half', time, 1, 1]]);
      const bad = { ...good, step: 7 };
      await t.rejects(store.write({ writes: [good, bad] }));
      t.same(await readAll(store, 'half'), {});
    });

    storesEvents(t, () => store);

    t.test('rows older than their retention are removed', async (t) => {
      // The end of a week is that of a partition.
      const week = 7 * day;
      await store.prune(interest, step, Math.floor((start + 41 * day) / week) * week);
      const left = await readAll(store, 'far', 'x/stable/ETH');
      t.strictSame(Object.keys(left), ['x/stable/ETH']);
    });
    t.teardown(() => store.close());
  });
}

const reopened = (open: Kind['open']): Kind => ({
  open,
  async reopen(store) {
    await store.close();
    return open();
  },
});

const folder = mkdtempSync(join(tmpdir(), 'history-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

contract('SQLite', () => reopened(async () => new SqliteStore(join(folder, 'contract'), series)));

/** A store of which each write goes to files at once, as if its periods had ended. */
class ArchivedStore extends SqliteStore {
  override async write(batch: Batch): Promise<void> {
    await super.write(batch);
    const times = batch.writes.flatMap(({ rows }) => rows.map(({ time }) => time));
    await this.archive(Math.max(start, ...times) + 3 * day);
  }
}

contract('SQLite and Parquet', () =>
  reopened(async () => new ArchivedStore(join(folder, 'archived'), series)),
);

/** Appends sums with a position until it is killed; the process that does it is `store-writer.ts`. */
async function killed(t: Test, where: string) {
  const script = join(import.meta.dirname, '..', '..', 'support', 'store-writer.ts');
  const child = spawn(process.execPath, [script, where], { stdio: ['ignore', 'pipe', 2] });
  let written = 0;
  child.stdout?.on('data', (lines: Buffer) => {
    written = Number(lines.toString().trim().split('\n').at(-1));
    if (written > 20) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  t.ok(written > 20, 'it has written');
  return written;
}

async function killTest(t: Test, where: string, open: () => Store) {
  const written = await killed(t, where);
  const store = open();
  const place = async () => Number(await store.position('events'));
  const read = async () => {
    const before = await place();
    const found = await store.scan(interest, step, everything, 'kill/');
    const sums = [...found.values()].flatMap(({ columns }) => columns[1] ?? []);
    const sum = sums.reduce<number>((all, one) => all + (one ?? 0), 0);
    const range = { from: start, to: start + minute, limit: 2 * before };
    const stored = await store.log(events, range);
    return { place: await place(), before, events: stored.length, sum };
  };
  let now = await read();
  // A server may still commit what it was given before the kill.
  while (now.before !== now.place) now = await read();
  t.ok(now.place >= written, 'what was confirmed is there');
  t.same([now.events, now.sum], [now.place, now.place], 'nothing twice');
  await store.close();
}

t.test('SQLite: a process killed in the middle of writing loses and doubles nothing', async (t) => {
  const path = join(folder, 'killed');
  await killTest(t, path, () => new SqliteStore(path, series));
});

t.test('SQLite: a full disk is named, and writes go on when there is room', async (t) => {
  const path = join(folder, 'full');
  const many = (time: number) =>
    write(Array.from({ length: 2_000 }, (_, at): Row => [`k${at}`, time, at, at]));
  const small = new SqliteStore(path, series, { mostPages: 60 });
  await small.write({ writes: [many(start)] });
  const fill = async () => {
    for (let at = 1; at < 50; at++) await small.write({ writes: [many(start + at * step)] });
  };
  await t.rejects(fill(), { code: 'full' });
  const kept = await small.read(interest, step, ['k7'], everything);
  await small.close();
  const store = new SqliteStore(path, series);
  t.same(await store.read(interest, step, ['k7'], everything), kept, 'what was committed stays');
  await store.write({ writes: [many(start + 60 * step)] });
  t.equal(
    (await store.read(interest, step, ['k7'], everything)).get('k7')?.times.at(-1),
    start + 60 * step,
  );
  await store.close();
});

const postgres = startPostgres();
t.teardown(async () => (await postgres).stop());
const openPostgres = (url: string) => new PostgresStore(url, series, silent);

contract('PostgreSQL', () => reopened(async () => openPostgres((await postgres).url)));

t.test('PostgreSQL: a process killed while writing loses and doubles nothing', async (t) => {
  const { url } = await postgres;
  await killTest(t, url, () => openPostgres(url));
});

t.test('PostgreSQL: at least four partitions cover the kept time', async (t) => {
  const hours = [26, 95, 96, 671, 672, 2_687, 2_688, Number.POSITIVE_INFINITY];
  t.same(
    hours.map((kept) => spanOf({ keep: kept * 60 * minute }) / minute / 60),
    [6, 6, 24, 24, 168, 168, 672, 87_360],
  );
});

t.test('PostgreSQL: its errors by their codes, and the longest waits', async (t) => {
  const error = (code?: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });
  const own = new StoreError('superseded', 'x');
  const errors = [
    own,
    ...['53100', '08006', '53300', '57P01', '53200', '40P01', '22003', undefined].map(error),
  ];
  t.strictSame(
    [...errors, new Error('x'), 'x'].map((one) => storeErrorOf(one).code),
    [
      'superseded',
      'full',
      'away',
      'away',
      'away',
      'away',
      'away',
      'failed',
      'failed',
      'away',
      'away',
    ],
  );
  t.strictSame(timeoutsMs, { connect: 3_000, query: 20_000 });
});

t.test('PostgreSQL: a connection is used again after a write that was refused', async (t) => {
  const store = openPostgres((await postgres).url);
  const connected = t.capture(pg.Client.prototype, 'connect', pg.Client.prototype.connect);
  const move = (more: { from?: string }) =>
    store.write({ writes: [], positions: [{ name: 'again', to: 'b', ...more }] });
  await move({});
  for (let i = 0; i < 3; i++) await t.rejects(move({ from: 'x' }), { code: 'superseded' });
  await move({ from: 'b' });
  t.equal(connected().length, 1);
  await store.close();
});

t.test('PostgreSQL: columns that a table lacks are added, null in older rows', async (t) => {
  const { url } = await postgres;
  const client = new pg.Client(url);
  await client.connect();
  await client.query('ALTER TABLE tidemark.open_interest_5m DROP COLUMN base');
  const store = openPostgres(url);
  const at = { from: start + 41 * day, to: start + 41 * day };
  const found = await store.read(interest, step, ['x/stable/ETH'], at);
  t.same(found.get('x/stable/ETH')?.columns, [[null], [2]]);
  await store.close();
  await client.end();
});

t.test('PostgreSQL: a reader of its own can read and not write', async (t) => {
  const { url } = await postgres;
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE ROLE grafana LOGIN IN ROLE tidemark_reader; SET ROLE grafana');
  const { rows } = await client.query(
    `SELECT k.key, t.time, t.usd FROM tidemark.open_interest_5m t JOIN tidemark.keys k ON k.id = t.key WHERE k.key = 'x/stable/ETH'`,
  );
  t.same(rows, [{ key: 'x/stable/ETH', time: new Date(start + 41 * day), usd: 2 }]);
  await t.rejects(client.query('DELETE FROM tidemark.keys'), /permission denied/);
  await client.end();
});

t.test('PostgreSQL away is named, and the same store goes on when it is back', async (t) => {
  const server = await postgres;
  const store = openPostgres(server.url);
  const time = start + 44 * day;
  await store.write({ writes: [write([['back', time, 1, 1]])] });
  const client = new pg.Client(server.url);
  await client.connect();
  await Promise.all(Array.from({ length: 9 }, () => readAll(store, 'back')));
  const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'tidemark-history'`;
  t.same((await client.query(sql)).rows, [{ count: 4 }]);
  await client.end();
  await server.kill();
  const later = { writes: [write([['back', time + step, 2, 2]])] };
  await t.rejects(store.write(later), { code: 'away' });
  await server.start();
  await store.write(later);
  t.same((await readAll(store, 'back')).back?.columns, [
    [1, 2],
    [1, 2],
  ]);
  await store.close();
});

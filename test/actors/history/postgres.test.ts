/** The PostgreSQL store with databases of other versions, other settings, several processes, and readers of its own. */
import pg from 'pg';
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { coverageAnswers } from '../../../actors/history/coverage-answers.ts';
import { keptFor, type Series } from '../../../actors/history/define.ts';
import { events } from '../../../actors/history/logs.ts';
import { PostgresStore } from '../../../actors/history/postgres.ts';
import type { Mode, SmallBatch } from '../../../actors/history/store.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { event, eventWrite, interest, sums, writing } from '../../support/events.ts';
import { startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Start of a partition of every length: Thursdays 0:00 UTC, 4 and 1 weeks after 1 January 1970. */
const start = 728 * 28 * day;

const server = startPostgres();
t.teardown(async () => (await server).stop());

/** An empty database of its own with a client that looks and meddles, and a way to open stores on it. */
async function database(t: Test) {
  const { url } = await server;
  const name = `test_${Math.random().toString(36).slice(2)}`;
  const maker = new pg.Client(url);
  await maker.connect();
  await maker.query(`CREATE DATABASE ${name}`);
  await maker.end();
  const own = url.replace('/postgres?', `/${name}?`);
  const connect = async () => {
    const client = new pg.Client(own);
    await client.connect();
    t.teardown(() => client.end());
    return client;
  };
  const open = (series: readonly Series[] = [interest, sums]) => {
    const store = new PostgresStore(own, series, silent);
    t.teardown(() => store.close());
    return store;
  };
  return { client: await connect(), connect, open };
}

type Row = [key: string, time: number, base: number, usd: number];

const write = (
  rows: readonly Row[],
  { step = hour, mode = 'put' }: { step?: number; mode?: Mode } = {},
): SmallBatch => ({ writes: [writing(interest, step, rows, { mode })] });

const everything = { from: 0, to: start + 1_000 * day };

/** Partitions of a table with their bounds, by name. */
async function partitions(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT relname || pg_get_expr(relpartbound, oid) AS text FROM pg_inherits JOIN pg_class ON oid = inhrelid
      WHERE inhparent = $1::regclass ORDER BY relname`,
    [`tidemark.${table}`],
  );
  return rows.map(({ text }) => text);
}

/** What version 0.2.0 made, and some rows of it: hours in partitions of 28 days, five minutes in those of 7. */
const earlier = `
CREATE SCHEMA tidemark;
CREATE TABLE tidemark.keys (
  series text NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, key text NOT NULL, PRIMARY KEY (id), UNIQUE (series, key));
CREATE TABLE tidemark.positions (name text PRIMARY KEY, position text NOT NULL);
CREATE TABLE tidemark.open_interest_5m (
  key integer NOT NULL, time timestamptz NOT NULL, base double precision, usd double precision,
  backfilled boolean NOT NULL, PRIMARY KEY (key, time)) PARTITION BY RANGE (time);
CREATE TABLE tidemark.open_interest_1h (
  key integer NOT NULL, time timestamptz NOT NULL, base real,
  backfilled boolean NOT NULL, PRIMARY KEY (key, time)) PARTITION BY RANGE (time);
CREATE TABLE tidemark.liquidation_events (
  time timestamptz NOT NULL, exchange text NOT NULL, key text NOT NULL, symbol text NOT NULL, contract text NOT NULL,
  side text NOT NULL, price double precision NOT NULL, price_kind text NOT NULL,
  quantity_base double precision NOT NULL, value_usd double precision NOT NULL, details text,
  PRIMARY KEY (time, exchange, key)) PARTITION BY RANGE (time);
CREATE TABLE tidemark.open_interest_1h_1761177600 PARTITION OF tidemark.open_interest_1h
  FOR VALUES FROM ('2025-10-23T00:00:00Z') TO ('2025-11-20T00:00:00Z');
CREATE TABLE tidemark.open_interest_5m_1761177600 PARTITION OF tidemark.open_interest_5m
  FOR VALUES FROM ('2025-10-23T00:00:00Z') TO ('2025-10-30T00:00:00Z');
CREATE TABLE tidemark.liquidation_events_1761177600 PARTITION OF tidemark.liquidation_events
  FOR VALUES FROM ('2025-10-23T00:00:00Z') TO ('2025-10-24T00:00:00Z');
INSERT INTO tidemark.keys (series, key) VALUES ('funding', 'x/stable/BTC'), ('open-interest', 'x/stable/BTC');
INSERT INTO tidemark.positions VALUES ('liquidations', '7-0');
INSERT INTO tidemark.open_interest_1h VALUES
  (2, '2025-10-23T00:00:00Z', 1.25, false), (2, '2025-11-19T23:00:00Z', 2.5, true);
INSERT INTO tidemark.open_interest_5m VALUES (2, '2025-10-23T00:05:00Z', 123456.789, 3.5, false);
INSERT INTO tidemark.liquidation_events VALUES
  ('2025-10-23T00:00:00.007Z', 'okx', 'BTC-USDT-SWAP|old', 'BTC', 'BTC-USDT-SWAP', 'long', 100.5, 'bankruptcy', 2, 201, '{"id":"old"}');
`;

t.test('a database of an earlier version is taken over whole', async (t) => {
  t.equal(new Date(start).toISOString(), '2025-10-23T00:00:00.000Z');
  const { client, open } = await database(t);
  await client.query(earlier);
  // Kept for 60 days: partitions of seven days, in the place of those of 28.
  const series = [keptFor(interest, 60), sums];
  const store = open(series);
  const last = start + 28 * day - hour;
  const key = 'x/stable/BTC';
  const hours = async () => (await store.read(interest, hour, [key], everything)).get(key);
  t.strictSame(await hours(), {
    times: [start, last],
    columns: [
      [1.25, 2.5],
      [null, null],
    ],
    backfilled: [false, true],
  });
  const fine = await store.read(interest, 5 * minute, [key], everything);
  t.strictSame(fine.get(key), {
    times: [start + 5 * minute],
    // Seven digits are kept today.
    columns: [[123456.8], [3.5]],
    backfilled: [false],
  });
  const stored = event('old', { timestamp: start + 7 });
  t.strictSame(await store.log(events, { from: start, to: start + day, limit: 9 }), [stored]);
  t.equal(await store.position('liquidations'), '7-0');

  await store.write({ writes: [], events: eventWrite([stored]) });
  const { rows } = await client.query('SELECT count(*)::int FROM tidemark.liquidation_events');
  t.strictSame(rows, [{ count: 1 }], 'an event that it has is not stored again');
  const next = start + 28 * day;
  const more = write([
    [key, start + day, 3, 30],
    [key, last, 4, 40],
    [key, next, 5, 50],
  ]);
  await store.write({
    writes: more.writes.map((one) => ({ ...one, series: series[0] ?? interest })),
  });
  t.strictSame(await hours(), {
    times: [start, start + day, last, next],
    columns: [
      [1.25, 3, 4, 5],
      [null, 30, 40, 50],
    ],
    backfilled: [false, false, false, false],
  });
  const week = "FOR VALUES FROM ('2025-11-20 00:00:00+00') TO ('2025-11-27 00:00:00+00')";
  const month = "FOR VALUES FROM ('2025-10-23 00:00:00+00') TO ('2025-11-20 00:00:00+00')";
  const [old, fresh] = ['open_interest_1h_1761177600', 'open_interest_1h_1763596800'];
  t.strictSame(await partitions(client, 'open_interest_1h'), [`${old}${month}`, `${fresh}${week}`]);

  await store.prune(interest, hour, next - 1);
  t.equal((await hours())?.times.length, 4, 'a row of the old partition is kept still');
  await store.prune(interest, hour, next);
  t.strictSame((await hours())?.times, [next]);
  t.strictSame(await partitions(client, 'open_interest_1h'), [`${fresh}${week}`]);
});

t.test('longer retention: new partitions end where shorter ones begin', async (t) => {
  const { client, open } = await database(t);
  const short = keptFor(interest, 60);
  const [at] = write([['k', start + 8 * day, 1, 1]]).writes;
  if (at) await open([short]).write({ writes: [{ ...at, series: short }] });
  const store = open();
  const days = [0, 6, 8, 14, 16, 27, 28, -1];
  await store.write(write(days.map((days) => ['k', start + days * day, days, 1])));
  const { columns = [] } = (await store.read(interest, hour, ['k'], everything)).get('k') ?? {};
  t.strictSame(columns[0], [-1, 0, 6, 8, 14, 16, 27, 28]);
  const bounds = (await partitions(client, 'open_interest_1h')).map((text) =>
    [...text.matchAll(/2025-\d\d-\d\d/g)].join(' '),
  );
  t.strictSame(bounds, [
    '2025-09-25 2025-10-23',
    '2025-10-23 2025-10-30',
    '2025-10-30 2025-11-06',
    '2025-11-06 2025-11-20',
    '2025-11-20 2025-12-18',
  ]);
});

t.test('processes of two versions use one database at once', async (t) => {
  const { open } = await database(t);
  const before: Series = { ...interest, columns: interest.columns.slice(0, 1) };
  const old = open([before]);
  const put = (series: Series, time: number, ...values: number[]) => ({
    writes: [writing(series, hour, [['k', time, ...values]])],
  });
  await old.write(put(before, start, 1));
  const fresh = open();
  await fresh.write(put(interest, start + hour, 2, 20));
  // The older one goes on, also on rows of the newer one.
  await old.write(put(before, start + hour, 3));
  await old.write(put(before, start + 2 * hour, 4));
  const late = open([before]);
  await late.write(put(before, start + 3 * hour, 5));
  const read = async (store: PostgresStore, series: Series) =>
    (await store.read(series, hour, ['k'], everything)).get('k')?.columns;
  t.strictSame(await read(fresh, interest), [
    [1, 3, 4, 5],
    [null, 20, null, null],
  ]);
  t.strictSame(await read(old, before), [[1, 3, 4, 5]]);
  t.strictSame(await read(late, before), [[1, 3, 4, 5]]);
});

t.test('processes that start at once on an empty database write the same rows', async (t) => {
  const { client, open } = await database(t);
  const stores = Array.from({ length: 4 }, () => open());
  const rows = Array.from({ length: 50 }, (_, i): Row => [`k${i}`, start + i * day, i, i]);
  await Promise.all(
    stores.map((store, at) => store.write(write(at % 2 === 0 ? rows : rows.toReversed()))),
  );
  const { rows: counts } = await client.query(
    `SELECT (SELECT count(*)::int FROM tidemark.open_interest_1h) AS rows, (SELECT count(*)::int FROM tidemark.keys) AS keys,
      (SELECT count(*)::int FROM pg_roles WHERE rolname = 'tidemark_reader') AS roles`,
  );
  t.strictSame(counts, [{ rows: 50, keys: 50, roles: 1 }]);
  t.equal((await partitions(client, 'open_interest_1h')).length, 2, '50 days in 56');
});

t.test(
  'a long query, as of a dump, delays nothing; what it reads is dropped after it',
  async (t) => {
    const { client, connect, open } = await database(t);
    const store = open();
    await store.write(write([['k', start, 1, 1]]));
    const dump = await connect();
    await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await dump.query('SELECT * FROM tidemark.open_interest_1h, tidemark.keys, tidemark.positions');
    // A start, writes to a new partition, and reads: each would wait for 20 seconds at most, and fail.
    const other = open();
    await other.write(
      write([
        ['k', start + 28 * day, 2, 2],
        ['l', start, 3, 3],
      ]),
    );
    t.strictSame([...(await other.scan(interest, hour, everything)).keys()].sort(), ['k', 'l']);
    await other.prune(interest, hour, start + 28 * day);
    t.equal((await partitions(client, 'open_interest_1h')).length, 2, 'it is in use');
    t.equal((await other.scan(interest, hour, everything)).get('k')?.times.length, 2);
    await dump.query('COMMIT');
    await other.prune(interest, hour, start + 28 * day);
    t.strictSame((await other.scan(interest, hour, everything)).get('k')?.times, [
      start + 28 * day,
    ]);
  },
);

t.test(
  'a column that is missing waits for a long query, and holds up nobody for long',
  async (t) => {
    const { client, connect, open } = await database(t);
    const before: Series = { ...interest, columns: interest.columns.slice(0, 1) };
    const [at] = write([['k', start, 1, 2]]).writes;
    const old = open([before]);
    if (at) await old.write({ writes: [{ ...at, series: before }] });
    const dump = await connect();
    await dump.query('BEGIN');
    await dump.query('SELECT * FROM tidemark.open_interest_1h');
    const fresh = open();
    const refused = t.rejects(fresh.read(interest, hour, ['k'], everything), { code: 'away' });
    // Behind the lock that the other one waits for.
    t.equal((await old.read(before, hour, ['k'], everything)).size, 1);
    await refused;
    await dump.query('COMMIT');
    const found = await fresh.read(interest, hour, ['k'], everything);
    t.strictSame(found.get('k')?.columns, [[1], [null]]);
    const sql = `SELECT count(*)::int AS usd FROM pg_attribute
    WHERE attrelid = 'tidemark.open_interest_1h'::regclass AND attname = 'usd'`;
    t.strictSame((await client.query(sql)).rows, [{ usd: 1 }]);
  },
);

t.test('expired rows go with their partition, without a DELETE', async (t) => {
  const { client, open } = await database(t);
  const store = open();
  await store.write(write([0, 28, 56].map((days) => ['k', start + days * day, days, 1])));
  const files = async () =>
    (
      await client.query<{ file: number }>(
        `SELECT pg_relation_filenode(inhrelid) AS file FROM pg_inherits
          WHERE inhparent = 'tidemark.open_interest_1h'::regclass ORDER BY 1`,
      )
    ).rows.map(({ file }) => file);
  const [, ...others] = await files();
  await store.prune(interest, hour, start + 28 * day + 5 * hour);
  t.strictSame(await files(), others, 'the other files stay as they are');
});

t.test('a row that stays as it is takes no new version', async (t) => {
  const { client, open } = await database(t);
  const store = open();
  const version = async () =>
    (await client.query<{ v: string }>('SELECT xmin::text AS v FROM tidemark.open_interest_1h'))
      .rows[0]?.v;
  await store.write(write([['k', start, 1, Number.NaN]]));
  const first = await version();
  await store.write(write([['k', start, 9, Number.NaN]], { mode: 'fill' }));
  await store.write(write([['k', start, 1, Number.NaN]]));
  t.equal(await version(), first);
  await store.write(write([['k', start, 9, 2]], { mode: 'fill' }));
  t.not(await version(), first, 'a value that was missing');
  t.strictSame((await store.read(interest, hour, ['k'], everything)).get('k')?.columns, [[1], [2]]);
});

t.test('a partition that another process has dropped is made again', async (t) => {
  const { open } = await database(t);
  const [one, other] = [open(), open()];
  const clock = new FakeClock();
  const writer = new Writer({
    store: one,
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
  });
  await writer.add(write([['k', start, 1, 1]]));
  await other.prune(interest, hour, start + 28 * day);
  t.strictSame(await one.scan(interest, hour, everything), new Map());
  const added = writer.add(
    write([
      ['k', start, 2, 2],
      ['l', start, 3, 3],
    ]),
  );
  let done = false;
  void added.then(() => {
    done = true;
  });
  const isDone = async () => {
    await clock.advance(1_000);
    return done;
  };
  await until(isDone, 'the rows are written');
  t.strictSame(writer.counts, { lost: 0, waiting: 0 });
  t.equal((await one.scan(interest, hour, everything)).size, 2);
});

t.test('a database that was restored behind a process mixes no keys', async (t) => {
  const { client, open } = await database(t);
  const store = open();
  await store.write(
    write([
      ['a', start, 1, 1],
      ['b', start, 2, 2],
    ]),
  );
  await client.query('DROP SCHEMA tidemark CASCADE');
  await open().write(
    write([
      ['c', start, 3, 3],
      ['d', start, 4, 4],
    ]),
  );
  const again = write([
    ['b', start, 5, 5],
    ['d', start, 6, 6],
  ]);
  await t.rejects(store.write(again), { code: 'failed' }, 'once: a key of before is missing');
  await store.write(again);
  const found = await store.scan(interest, hour, everything);
  t.strictSame([...found].map(([key, { columns }]) => [key, columns[0]?.[0]]).sort(), [
    ['b', 5],
    ['c', 3],
    ['d', 6],
  ]);
});

t.test('what is recorded is counted as in a file', async (t) => {
  const { open } = await database(t);
  const store = open([interest]);
  const row = (key: string, hours: number): Row => [key, start + hours * hour, 1, 1];
  const rows = [row('okx/BTC', -1), row('okx/ETH', -1), row('okx/BTC', -5), row('okx/BTC', 0)];
  await store.write({ ...write(rows), positions: [{ name: 'recorded:open-interest', to: '99' }] });
  const clock = new FakeClock(start + 3_000);
  const { coverage } = coverageAnswers({ series: [interest], store, clock });
  const counted = { newest: start - hour, keys: 2, key: 'okx/BTC', rows: 2, steps: 168 };
  const expected = [
    { step: '5m', recorded_from: 99, newest: null, rows: 0 },
    { step: '1h', recorded_from: 99, ...counted },
  ];
  t.match(await coverage(), { ok: true, value: { value: { rows: expected } } });
});

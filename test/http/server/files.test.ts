/** Files that are made while they are sent: their bytes as other programs read them, readers that leave or stall, and their number. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import t, { type Test } from 'tap';
import { request } from 'undici';
import { systemClock } from '../../../actors/kernel/clock.ts';
import * as s from '../../../actors/topics/schema.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import type { Row } from '../../../http/answers/tables/encoder.ts';
import type { RowsFile } from '../../../http/answers/tables/file.ts';
import { mostFiles } from '../../../http/server/files.ts';
import { createServer, type ServerOptions } from '../../../http/server/server.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { echo, later } from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const start = Date.UTC(2026, 0, 1);
const rowAt = (i: number, wide = ''): Row => [
  start + i,
  (i % 3 === 0 ? '=x,"é"' : 'BTC') + wide,
  i % 2 ? -i / 8 : null,
];
const columns = [
  { name: 'timestamp', type: 'time' },
  { name: 'symbol', type: 'text' },
  { name: 'value', type: 'number' },
] as const;

/** So many rows, a thousand a part; `made` counts them. An error after them where there is one. */
function generated(count: number, { pages = 1, broken = false, wide = '' } = {}) {
  const state = { made: 0, over: 0 };
  const file: RowsFile = {
    name: 'rows',
    columns,
    pages,
    async *parts() {
      try {
        while (state.made < count) {
          const length = Math.min(1_000, count - state.made);
          const from = state.made;
          state.made += length;
          yield Array.from({ length }, (_, i) => rowAt(from + i, wide));
        }
        if (broken) yield apiError('store_unavailable');
      } finally {
        state.over += 1;
      }
    },
  };
  return { file, state };
}

const cell = s.unchecked<number | string | null>({ type: ['number', 'string', 'null'] });
const answer = s.object({ columns: s.list(s.string()), rows: s.list(s.list(cell)) });

/** A server with a row of these files. */
async function serving(
  t: Test,
  file: () => ReturnType<NonNullable<ReturnType<typeof echo>['file']>>,
  more: Partial<ServerOptions> = {},
) {
  const json = snapshotOf({ columns: [], rows: [] });
  const access = more.gate ? 'key' : 'open';
  const errors: object[] = [];
  const server = await createServer({
    routes: [echo({ path: '/v1/rows', access, answer, from: later(() => json), file })],
    host: '127.0.0.1',
    port: 0,
    cors: { origins: ['*'] },
    version: 'test',
    clock: systemClock,
    log: { info: () => {}, error: (one: object) => void errors.push(one) },
    queries: { known: () => null, read: () => json, once: async () => apiError('internal') },
    ...more,
  });
  t.teardown(() => server.stop());
  const { port } = server;
  const url = `http://127.0.0.1:${port}/v1/rows`;
  const get = async (query: string, headers: object = {}) => {
    const reply = await request(url + query, { headers: { ...headers } });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    return { status: reply.statusCode, headers: reply.headers, bytes };
  };
  return { url, port, get, errors };
}

async function byDuckdb(t: Test, bytes: Buffer): Promise<unknown[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rows.parquet');
  await writeFile(path, bytes);
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms(timestamp), symbol, value FROM read_parquet('${path}')`,
  );
  const rows = result.getRowsJS();
  connection.closeSync();
  database.closeSync();
  return rows.map(([time, ...cells]) => [Number(time), ...cells]);
}

t.test('all rows in each format, by the query and by the header', async (t) => {
  const count = 2_500;
  const { get } = await serving(t, () => generated(count).file);
  const expected = Array.from({ length: count }, (_, i) => rowAt(i));
  const parquet = await get('?format=parquet');
  t.match(parquet.headers, {
    'content-type': 'application/vnd.apache.parquet',
    'content-disposition': 'attachment; filename="rows.parquet"',
    'cache-control': 'no-store',
  });
  t.strictSame(await byDuckdb(t, parquet.bytes), expected);
  const arrow = await get('', { accept: 'application/vnd.apache.arrow.stream' });
  t.match(arrow.headers, { vary: 'accept' });
  const read = [...tableFromIPC(arrow.bytes)].map((row) => columns.map(({ name }) => row[name]));
  t.strictSame(read, expected);
  const csv = await get('?format=csv', { accept: 'application/vnd.apache.parquet' });
  const lines = csv.bytes.toString().split('\r\n');
  t.strictSame(
    [lines.length, lines[0], lines[2]],
    [count + 2, 'timestamp,symbol,value', `${start + 1},BTC,-0.125`],
  );
  t.equal(lines[1], `${start},"'=x,""é""",`);
  for (const [query, headers] of [
    ['?format=json', { accept: 'text/csv' }],
    ['', { accept: '*/*' }],
    ['', {}],
  ] as const)
    t.match((await get(query, headers)).headers, { 'content-type': 'application/json' });
  const wrong = await get('?format=xlsx');
  t.match(JSON.parse(wrong.bytes.toString()), {
    message: 'format must be one of json, csv, parquet, arrow',
  });
  const none = await serving(t, () => generated(0).file);
  t.equal((await none.get('?format=csv')).bytes.toString(), 'timestamp,symbol,value\r\n');
  t.strictSame(await byDuckdb(t, (await none.get('?format=parquet')).bytes), []);
});

t.test(
  'an error before the first rows is the answer, one after them breaks the file off',
  async (t) => {
    const refused = await serving(t, () => apiError('unknown_symbol'));
    t.equal((await refused.get('?format=arrow')).status, 404);
    const empty = await serving(t, () => generated(0, { broken: true }).file);
    const early = await empty.get('?format=arrow');
    t.match([early.status, JSON.parse(early.bytes.toString()).code], [503, 'store_unavailable']);
    const late = generated(20_000, { broken: true, pages: 2 });
    const broken = await serving(t, () => late.file);
    await t.rejects(broken.get('?format=csv'), 'the body has no end');
    t.equal(late.state.over, 1);
  },
);

t.test('the head of a bounded table says its length, also to HEAD', async (t) => {
  for (const format of ['csv', 'parquet', 'arrow']) {
    const { get, url } = await serving(t, () => generated(2_500).file);
    const { headers, bytes } = await get(`?format=${format}`);
    t.equal(headers['content-length'], String(bytes.length), format);
    t.equal(headers['transfer-encoding'], undefined);
    const head = await request(`${url}?format=${format}`, { method: 'HEAD' });
    t.equal(head.headers['content-length'], String(bytes.length), `HEAD of ${format}`);
    t.equal((await head.body.arrayBuffer()).byteLength, 0);
  }
  const pages = await serving(t, () => generated(2_500, { pages: 2 }).file);
  const several = await pages.get('?format=csv');
  t.match(several.headers, { 'transfer-encoding': 'chunked', 'content-length': undefined });
  const large = await serving(t, () => generated(9_000, { wide: 'x'.repeat(1_000) }).file);
  const long = await large.get('?format=csv');
  t.match(long.headers, { 'transfer-encoding': 'chunked', 'content-length': undefined });
  t.equal(long.bytes.toString().split('\r\n').length, 9_002, 'too long to be kept, and whole');
  const late = await serving(t, () => generated(2_500, { broken: true }).file);
  t.equal((await late.get('?format=csv')).status, 503, 'an error after some rows is the answer');
});

t.test('each page counts as a request', async (t) => {
  const { quota } = memoryQuota(new FakeClock());
  t.teardown(() => quota.close());
  const sizes = [5, 60];
  const gate = gateOf({ good: alice });
  const file = () => generated(10, { pages: sizes.shift() ?? 1 }).file;
  const { get } = await serving(t, file, { gate, quota });
  const key = { 'x-api-key': 'good' };
  const leftOf = ({ ratelimit }: Record<string, unknown>) => /r=(\d+)/.exec(`${ratelimit}`)?.[1];
  const first = await get('?format=csv', key);
  t.match([first.status, leftOf(first.headers)], [200, '55']);
  const second = await get('?format=csv', key);
  t.match([second.status, leftOf(second.headers)], [429, '54'], 'more pages than are left');
});

t.test(
  'a reader that leaves frees its place, and one that takes nothing holds its own rows only',
  async (t) => {
    const many = Array.from({ length: mostFiles }, () => generated(10_000_000, { pages: 2 }));
    const files = many.map(({ file }) => file);
    const { port, get } = await serving(t, () => files.shift() ?? generated(3).file);
    const sockets = many.map(() => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /v1/rows?format=csv HTTP/1.1\r\nhost: x\r\n\r\n');
      // Nothing is read: the kernel takes some megabytes, then the rows end.
      socket.pause();
      return socket;
    });
    t.teardown(() => sockets.map((socket) => socket.destroy()));
    await until(() => many.every(({ state }) => state.made > 0), 'all have begun');
    const busy = await get('?format=csv');
    t.match([busy.status, busy.headers['retry-after']], [503, '10']);
    for (const socket of sockets) socket.destroy();
    await until(() => many.every(({ state }) => state.over === 1), 'all have ended');
    t.ok(
      many.every(({ state }) => state.made < 1_000_000),
      'what is not read is not made',
    );
    t.equal((await get('?format=csv')).status, 200);
  },
);

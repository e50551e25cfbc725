/** Files that are made before they are sent: their bytes as other programs read them, ranges, what is kept, and their number. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t, { type Test } from 'tap';
import { request } from 'undici';
import { systemClock } from '../../../actors/kernel/clock.ts';
import * as s from '../../../actors/topics/schema.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import type { Row, RowsFile } from '../../../http/answers/tables/file.ts';
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
  { name: 'timestamp', type: 'ms' },
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

/** Requests that differ in it are for files of their own. */
const params = { own: { type: 'string', description: '' } } as const;
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
    routes: [echo({ path: '/v1/rows', params, access, answer, from: later(() => json), file })],
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
  const byHeader = await get('', { accept: 'application/vnd.apache.parquet' });
  t.match(byHeader.headers, { vary: 'accept' });
  t.ok(byHeader.bytes.equals(parquet.bytes));
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
    message: 'format must be one of json, csv, parquet',
  });
  const none = await serving(t, () => generated(0).file);
  t.equal((await none.get('?format=csv')).bytes.toString(), 'timestamp,symbol,value\r\n');
  t.strictSame(await byDuckdb(t, (await none.get('?format=parquet')).bytes), []);
});

t.test('an error is the answer, before the first rows and after them', async (t) => {
  const refused = await serving(t, () => apiError('unknown_symbol'));
  t.equal((await refused.get('?format=parquet')).status, 404);
  for (const count of [0, 2_500]) {
    const { file, state } = generated(count, { broken: true, pages: 2 });
    const { get } = await serving(t, () => file);
    const { status, bytes } = await get('?format=parquet');
    t.match([status, JSON.parse(bytes.toString()).code], [503, 'store_unavailable']);
    t.equal(state.over, 1);
  }
});

t.test(
  'the head says the length and the tag, also to HEAD; parts are those of one file',
  async (t) => {
    for (const format of ['csv', 'parquet']) {
      let count = 2_500;
      const { get, url } = await serving(t, () => generated(count).file);
      const query = `?format=${format}`;
      const head = await request(`${url}${query}`, { method: 'HEAD' });
      t.equal((await head.body.arrayBuffer()).byteLength, 0);
      const size = Number(head.headers['content-length']);
      t.match(head.headers, { 'accept-ranges': 'bytes', etag: /^"[^"]+"$/ });
      const part = async (range: string, more = {}) => {
        const { status, headers, bytes } = await get(query, { range, ...more });
        t.equal(headers['content-length'], String(bytes.length));
        return { status, range: headers['content-range'], tag: headers.etag, bytes };
      };
      const tag = head.headers.etag;
      const begun = await part('bytes=0-999');
      t.match(begun, { status: 206, range: `bytes 0-999/${size}`, tag });
      const rest = await part('bytes=1000-', { 'if-range': tag });
      t.match(rest, { status: 206, range: `bytes 1000-${size - 1}/${size}`, tag });
      const end = await part('bytes=-8');
      t.match(end, { status: 206, range: `bytes ${size - 8}-${size - 1}/${size}`, tag });
      const whole = Buffer.concat([begun.bytes, rest.bytes]);
      t.ok(end.bytes.equals(whole.subarray(-8)));
      const other = await part('bytes=0-9', { 'if-range': '"another"' });
      t.match([other.status, other.bytes.equals(whole)], [200, true], 'a part of another file');
      const several = await part('bytes=0-1, 5-6');
      t.match([several.status, several.bytes.length], [200, size]);
      const outside = await get(query, { range: `bytes=${size}-` });
      t.match(
        [outside.status, JSON.parse(outside.bytes.toString()).code],
        [416, 'range_not_satisfiable'],
      );
      t.equal((await get(query)).headers.etag, tag, 'the same rows have the same tag');
      count = 2_501;
      t.equal((await part('bytes=0-9')).tag, tag, 'parts are of the file that was made');
      const { headers } = await get(query);
      t.not(headers.etag, tag, 'whoever asks for all of one page gets the newest rows');
      if (format === 'parquet')
        t.strictSame(
          await byDuckdb(t, whole),
          Array.from({ length: 2_500 }, (_, i) => rowAt(i)),
        );
    }
  },
);

t.test('a large file is read at the pace of its reader', async (t) => {
  const { file } = generated(20_000, { wide: 'x'.repeat(1_000) });
  const { get } = await serving(t, () => file);
  const { headers, bytes } = await get('?format=csv');
  t.equal(headers['content-length'], String(bytes.length));
  t.match([bytes.length > 20_000_000, bytes.toString().split('\r\n').length], [true, 20_002]);
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
  const second = await get('?format=csv&own=2', key);
  t.match([second.status, leftOf(second.headers)], [429, '54'], 'more pages than are left');
});

t.test('a file of several pages is made once, for those who come back too', async (t) => {
  const { quota } = memoryQuota(new FakeClock());
  t.teardown(() => quota.close());
  const gate = gateOf({ good: alice });
  const first = generated(10, { pages: 5 });
  const { get } = await serving(t, () => first.file, { gate, quota });
  const key = { 'x-api-key': 'good' };
  const leftOf = ({ ratelimit }: Record<string, unknown>) => /r=(\d+)/.exec(`${ratelimit}`)?.[1];
  t.equal(leftOf((await get('?format=csv', key)).headers), '55');
  const again = await get('?format=csv', key);
  t.match([again.status, leftOf(again.headers), first.state.over], [200, '54', 1]);
});

t.test(
  'files that are being read keep their places, and those that nobody reads make room',
  async (t) => {
    const wide = 'x'.repeat(1_000);
    const { port, get } = await serving(t, () => generated(9_000, { wide }).file);
    const sockets = Array.from({ length: mostFiles }, (_, i) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /v1/rows?format=csv&own=${i} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return socket;
    });
    t.teardown(() => sockets.map((socket) => socket.destroy()));
    await Promise.all(
      sockets.map((socket) => new Promise((begun) => socket.once('readable', begun))),
    );
    const busy = await get('?format=csv');
    t.match([busy.status, busy.headers['retry-after']], [503, '10']);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await get('?format=csv')).status === 200, 'there is room');
  },
);

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import t, { type Test } from 'tap';
import { request } from 'undici';
import type { Snapshot } from '../../../http/answers/snapshots.ts';
import { Counters, countOf } from '../../../http/endpoints/counters.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  call,
  connect,
  echo,
  exchange,
  later,
  reads,
  ready,
  refusal,
  startServer,
} from '../../support/http.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const decode = {
  gzip: zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
} as const;

const entries = Array.from({ length: 3_000 }, (_, i) => [`C${i}`, { price: i / 7, count: i % 23 }]);
const large = JSON.stringify(Object.fromEntries(entries));
const middle = JSON.stringify(Object.fromEntries(entries.slice(0, 60)));

/** A server whose `/large`, `/middle` and `/ask` are as large as a map and as one symbol. */
async function setUp(t: Test) {
  const state = { large: ready(large), middle: ready(middle) };
  const rows = [
    echo({ path: '/large', from: reads(() => state.large) }),
    echo({ path: '/middle', from: reads(() => state.middle) }),
    echo({ path: '/ask', from: later(async () => state.middle) }),
    echo({ path: '/small', from: reads(() => ready('{"a":1}')) }),
    echo({ path: '/error', from: reads(() => apiError('warming_up', 'w'.repeat(2_000))) }),
  ];
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { counters });
  const get = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const url = server.url + path;
    const reply = await request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers });
    const body = Buffer.from(await reply.body.arrayBuffer());
    return { status: reply.statusCode, headers: reply.headers, body };
  };
  return { state, counters, server, get };
}

for (const encoding of ['zstd', 'gzip'] as const) {
  t.test(`answers in ${encoding}`, async (t) => {
    const { server, get } = await setUp(t);
    const headers = { 'accept-encoding': encoding };
    for (const [path, data] of Object.entries({ '/large': large, '/middle': middle })) {
      for (const round of ['compressed for it', 'compressed before']) {
        await server.clock.advance(1234);
        const reply = await get(path, headers);
        t.match(reply.headers, {
          'content-encoding': encoding,
          vary: 'accept-encoding',
          'content-length': String(reply.body.length),
          etag: ready(data).etag,
        });
        const now = server.clock.now();
        const text = decode[encoding](reply.body).toString();
        t.equal(text, `{"status":"ok","timestamp":${now},"data":${data}}`, round);
      }
      const plain = await get(path, {});
      const head = await get(path, headers, 'HEAD');
      const same = await get(path, headers);
      t.notOk(plain.headers['content-encoding']);
      t.equal(plain.headers.vary, 'accept-encoding');
      t.equal(plain.headers.etag, head.headers.etag, 'the weak tag is that of the data');
      const { date: _, ...fields } = same.headers;
      t.match(head, { status: 200, headers: fields });
      t.equal(head.body.length, 0);
    }
  });
}

t.test('a 304 stands for every form', async (t) => {
  const { get, state } = await setUp(t);
  const tag = { 'if-none-match': state.large.etag };
  for (const encoding of ['gzip', 'zstd', 'identity']) {
    const reply = await get('/large', { ...tag, 'accept-encoding': encoding });
    t.match(reply, { status: 304, headers: { vary: 'accept-encoding', etag: state.large.etag } });
    t.notOk(reply.headers['content-encoding']);
    t.equal(reply.body.length, 0);
  }
});

t.test('clients that decode by themselves', async (t) => {
  const { server } = await setUp(t);
  const reply = await fetch(`${server.url}/large`);
  t.match(reply.headers.get('content-encoding'), /^(gzip|zstd)$/, 'fetch asks by itself');
  t.same(await reply.json(), {
    status: 'ok',
    timestamp: server.clock.now(),
    data: JSON.parse(large),
  });
  const curl = await run('curl', ['--version']).catch(() => null);
  if (curl === null) t.comment('skipped: there is no curl here');
  else {
    const args = ['-s', '--compressed', '-H', 'accept-encoding: gzip', `${server.url}/large`];
    const { stdout } = await run('curl', args, { maxBuffer: 2 ** 20, timeout: 10_000 });
    t.same(JSON.parse(stdout).data, JSON.parse(large), 'curl');
  }
});

t.test('what is not compressed', async (t) => {
  const { get } = await setUp(t);
  const any = { 'accept-encoding': 'gzip, zstd' };
  const small = await get('/small', any);
  t.notOk(small.headers.vary ?? small.headers['content-encoding']);
  t.match(JSON.parse(small.body.toString()).data, { a: 1 });
  const error = await get('/error', any);
  t.equal(error.status, 503);
  t.notOk(error.headers['content-encoding']);
  const refused = await get('/large', { 'accept-encoding': 'identity, *;q=0' });
  t.notOk(refused.headers['content-encoding']);
});

t.test('asks are compressed too, and CORS adds its own vary', async (t) => {
  const { get } = await setUp(t);
  const reply = await get('/ask', { 'accept-encoding': 'gzip' });
  t.equal(reply.headers['content-encoding'], 'gzip');
  t.match(zlib.gunzipSync(reply.body).toString(), middle);
  const rows = [echo({ from: reads(() => ready(middle)) })];
  const listed = await startServer(t, rows, { cors: { origins: ['https://a.test'] } });
  const { headers, body } = await request(`${listed.url}/v1/echo`);
  await body.dump();
  t.same(headers.vary, ['origin', 'accept-encoding']);
});

t.test('clients that leave while their answer is compressed', async (t) => {
  const { server, counters, state, get } = await setUp(t);
  const reply = Promise.withResolvers<null>();
  state.large.encoded = () => reply.promise;
  const wire = await connect(server.port);
  wire.socket.write('GET /large HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n');
  await until(() => counters.inFlight.value === 1, 'it waits');
  wire.socket.destroy();
  const left = () => counters.snapshot().find(({ path }) => path === '/large')?.aborted;
  await until(() => left() === 1, 'it has left');
  const other = get('/large', { 'accept-encoding': 'gzip' });
  await until(() => counters.inFlight.value === 2, 'another waits');
  reply.resolve(null);
  const { headers, body } = await other;
  t.notOk(headers['content-encoding'], 'plain, since there is no such form');
  t.equal(body.length, state.large.length);
  t.equal(counters.inFlight.value, 0);
});

for (const encoding of ['zstd', 'gzip'] as const) {
  t.test(`an answer in ${encoding} that a client takes slowly keeps its own time`, async (t) => {
    const { state, server, get } = await setUp(t);
    // Random, so that more than the sockets hold is left when it is compressed.
    const noise = JSON.stringify(randomBytes(12 * 2 ** 20).toString('base64'));
    state.large = ready(noise);
    const headers = { 'accept-encoding': encoding };
    await get('/large', headers);
    await server.clock.advance(1_000);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    httpGet(`${server.url}/large`, { headers, agent: false }, resolve).on('error', reject);
    const slow = await promise;
    const asked = server.clock.now();
    await server.clock.advance(1_000);
    const other = decode[encoding]((await get('/large', headers)).body).toString();
    t.ok(other.startsWith(`{"status":"ok","timestamp":${asked + 1_000},`));
    const text = decode[encoding](await buffer(slow)).toString();
    t.ok(
      text === `{"status":"ok","timestamp":${asked},"data":${noise}}`,
      'whole, with its own time',
    );
  });
}

const snapshot = ready('{"a":"é"}');
const view = (path: string, answer: () => Snapshot): Route => echo({ path, from: reads(answer) });
const count = (counters: Counters, path: string) =>
  counters.snapshot().find((slot) => slot.path === path);

t.test('a view', async (t) => {
  const clock = new FakeClock();
  const server = await startServer(t, [view('/v1/a', () => snapshot)], { clock });
  const url = `${server.url}/v1/a`;
  const first = await call(url);
  t.equal(first.status, 200);
  t.equal(first.text, `{"status":"ok","timestamp":${clock.now()},"data":{"a":"é"}}`);
  t.match(first.headers, {
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      /etag, accept-ranges, content-range, retry-after, x-ratelimit-after, x-mbx-used-weight-1m, ratelimit, ratelimit-policy/,
    etag: snapshot.etag,
    'content-length': String(snapshot.length),
  });
  t.notOk(first.headers.vary);

  await clock.advance(1500);
  t.match((await call(url)).text, `"timestamp":${clock.now()},`, 'the timestamp moves');

  for (const tag of [snapshot.etag, snapshot.etag.slice(2), `"x", ${snapshot.etag}`]) {
    const { status, headers, text } = await call(url, { headers: { 'if-none-match': tag } });
    t.match({ status, text }, { status: 304, text: '' }, tag);
    t.match(headers, { etag: snapshot.etag, 'cache-control': 'no-cache' });
    t.notOk(headers['content-length']);
  }
  for (const tag of ['W/"other"', '*'])
    t.equal((await call(url, { headers: { 'if-none-match': tag } })).status, 200, tag);

  const bare = await call(url, { method: 'HEAD' });
  t.equal(bare.text, '');
  const { date: _, ...headers } = first.headers;
  t.match(bare.headers, headers, 'HEAD has the headers of GET');
  t.equal((await call(url)).status, 200, 'and the connection goes on');
});

t.test('HEAD keeps its connection in step', async (t) => {
  const server = await startServer(t, [view('/v1/a', () => snapshot)]);
  const head = 'HEAD /v1/a HTTP/1.1\r\nhost: x\r\n\r\n';
  const last = 'HEAD /v1/b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const text = await exchange(server.port, head + head + last);
  t.match(text.match(/^HTTP\/1.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  t.notMatch(text, '{', 'no body');
  t.match(text, /^content-length: 5\d\r$/m);
});

t.test('errors of handlers', async (t) => {
  const fail = () => {
    throw new Error('secret detail');
  };
  const rows = [
    echo({ path: '/view', from: reads(fail) }),
    echo({ path: '/ask', from: later(async () => fail()) }),
    echo({ path: '/ask-now', from: { query: fail } }),
    echo({ path: '/raw', from: { raw: fail } }),
    echo({
      path: '/wait',
      from: reads(() => apiError('warming_up', 'später', { retryAfter: 5 })),
    }),
  ];
  const lines: object[] = [];
  const log = { info: () => {}, error: (line: object) => lines.push(line) };
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { log, counters });
  for (const path of ['/view', '/ask', '/ask-now', '/raw']) {
    t.same(await refusal(server.url + path), [500, 'internal error'], path);
    const slot = count(counters, path);
    t.equal(slot?.exceptions, 1);
    t.same(slot?.statuses.map(countOf), [0, 0, 0, 0, 1]);
  }
  t.equal(lines.length, 4);
  t.match(lines[0], { route: 'GET /view', err: { message: 'secret detail' } });
  const { status, headers, text } = await call(`${server.url}/wait`);
  t.match(
    { status, headers },
    { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } },
  );
  t.equal(JSON.parse(text).message, 'später');
  const { headers: bare } = await call(`${server.url}/wait`, { method: 'HEAD' });
  t.equal(bare['content-length'], String(Buffer.byteLength(text)));
});

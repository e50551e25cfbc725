/** Bodies as bytes, and as texts instead of JSON: tables as they should be, and what comes in their place. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import type { FailureCode } from '../../../actors/failure.ts';
import { fred } from '../../../actors/providers/fred.ts';
import { BodyError, matchesIn, readBody, received } from '../../../actors/upstream/body.ts';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import type { Faults } from '../../../actors/upstream/faults.ts';
import type { Api, UpstreamRequest } from '../../../actors/upstream/request.ts';
import { type Handler, json, startFaultyServer, text } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
import { failureOf, testClient } from '../../support/upstream.ts';
import { context, table } from '../market/fixtures.ts';

const server = await startFaultyServer();
const second = await startFaultyServer();
t.teardown(() => Promise.all([server.close(), second.close()]));
t.beforeEach(() => {
  server.seen.length = 0;
});

const csv = 'day,value\n2024-01-01,1.5\n';
const asText = { text: true } as const;
const plain = { 'content-type': 'text/csv' };
/** Bytes as they are; their type is `text/csv` by default. */
const raw =
  (bytes: Buffer, headers: Record<string, string> = plain): Handler =>
  (_, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  };

t.test('the body is the text', async (t) => {
  const client = testClient(t, [server.url]);
  const long = `${'é€😀'.repeat(100_000)}\n`;
  const rows: [string, Handler, string][] = [
    ['/csv', text(csv, 200, plain), csv],
    ['/no-type', raw(Buffer.from(csv), {}), csv],
    ['/mark', raw(Buffer.from(`\ufeff${csv}`)), csv],
    ['/zip', raw(gzipSync(csv), { ...plain, 'content-encoding': 'gzip' }), csv],
    ['/long', raw(Buffer.from(long)), long],
    ['/json', json({ error: 'x' }), '{"error":"x"}'],
    ['/html-inside', text('a\n<b>', 200, plain), 'a\n<b>'],
    ['/nothing', text('', 200, plain), ''],
  ];
  for (const [path, handler, body] of rows) {
    server.on(path, handler);
    const answer = await client.get(path, asText);
    t.ok(answer.ok && answer.value.body === body, path);
  }
  t.match(server.lastHeaders().accept, /^text\/csv, text\/plain/);
  await client.get('/ok');
  t.equal(server.lastHeaders().accept, 'application/json');
});

t.test('the body of a file is its bytes', async (t) => {
  const client = testClient(t, [server.url]);
  const bytes = gzipSync('day');
  server.on('/file', raw(bytes, { 'content-type': 'application/zip' }));
  const answer = await client.get('/file', { bytes: true });
  t.same(answer.ok && answer.value.body, bytes);
  t.equal(failureOf(await client.get('/404', { bytes: true })).status, 404);
});

t.test(
  'of a long text the matches of a pattern, whatever the chunks, and no more memory',
  async (t) => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `{"id":"é${i}","worth":"${i}.5"}`);
    const bytes = Buffer.from(`{"rows":[${rows.join(',')}]}`);
    server.on('/rows', raw(gzipSync(bytes), { 'content-encoding': 'gzip' }));
    const scan = /"id":"é(\d+)","worth":"([\d.]+)"/g;
    const { most } = received;
    received.most = 1_000;
    t.teardown(() => {
      received.most = most;
    });
    const client = testClient(t, [server.url], { api: { maxBody: bytes.length } });
    const answer = await client.get('/rows', { scan });
    const found =
      Array.isArray(answer.ok && answer.value.body) && answer.ok ? answer.value.body : [];
    t.strictSame(
      found,
      rows.map((_, i) => [`${i}`, `${i}.5`]),
    );
    server.on('/longer', raw(Buffer.concat([bytes, bytes])));
    t.equal(failureOf(await client.get('/longer', { scan })).code, 'too_large');
    t.equal(failureOf(await client.get('/500', { scan })).code, 'unavailable');
  },
);

t.test('a match holds none of the text around it', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  async function* chunks() {
    for (let i = 0; i < 300; i++)
      yield Buffer.from(`"${`${i}`.padEnd(40, 'x')}"${'-'.repeat(1e5)}`);
  }
  const before = held();
  const body = Readable.from(chunks());
  const found = await matchesIn(body, 'identity', { cap: 1e9, pattern: /"([^"]+)"/g });
  const more = held() - before;
  t.equal(found.length, 300);
  t.ok(more < 10e6, `${more} bytes of 30 million`);
});

const page = '<!doctype html><title>secret-in-body</title>';
const hostile: [path: string, code: FailureCode, message: RegExp, handler?: Handler][] = [
  ['/html', 'shape', /page of HTML/],
  ['/page-as-csv', 'shape', /page of HTML/, text(page, 200, plain)],
  ['/page-late', 'shape', /page of HTML/, text(`\ufeff \r\n${page}`, 200, plain)],
  ['/csv-as-page', 'shape', /page/, text(csv, 200, { 'content-type': 'Text/HTML; charset=utf-8' })],
  ['/xhtml', 'shape', /page/, text(csv, 200, { 'content-type': 'application/xhtml+xml' })],
  ['/latin1', 'shape', /not UTF-8/, raw(Buffer.from('secret-in-body,Zürich\n', 'latin1'))],
  ['/utf16', 'shape', /not UTF-8/, raw(Buffer.from(`\ufeff${csv}`, 'utf16le'))],
  ['/half-letter', 'shape', /not UTF-8/, raw(Buffer.from('day,€').subarray(0, -1))],
  ['/zebra', 'shape', /content encoding is unknown/],
  ['/big', 'too_large', /larger than/],
  ['/big-chunked', 'too_large', /larger than/],
  ['/bomb', 'too_large', /larger than/],
  ['/reset-body', 'network', /connection failed/],
  ['/403-html', 'blocked', /status 403/],
  ['/500', 'unavailable', /status 500/],
  ['/404', 'refused', /status 404/],
  ['/429', 'rate_limited', /status 429/],
];

for (const [path, code, message, handler] of hostile) {
  t.test(`as a text ${path} is ${code}`, async (t) => {
    if (handler) server.on(path, handler);
    const client = testClient(t, [server.url], { api: { maxBody: 4 * 2 ** 20 } });
    const failure = failureOf(await client.get(path, asText));
    t.equal(failure.code, code);
    t.match(failure.message, message);
    t.ok(failure.message.startsWith(`GET ${server.host}${path}: `), failure.message);
    t.notMatch(failure.message, /secret/);
    await client.close();
    await until(() => server.connections() === 0, 'every socket is free');
  });
}

t.test('a page in the place of a table makes the next host be asked', async (t) => {
  const client = testClient(t, [server.url, second.url]);
  second.on('/html', text(csv, 200, plain));
  const answer = await client.get('/html', asText);
  t.equal(answer.ok && answer.value.body, csv);
  t.equal(client.state('a').host, second.host);
});

t.test('the fault reader gets the status and the text', async (t) => {
  const seen: [number, unknown][] = [];
  const faults: Faults = {
    name: 'Slow',
    when(_, status, body) {
      seen.push([status, body]);
      return body === 'slow down';
    },
    means: 'rate_limited',
  };
  const client = testClient(t, [server.url], { api: { faults } });
  server.on('/csv', text(csv, 200, plain));
  server.on('/400', text('no such series', 400, plain));
  server.on('/slow', text('slow down', 200, plain));
  for (const path of ['/csv', '/400', '/404', '/html']) await client.get(path, asText);
  t.match(failureOf(await client.get('/slow', asText)), { code: 'rate_limited', status: 200 });
  t.same(seen, [
    [200, csv],
    [400, 'no such series'],
    [404, undefined],
    [200, 'slow down'],
  ]);
});

t.test('the tables of FRED arrive in the form that their parser requires', async (t) => {
  const fetched = async (api: Api, request: UpstreamRequest | undefined, body: string) => {
    if (!request) throw new Error('no request');
    const apis = { [request.api]: api };
    const client = createHttpClient({ source: 'test', apis, gateway: server.url });
    const host = new URL(api.hosts[0] ?? '').host;
    server.on(`/${host}${request.path}`, text(body, 200, { 'content-type': 'text/plain' }));
    const answer = await client.send(request, { deadline: 10_000 });
    await client.close();
    return answer.ok ? answer.value.body : failureOf(answer);
  };
  const plan = context().plan;
  for (const [figure, api, name] of [[fred.polls.closes, fred.apis.rest, 'fred/closes']] as const) {
    const body = await fetched(api, figure.requests(plan)[0], table(name));
    const { rows } = figure.parse([body], context());
    t.ok(rows.length > 0, name);
    t.same(rows, figure.parse([table(name)], context()).rows);
  }
});

/** Reads chunks as they come from a connection. */
async function readChunks(
  chunks: readonly Buffer[],
  { cap = 200_000, encoding = 'identity' } = {},
) {
  const source = Readable.from(chunks, { objectMode: false });
  try {
    const bytes = await readBody(source, encoding, cap);
    return { text: bytes.toString('latin1'), left: received.bytes };
  } catch (error) {
    const { code, message } =
      error instanceof BodyError ? error : { code: '', message: `${error}` };
    return { code, message, left: received.bytes, isClosed: source.destroyed };
  }
}

const chunksOf = (count: number, size: number) =>
  Array.from({ length: count }, (_, at) => Buffer.alloc(size, at + 1));

t.test('bytes as they came, up to the cap', async (t) => {
  for (const [count, size] of [
    [0, 0],
    [1, 5],
    [300, 10],
    [5, 40_000],
  ] as const) {
    const chunks = chunksOf(count, size);
    const text = Buffer.concat(chunks).toString('latin1');
    t.strictSame(await readChunks(chunks), { text, left: 0 }, `${count} of ${size}`);
  }
});

t.test('a few bytes that become many do not keep the event loop', async (t) => {
  const whole = Buffer.alloc(8 * 2 ** 20, ' ');
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(whole)],
    ['br', brotliCompressSync(whole)],
  ] as const) {
    t.ok(bytes.length < 32 * 1024);
    const reading = readChunks([bytes], { encoding, cap: whole.length });
    t.equal(await Promise.race([reading, immediate('the next turn')]), 'the next turn', encoding);
    const found = await reading;
    t.equal(found.text, whole.toString());
    const over = await readChunks([bytes], { encoding, cap: whole.length - 1 });
    t.match(over, { code: 'too_large', left: 0, isClosed: true });
  }
});

t.test('each encoding, however it is written', async (t) => {
  const plain = Buffer.from('a body of some length, a body of some length');
  const rows: [encoding: string, bytes: Buffer][] = [
    ['identity', plain],
    ['gzip', gzipSync(plain)],
    [' X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['Br', brotliCompressSync(plain)],
  ];
  for (const [encoding, bytes] of rows) {
    const found = await readChunks([bytes.subarray(0, 9), bytes.subarray(9)], { encoding });
    t.match(found, { text: plain.toString(), left: 0 }, `${encoding}`);
    const { length } = plain;
    t.match(await readChunks([bytes], { encoding, cap: length }), { text: plain.toString() });
    const over = await readChunks([bytes], { encoding, cap: length - 1 });
    t.match(over, { code: 'too_large', message: /than 43 bytes/, left: 0, isClosed: true });
  }
  for (const encoding of ['gzip', 'deflate', 'br']) {
    const wrong = { code: 'shape', message: /not in its content encoding/, isClosed: true };
    t.match(await readChunks([plain], { encoding }), wrong, encoding);
  }
  const cut = await readChunks([gzipSync(plain).subarray(0, -9)], { encoding: 'gzip' });
  t.match(cut, { code: 'network', message: 'the body ended early' });
  t.match(await readChunks([], { encoding: 'gzip' }), { text: '', left: 0 }, 'no bytes at all');
  const unknown = await readChunks([plain], { encoding: 'constructor' });
  t.match(unknown, { code: 'shape', message: /encoding is unknown/, isClosed: true });
});

t.test(
  'a large compressed body in many chunks, up to its cap and to the room that is left',
  async (t) => {
    const plain = randomBytes(120_000);
    const chunksIn = (bytes: Buffer) =>
      Array.from({ length: 60 }, (_, at) => bytes.subarray(at * 2_100, (at + 1) * 2_100));
    const { most } = received;
    t.teardown(() => {
      received.most = most;
    });
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const chunks = chunksIn(compress(plain));
      received.most = most;
      const text = plain.toString('latin1');
      t.strictSame(
        await readChunks(chunks, { encoding, cap: 120_000 }),
        { text, left: 0 },
        encoding,
      );
      const over = await readChunks(chunks, { encoding, cap: 119_999 });
      t.match(over, { code: 'too_large', message: /than 119999 bytes/, left: 0, isClosed: true });
      const small = [compress(Buffer.alloc(30_000))];
      received.most = 20_000;
      const room = { code: 'over_budget', message: /leave less than/, left: 0, isClosed: true };
      t.match(await readChunks(chunks, { encoding }), room, `${encoding}, large`);
      t.match(await readChunks(small, { encoding }), room, `${encoding}, small`);
    }
  },
);

t.test('a large body leaves room for small ones, whatever is under way', async (t) => {
  const { most } = received;
  t.teardown(() => {
    received.most = most;
  });
  t.equal(most, 67_108_864);
  received.most = 100_000;
  t.match(await readChunks(chunksOf(4, 10_000)), { left: 0 });
  const large = await readChunks(chunksOf(6, 10_000));
  t.match(large, { code: 'over_budget', message: /leave less/, isClosed: true });
  const source = new Readable({ read() {} });
  const reading = readBody(source, 'identity', 1e6);
  source.push(Buffer.alloc(40_000));
  await until(() => received.bytes === 40_000, 'it is under way');
  t.match(await readChunks(chunksOf(3, 10_000)), { text: /./ }, 'a smaller one has its room');
  t.match(await readChunks(chunksOf(4, 10_000)), { code: 'over_budget' });
  source.push(null);
  t.equal((await reading).length, 40_000);
  t.equal(received.bytes, 0);
});

t.test('a connection that ends before its body does', async (t) => {
  for (const [error, message] of [
    [undefined, 'the body ended early'],
    [new Error('reset'), 'reset'],
  ] as const) {
    const source = new Readable({ read() {} });
    const reading = readBody(source, 'identity', 1e6);
    source.push('half');
    await until(() => received.bytes > 0, 'it is under way');
    source.destroy(error);
    await t.rejects(reading, { message });
    t.equal(received.bytes, 0);
  }
});

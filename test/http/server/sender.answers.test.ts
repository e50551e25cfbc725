/** The status and header lines of every kind of answer, and how connections end. */
import t, { type Test } from 'tap';
import * as s from '../../../actors/topics/schema.ts';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { type ApiError, apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  acting,
  call,
  connect,
  echo,
  exchange,
  later,
  reads,
  startServer,
} from '../../support/http.ts';
import { memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const list = snapshotOf([{ a: 1 }]);
const answer = s.list(s.object({ a: s.number() }));
const failing = (path: string, error: ApiError, access: 'open' | 'key' = 'open') =>
  echo({ path, access, from: reads(() => error) });
const rows = [
  echo({ path: '/list', answer, from: reads(() => list) }),
  echo({ path: '/later', answer, from: later(async () => list) }),
  echo({ path: '/page', from: { raw: () => ({ contentType: 'text/plain', body: 'é' }) } }),
  echo({
    path: '/kept',
    from: {
      raw: () => ({
        contentType: 'text/html',
        body: Buffer.from('x'),
        cache: 'no-cache',
        headers: { 'x-one': '1' },
      }),
    },
  }),
  acting({}),
  failing('/closed', apiError('request_timeout')),
  failing('/key', apiError('unauthorized'), 'key'),
  failing('/forbidden', apiError('forbidden'), 'key'),
  failing('/502', apiError('upstream_failed')),
  failing('/503', apiError('warming_up', 'wait', { retryAfter: 7 })),
  failing('/404', apiError('not_found', 'no', { retryAfter: 7 })),
];
const csv = { accept: 'text/csv' };
const json = { 'content-type': 'application/json', vary: 'accept' };
const table = { 'content-type': 'text/csv; charset=utf-8; header=present', vary: 'accept' };

interface Case {
  path: string;
  method?: 'POST' | 'PUT';
  send?: Record<string, string>;
  status: number;
  text?: string | RegExp;
  headers?: Record<string, string | undefined>;
}
const cases: Case[] = [
  { path: '/list', status: 200, text: /"data":\[\{"a":1\}\]\}$/, headers: json },
  { path: '/list', send: csv, status: 200, text: 'a\r\n1\r\n', headers: table },
  { path: '/later', send: csv, status: 200, text: 'a\r\n1\r\n', headers: table },
  { path: '/list', send: { 'if-none-match': list.etag }, status: 304, text: '' },
  { path: '/list', send: { ...csv, 'if-none-match': list.etag }, status: 200, headers: table },
  { path: '/list?wait=900', send: { 'if-none-match': 'W/"x"' }, status: 200, headers: json },
  {
    path: '/page',
    status: 200,
    text: 'é',
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', vary: undefined },
  },
  {
    path: '/kept',
    status: 200,
    text: 'x',
    headers: { 'content-type': 'text/html', 'cache-control': 'no-cache', 'x-one': '1' },
  },
  { path: '/act', method: 'POST', status: 201, headers: { 'cache-control': 'no-store' } },
  { path: '/list', method: 'PUT', status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } },
  { path: '/key', status: 401, headers: { 'www-authenticate': 'ApiKey realm="Tidemark"' } },
  { path: '/forbidden', status: 403, headers: { 'www-authenticate': undefined } },
  { path: '/502', status: 502, headers: { 'retry-after': '5' } },
  { path: '/503', status: 503, text: /"wait"/, headers: { 'retry-after': '7' } },
  { path: '/404', status: 404, text: /"no"/, headers: { 'retry-after': '7' } },
];

async function start(t: Test, quota = false) {
  const clock = new FakeClock();
  const counters = new Counters(rows, clock);
  const counted = quota ? { quota: memoryQuota(clock).quota } : {};
  const server = await startServer(t, rows, { clock, counters, ...counted });
  const sent = () => counters.snapshot().reduce((sum, { bytes }) => sum + bytes, 0);
  return { ...server, counters, sent };
}

t.test('the answers of every kind', async (t) => {
  const [plain, counted] = await Promise.all([start(t, false), start(t, true)]);
  for (const { path, method = 'GET', send = {}, ...expected } of cases) {
    const name = `${method} ${path} ${Object.keys(send)}`;
    const before = plain.sent();
    const { status, headers, text } = await call(plain.url + path, { method, headers: send });
    const found = Object.keys(expected.headers ?? {}).map((one) => [one, headers[one]]);
    t.match({ status, text, headers: Object.fromEntries(found) }, expected, name);
    t.equal(plain.sent() - before, Buffer.byteLength(text), name);
    const limited = await call(counted.url + path, { method, headers: send });
    const passing = status === 502 || status === 503;
    t.equal(limited.headers['retry-after'], passing ? headers['retry-after'] : '60', name);
  }
});

t.test('errors have their own message and time', async (t) => {
  const { url, clock } = await start(t);
  const texts: string[] = [];
  for (const path of ['/key', '/closed', '/key']) {
    texts.push((await call(`${url}/503`)).text, (await call(url + path)).text);
    await clock.advance(7);
  }
  const bodies = texts.map((text) => JSON.parse(text));
  t.strictSame(
    bodies.map(({ code, timestamp }) => [code, timestamp - clock.now()]),
    [
      ['warming_up', -21],
      ['unauthorized', -21],
      ['warming_up', -14],
      ['request_timeout', -14],
      ['warming_up', -7],
      ['unauthorized', -7],
    ],
  );
});

t.test('an error after which the next request is not clear ends the connection', async (t) => {
  const { port, sent } = await start(t);
  for (const method of ['GET', 'HEAD']) {
    const before = sent();
    const text = await exchange(port, `${method} /closed HTTP/1.1\r\nhost: x\r\n\r\n`);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    t.match(head, /^HTTP\/1\.1 408[\s\S]*connection: close/i, method);
    t.match(body, method === 'HEAD' ? /^$/ : /"code":"request_timeout"/);
    t.equal(sent() - before, body.length, 'its bytes are counted');
  }
});

t.test('a server that stops closes each connection with its answer', async (t) => {
  const clock = new FakeClock();
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  const row = echo({ path: '/slow', from: later(() => promise) });
  const counters = new Counters([row], clock);
  const server = await startServer(t, [row], { clock, counters });
  const large = snapshotOf('x'.repeat(20_000));
  const heads = ['GET /slow', 'HEAD /slow', 'GET /slow'].map((line, i) =>
    [`${line} HTTP/1.1`, 'host: x', ...(i === 2 ? [`if-none-match: ${large.etag}`] : [])].join(
      '\r\n',
    ),
  );
  const wires = await Promise.all(heads.map(() => connect(server.port)));
  for (const [i, wire] of wires.entries()) wire.socket.write(`${heads[i]}\r\n\r\n`);
  await until(() => counters.inFlight.value === 3, 'they wait');
  const stopped = server.stop();
  resolve(large);
  await until(() => wires.every(({ received }) => received() !== ''), 'all are answered');
  const lines = wires.map(({ received }) => received().split('\r\n\r\n')[0] ?? '');
  t.strictSame(
    lines.map((line) => [line.slice(9, 12), /connection: close/i.test(line)]),
    [
      ['200', true],
      ['200', true],
      ['304', true],
    ],
  );
  await clock.advance(10_000);
  await stopped;
});

t.test(
  'an answer that was waited for states what is left of the window when it leaves',
  async (t) => {
    const clock = new FakeClock();
    const slow = echo({
      path: '/slow',
      answer,
      from: later(async () => {
        await clock.advance(20_000);
        return list;
      }),
    });
    const { quota } = memoryQuota(clock);
    const server = await startServer(t, [...rows, slow], { clock, quota });
    const resetOf = async (path: string) =>
      (await call(server.url + path)).headers['x-ratelimit-after'];
    t.equal(await resetOf('/list'), '60', 'at once');
    t.equal(await resetOf('/slow'), '40', '20 s later');
    t.equal(await resetOf('/list'), '40');
  },
);

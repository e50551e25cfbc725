import net from 'node:net';
import t from 'tap';
import { Counters, countOf } from '../../http/counters.ts';
import { apiError } from '../../http/errors.ts';
import { type Route, route } from '../../http/routes/route.ts';
import { createServer } from '../../http/server.ts';
import type { Snapshot } from '../../http/snapshots.ts';
import { FakeClock } from '../support/clock.ts';
import {
  call,
  connect,
  echo,
  exchange,
  later,
  ready,
  refusal,
  startServer,
} from '../support/http.ts';
import { until } from '../support/until.ts';

const snapshot = ready('{"a":"é"}');
const view = (path: string, answer: () => Snapshot): Route =>
  echo({ path, from: { view: answer } });
const count = (counters: Counters, path: string) =>
  counters.snapshot().find((slot) => slot.path === path);

t.test('a view', async (t) => {
  const clock = new FakeClock();
  const server = await startServer([view('/v1/a', () => snapshot)], { clock });
  t.teardown(server.end);
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
      /etag, retry-after, x-ratelimit-after, ratelimit, ratelimit-policy/,
    etag: snapshot.etag,
    'content-length': String(snapshot.length),
  });
  t.notOk(first.headers.vary);

  await clock.advance(1500);
  t.match((await call(url)).text, `"timestamp":${clock.now()},`, 'the timestamp moves');

  for (const tag of [snapshot.etag, snapshot.etag.slice(2), `"x", ${snapshot.etag}`, '*']) {
    const { status, headers, text } = await call(url, { headers: { 'if-none-match': tag } });
    t.match({ status, text }, { status: 304, text: '' }, tag);
    t.match(headers, { etag: snapshot.etag, 'cache-control': 'no-cache' });
    t.notOk(headers['content-length']);
  }
  t.equal((await call(url, { headers: { 'if-none-match': 'W/"other"' } })).status, 200);

  const bare = await call(url, { method: 'HEAD' });
  t.equal(bare.text, '');
  const { date: _, ...headers } = first.headers;
  t.match(bare.headers, headers, 'HEAD has the headers of GET');
  t.equal((await call(url)).status, 200, 'and the connection goes on');
});

t.test('HEAD keeps its connection in step', async (t) => {
  const server = await startServer([view('/v1/a', () => snapshot)]);
  t.teardown(server.end);
  const head = 'HEAD /v1/a HTTP/1.1\r\nhost: x\r\n\r\n';
  const last = 'HEAD /v1/b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const text = await exchange(server.port, head + head + last);
  t.match(text.match(/^HTTP\/1.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  t.notMatch(text, '{', 'no body');
  t.match(text, /^content-length: 5\d\r$/m);
});

t.test('paths and methods that are not there', async (t) => {
  const params = { id: { type: 'string', required: true, description: '' } } as const;
  const rows = [echo(), echo({ method: 'POST' }), echo({ path: '/v1/by/{id}', params })];
  const counters = new Counters(rows);
  const server = await startServer(rows, { counters });
  t.teardown(server.end);
  for (const path of [
    '/',
    '/v1',
    '/v1/echo/',
    '/v1/%65cho',
    '/V1/ECHO',
    '//v1/echo',
    '/%zz',
    '/v1/by/',
  ]) {
    const { status, headers, text } = await call(server.url + path);
    t.equal(status, 404, path);
    t.match(JSON.parse(text), { status: 'error', message: 'there is nothing at this path' });
    t.match(headers, { 'cache-control': 'no-store', 'content-type': 'application/json' });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE'] as const) {
    const { status, headers, text } = await call(`${server.url}/v1/echo`, { method });
    t.equal(status, 405, method);
    t.equal(headers.allow, 'GET, HEAD, POST, OPTIONS');
    t.equal(JSON.parse(text).message, 'this path does not take this method');
  }
  t.match(await call(`${server.url}/v1/by/7`, { method: 'POST', body: '{}' }), {
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  });
  t.equal((await call(`${server.url}/v1/echo`, { method: 'POST' })).status, 200);
  t.same(count(counters, 'unmatched')?.statuses.map(countOf), [0, 0, 0, 13, 0]);
});

t.test('parameters', async (t) => {
  const params = {
    id: { type: 'string', required: true, maxLength: 8, description: '' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: '' },
    text: { type: 'string', description: '' },
  } as const;
  const server = await startServer([echo({ path: '/v1/by/{id}', params })]);
  t.teardown(server.end);
  const data = async (path: string) => JSON.parse((await call(server.url + path)).text).data;
  t.same(await data('/v1/by/a%2Fb?text=x+y%26&other=1'), { id: 'a/b', limit: 100, text: 'x y&' });
  t.same(await data('/v1/by/7?'), { id: '7', limit: 100 });
  t.same(await data('/v1/by/7?limit=5'), { id: '7', limit: 5 });
  const bad = (path: string) => refusal(server.url + path);
  const range = 'limit must be a whole number from 1 to 1000';
  t.same(await bad('/v1/by/7?limit=1e2'), [400, range]);
  t.same(await bad('/v1/by/7?limit'), [400, range]);
  t.same(await bad('/v1/by/7?limit=1&limit=2'), [400, 'limit must be given only once']);
  t.same(await bad('/v1/by/7?text=%zz'), [400, 'text must be valid percent-encoded UTF-8']);
  t.same(await bad('/v1/by/%E2%82'), [400, 'id must be valid percent-encoded UTF-8']);
  t.same(await bad('/v1/by/7?%=1'), [400, 'the query string is not valid percent-encoded UTF-8']);
  const raw = 'GET /v1/by/\xe2\x82\xac?text=\xff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  t.match(await exchange(server.port, raw), '"id":"\xe2\x82\xac"', 'raw bytes do no harm');
});

t.test('CORS', async (t) => {
  const rows = [echo(), echo({ method: 'POST' })];
  const counters = new Counters(rows);
  const open = await startServer(rows, { counters });
  const listed = await startServer(rows, {
    cors: { origins: ['https://a.test', 'https://b.test'] },
  });
  t.teardown(() => Promise.all([open.end(), listed.end()]));
  const ask = (url: string, origin: string, method: 'GET' | 'OPTIONS' = 'OPTIONS') =>
    call(`${url}/v1/echo`, { method, headers: { origin } });

  const any = await ask(open.url, 'https://z.test');
  t.match(any, { status: 204, text: '' });
  t.match(any.headers, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers':
      'x-api-key, authorization, content-type, if-none-match, idempotency-key',
    'access-control-max-age': '600',
    allow: 'GET, HEAD, POST, OPTIONS',
  });
  const [preflights] = counters.snapshot();
  t.match(preflights, { method: 'OPTIONS', bytes: 0 });
  t.same(preflights?.statuses.map(countOf), [0, 1, 0, 0, 0]);
  const ours = await ask(listed.url, 'https://b.test');
  t.match(ours.headers, {
    'access-control-allow-origin': 'https://b.test',
    'access-control-allow-methods': 'GET, HEAD, POST',
    vary: 'origin',
  });
  for (const origin of ['https://b.test.evil', 'null', '']) {
    const { status, headers } = await ask(listed.url, origin, 'GET');
    t.equal(status, 200);
    t.equal(headers.vary, 'origin');
    t.notOk(headers['access-control-allow-origin'], origin);
  }
  t.equal(
    (await ask(listed.url, 'https://a.test', 'GET')).headers['access-control-allow-origin'],
    'https://a.test',
  );
});

t.test('asks', async (t) => {
  const clock = new FakeClock();
  const asked: { symbol: string; reply: PromiseWithResolvers<Snapshot> }[] = [];
  const row = route({
    ...echo({ path: '/v1/ask' }),
    params: { symbol: { type: 'string', required: true, description: '' } },
    from: later(({ symbol = '' }) => {
      const reply = Promise.withResolvers<Snapshot>();
      asked.push({ symbol, reply });
      return reply.promise;
    }),
  });
  const counters = new Counters([row], clock);
  const server = await startServer([row], { clock, counters });
  t.teardown(server.end);
  const url = `${server.url}/v1/ask`;

  const calls = ['A', 'B', 'C', 'D'].map((symbol) => call(`${url}?symbol=${symbol}`));
  await until(() => asked.length === 4, 'all have been asked');
  t.equal(counters.inFlight.value, 4);
  await clock.advance(30);
  t.same(await refusal(url), [400, 'symbol is required']);
  t.equal(asked.length, 4, 'a bad question is not asked');
  for (const { symbol, reply } of asked.toReversed()) reply.resolve(ready(`"${symbol}"`));
  const replies = await Promise.all(calls);
  t.same(
    replies.map(({ text }) => JSON.parse(text).data),
    ['A', 'B', 'C', 'D'],
  );
  const { asks, statuses } = count(counters, '/v1/ask') ?? {};
  t.match(asks, { counts: [0, 0, 0, 0, 4], sum: 120 }, 'all took 25 to 50 ms');
  t.match(statuses?.[1], { counts: [0, 0, 0, 0, 4], sum: 120 });
  t.match(statuses?.[3], { counts: [1, 0, 0, 0, 0], sum: 0 }, 'the one between them took none');

  const wire = await connect(server.port);
  wire.socket.write('GET /v1/ask?symbol=E HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => asked.length === 5, 'the fifth has been asked');
  wire.socket.destroy();
  await until(() => count(counters, '/v1/ask')?.aborted === 1, 'it is known that the client left');
  asked[4]?.reply.resolve(snapshot);
  await until(() => counters.inFlight.value === 0, 'nothing is in flight');
  const left = count(counters, '/v1/ask');
  t.equal(left?.aborted, 1);
  t.same(left?.statuses.map(countOf), [0, 4, 0, 1, 0]);

  const cached = call(`${url}?symbol=F`, { headers: { 'if-none-match': snapshot.etag } });
  await until(() => asked.length === 6, 'the sixth has been asked');
  asked[5]?.reply.resolve(snapshot);
  t.equal((await cached).status, 304);
});

t.test('errors of handlers', async (t) => {
  const fail = () => {
    throw new Error('secret detail');
  };
  const rows = [
    echo({ path: '/view', from: { view: fail } }),
    echo({ path: '/ask', from: later(async () => fail()) }),
    echo({ path: '/ask-now', from: { query: fail } }),
    echo({ path: '/raw', from: { raw: fail } }),
    echo({
      path: '/wait',
      from: { view: () => apiError('warming_up', 'später', { retryAfter: 5 }) },
    }),
  ];
  const lines: object[] = [];
  const log = { info: () => {}, error: (line: object) => lines.push(line) };
  const counters = new Counters(rows);
  const server = await startServer(rows, { log, counters });
  t.teardown(server.end);
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

t.test('ports', async (t) => {
  const holder = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  t.teardown(() => holder.close());
  const { port } = Object(holder.address());
  const options = { routes: [echo()], cors: { origins: ['*'] }, version: 'test' };
  await t.rejects(createServer({ ...options, host: '127.0.0.1', port }), {
    message: `port ${port} on 127.0.0.1 is in use`,
  });
  await t.rejects(createServer({ ...options, host: '192.0.2.1', port: 0 }), {
    message: 'port 0 on 192.0.2.1 cannot be used (EADDRNOTAVAIL)',
  });
  const free = await createServer({ ...options, host: '127.0.0.1', port: 0 });
  await free.stop();
  const shared = { ...options, host: '127.0.0.1', port: free.port };
  const servers = await Promise.all([createServer(shared), createServer(shared)]);
  t.same(
    servers.map((server) => server.port),
    [free.port, free.port],
    'several servers share a port',
  );
  await Promise.all(servers.map((server) => server.stop()));
});

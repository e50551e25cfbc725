/** One bad day after the other, on real sockets: each has its code, frees its socket, and the client goes on. */
import t from 'tap';
import type { FailureCode } from '../../../actors/failure.ts';
import { startFaultyServer } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const server = await startFaultyServer();
t.teardown(() => server.close());

const cases: [path: string, code: FailureCode, status?: number, retryAfter?: number][] = [
  ['/hang', 'timeout'],
  ['/hang-body', 'timeout'],
  ['/reset', 'network'],
  ['/reset-body', 'network', 200],
  ['/short-body', 'network', 200],
  ['/429', 'rate_limited', 429, 30_000],
  ['/418', 'banned', 418, 7_200_000],
  ['/200-limited', 'rate_limited', 200],
  ['/500', 'unavailable', 500],
  ['/503', 'unavailable', 503, 2_000],
  ['/408', 'unavailable', 408],
  ['/200-busy', 'unavailable', 200],
  ['/403-html', 'blocked', 403],
  ['/451', 'blocked', 451],
  ['/404', 'refused', 404],
  ['/404-json', 'refused', 404],
  ['/400-symbol', 'unknown_instrument', 400],
  ['/400-refused', 'refused', 400],
  ['/200-refused', 'refused', 200],
  ['/html', 'shape', 200],
  ['/broken', 'shape', 200],
  ['/empty', 'shape', 200],
  ['/redirect', 'refused', 302],
  ['/big', 'too_large', 200],
  ['/big-chunked', 'too_large', 200],
  ['/bomb', 'too_large', 200],
  ['/gzip-cut', 'network', 200],
  ['/gzip-false', 'shape', 200],
  ['/zebra', 'shape', 200],
];

for (const [path, code, status, retryAfter] of cases) {
  t.test(`${path} is ${code}`, async (t) => {
    const client = testClient(t, [server.url], { api: { maxBody: 4 * 2 ** 20 } });
    const deadline = code === 'timeout' ? 100 : 10_000;
    const query = { apiKey: 'secret-in-query' };
    const failure = failureOf(await client.get(path, { deadline, query }));
    t.equal(failure.code, code);
    if (code !== 'timeout') t.equal(failure.status, status);
    if (retryAfter) t.equal(failure.retryAfter, retryAfter);
    t.ok(failure.message.startsWith(`GET ${server.host}${path}: `), failure.message);
    t.notMatch(failure.message, /secret/);
    t.ok(failure.message.length < 120);
    const silent = code === 'rate_limited' || code === 'banned';
    const next = await client.get('/ok', { deadline: 500 });
    t.equal(next.ok, !silent, 'the client goes on');
    await until(() => server.connections() <= 2, 'no more than idle connections are left');
    await client.close();
    await until(() => server.connections() === 0, 'every socket is free');
  });
}

t.test('query and body go out as they should', async (t) => {
  const client = testClient(t, [server.url]);
  server.seen.length = 0;
  await client.get('/ok', { query: { symbol: 'A B&C', limit: 5 } });
  t.same(server.seen, ['GET /ok?symbol=A+B%26C&limit=5']);
  t.equal(server.lastHeaders()['user-agent'], 'tidemark');
  await client.get('/ok', { method: 'POST', body: { type: 'meta' } });
  t.equal(server.seen[1], 'POST /ok');
  t.equal(server.bodies.at(-1), '{"type":"meta"}');
  t.equal(server.lastHeaders()['content-type'], 'application/json');
});

t.test('a path that could leave its place is not sent', async (t) => {
  const client = testClient(t, [server.url]);
  server.seen.length = 0;
  t.equal(failureOf(await client.get('/api/../ok')).code, 'refused');
  t.same(server.seen, []);
});

t.test('a host that refuses connections, a deadline that is over', async (t) => {
  const closed = await startFaultyServer();
  await closed.close();
  const client = testClient(t, [closed.url]);
  t.match(failureOf(await client.get('/ok')), { code: 'network', message: /ECONNREFUSED/ });
  t.equal(failureOf(await client.get('/ok', { deadline: 0 })).code, 'timeout');
});

t.test('an abort frees a request that waits for a connection', async (t) => {
  const client = testClient(t, [server.url], { limits: { connections: 1 } });
  server.seen.length = 0;
  const hanging = client.get('/hang', { deadline: 300 });
  await until(() => server.seen.length === 1, 'the only connection is taken');
  const waiting = client.get('/ok', { deadline: 50 });
  t.equal(failureOf(await waiting).code, 'timeout');
  await hanging;
  t.ok((await client.get('/ok')).ok);
  t.same(server.seen, ['GET /hang', 'GET /ok'], 'what was given up was never sent');
});

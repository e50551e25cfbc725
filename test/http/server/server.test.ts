import net from 'node:net';
import t from 'tap';
import { Counters, countOf } from '../../../http/endpoints/counters.ts';
import { createServer, serverDefaults } from '../../../http/server/server.ts';
import { call, connect, echo, startServer } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const count = (counters: Counters, path: string) =>
  counters.snapshot().find((slot) => slot.path === path);

t.test('paths and methods that are not there', async (t) => {
  const params = { id: { type: 'string', required: true, description: '' } } as const;
  const deleted = echo({ path: '/v1/gone', method: 'DELETE' });
  const rows = [echo(), echo({ method: 'POST' }), echo({ path: '/v1/by/{id}', params }), deleted];
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { counters });
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
  t.equal((await call(`${server.url}/v1/gone`, { method: 'DELETE' })).status, 200);
  for (const [path, method, status, allow, text] of [
    ['/v1/gone', 'GET', 405, 'DELETE, OPTIONS', /./],
    ['/v1/gone', 'HEAD', 405, 'DELETE, OPTIONS', /^$/],
    ['/nothing', 'HEAD', 404, undefined, /^$/],
    ['/nothing', 'POST', 404, undefined, /./],
  ] as const) {
    const refused = await call(server.url + path, { method });
    t.strictSame([refused.status, refused.headers.allow], [status, allow], `${method} ${path}`);
    t.match(refused.text, text);
  }
  const wire = await connect(server.port);
  wire.socket.write('GET /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n');
  await until(() => wire.received().startsWith('HTTP/1.1 404 '), 'an answer without the body');
  wire.socket.destroy();
  t.same(count(counters, 'unmatched')?.statuses.map(countOf), [0, 0, 0, 18, 0]);
});

t.test('CORS', async (t) => {
  const rows = [echo(), echo({ method: 'POST' })];
  const counters = new Counters(rows);
  const open = await startServer(t, rows, { counters });
  const listed = await startServer(t, rows, {
    cors: { origins: ['https://a.test', 'https://b.test'] },
  });
  const ask = (url: string, origin: string, method: 'GET' | 'OPTIONS' = 'OPTIONS') =>
    call(`${url}/v1/echo`, { method, headers: { origin } });

  const any = await ask(open.url, 'https://z.test');
  t.match(any, { status: 204, text: '' });
  const { allow, 'access-control-allow-methods': methods, vary = null } = any.headers;
  t.strictSame([allow, methods, vary], ['GET, HEAD, POST, OPTIONS', 'GET, HEAD', null]);
  const [preflights] = counters.snapshot();
  t.match(preflights, { method: 'OPTIONS', bytes: 0 });
  t.same(preflights?.statuses.map(countOf), [0, 1, 0, 0, 0]);
  const ours = await ask(listed.url, 'https://b.test');
  t.match(ours.headers, { 'access-control-allow-methods': /^GET, HEAD, POST$/, vary: /^origin$/ });
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

t.test('options', async (t) => {
  t.strictSame(serverDefaults, {
    inFlightPerAddress: 512,
    bodies: { most: 67_108_864, ofClient: 16_777_216 },
    unsent: { most: 268_435_456, ofClient: 67_108_864 },
  });
  await t.rejects(startServer(t, [echo({ access: 'bearer' })]), /bearer/);
});

t.test('ports', async (t) => {
  const holder = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  t.teardown(() => holder.close());
  const { port } = Object(holder.address());
  const options = { routes: [echo()], cors: { origins: ['*'] }, version: 'test' };
  await t.rejects(createServer({ ...options, host: '127.0.0.1', port }), {
    message: `port ${port} on 127.0.0.1 is not available`,
  });
  await t.rejects(createServer({ ...options, host: '192.0.2.1', port: 0 }), {
    message: 'port 0 on 192.0.2.1 is not available',
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

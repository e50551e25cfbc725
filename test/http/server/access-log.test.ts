/** Ids of requests, and the log of some of them. */
import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import { createLogger } from '../../../config/log.ts';
import { RelayedChannels } from '../../../http/answers/relayed.ts';
import { AccessLog } from '../../../http/server/access-log.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  acting,
  call,
  connect,
  echo,
  later,
  reads,
  ready,
  startServer,
} from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const snapshot = ready('"data"');

async function stage(t: Test, accessLog: number | null) {
  const lines: object[] = [];
  const info = (fields: object, message?: string) => {
    if (message === 'request') lines.push(fields);
  };
  const clock = new FakeClock();
  const waiting = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const rows = [
    echo({ path: '/now', access: 'key', from: reads(() => snapshot) }),
    echo({
      path: '/by/{name}',
      params: { name: { type: 'string', description: '', required: true } },
    }),
    echo({
      path: '/later',
      from: later(async () => {
        arrived.resolve();
        await waiting.promise;
        return snapshot;
      }),
    }),
    acting({ access: 'key' }),
  ];
  const gate = gateOf({ good: alice });
  const log = { info, error: () => {} };
  const query = async () => failed('unavailable', 'down');
  const relayed = new RelayedChannels({ clock, query });
  const server = await startServer(t, rows, { clock, gate, log, accessLog, relayed });
  const get = (
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'POST' | 'OPTIONS' = 'GET',
  ) => call(server.url + path, { headers, method });
  return { get, lines, clock, waiting, arrived, port: server.port };
}

const good = { 'x-api-key': 'good' };

t.test('each answer has the id of its request, and each request a line', async (t) => {
  const { get, lines, clock, waiting } = await stage(t, 1);
  const slow = get('/later?link=secret', { 'x-request-id': 'slow' });
  const answers = {
    a1: await get('/now', { ...good, 'x-request-id': 'a1' }),
    a2: await get('/now', { ...good, 'x-request-id': 'a2', 'if-none-match': snapshot.etag }),
    a3: await get('/now', { 'x-request-id': 'a3' }),
    a4: await get('/nothing', { 'x-request-id': 'a4' }),
    a5: await get('/by/x', { 'x-request-id': 'a5' }),
    a6: await get('/act', { ...good, 'x-request-id': 'a6' }, 'POST'),
    a7: await get('/act', { 'x-request-id': 'a7' }, 'POST'),
    a8: await get('/now', { 'x-request-id': 'a8' }, 'OPTIONS'),
    a9: await get('/v1/stream', { 'x-request-id': 'a9' }),
  };
  await clock.advance(40);
  waiting.resolve();
  t.equal((await slow).headers['x-request-id'], 'slow');
  for (const [id, { headers }] of Object.entries(answers)) t.equal(headers['x-request-id'], id);
  const own = await Promise.all([get('/by/y'), get('/by/y', { 'x-request-id': 'no spaces' })]);
  const ids = own.map(({ headers }) => headers['x-request-id']);
  for (const id of ids) t.match(id, /^[\da-f-]{36}$/);
  t.not(ids[0], ids[1]);
  t.same(lines.length, 12);
  const alicesOwn = { account: 'alice', keyId: 'k1' };
  const nobodys = { account: null, keyId: null };
  t.match(lines, [
    { request: 'a1', method: 'GET', path: '/now', route: '/now', status: 200, ms: 0, ...alicesOwn },
    { request: 'a2', status: 304, bytes: 0, ...alicesOwn },
    { request: 'a3', status: 401, client: '127.0.0.1', ...nobodys },
    { request: 'a4', status: 404, path: '/nothing', route: 'unmatched' },
    { request: 'a5', status: 200, path: '/by/x', route: '/by/{name}', ...nobodys },
    { request: 'a6', status: 201, method: 'POST', ...alicesOwn },
    { request: 'a7', status: 401, ...nobodys },
    { request: 'a8', status: 204, route: 'preflight' },
    { request: 'a9', status: 400, route: '/v1/stream' },
    { request: 'slow', status: 200, path: '/later', ms: 40 },
    {},
    {},
  ]);
  t.notMatch(JSON.stringify(lines), 'secret');
});

t.test('a WebSocket that is refused while a request waits has its own id and line', async (t) => {
  const { get, lines, waiting, arrived, port } = await stage(t, 1);
  const slow = get('/later', { 'x-request-id': 'slow' });
  await arrived.promise;
  for (const path of ['/v1/ws', '/compat/hyperliquid/ws']) {
    const wire = await connect(port);
    t.teardown(() => wire.socket.destroy());
    wire.socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: bad\r\nx-request-id: ${path}\r\n` +
        'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await until(() => wire.received().endsWith('}'), 'an answer');
    t.match(wire.received(), /^HTTP\/1.1 401 /);
    t.match(wire.received(), `x-request-id: ${path}\r\n`);
  }
  waiting.resolve();
  t.equal((await slow).headers['x-request-id'], 'slow');
  const said = lines.map((line) => Object(line).request);
  t.same(said, ['/v1/ws', '/compat/hyperliquid/ws', 'slow']);
});

t.test('without it there are neither; with 0 there are ids alone', async (t) => {
  const off = await stage(t, null);
  t.notOk('x-request-id' in (await off.get('/by/x', { 'x-request-id': 'a' })).headers);
  const ids = await stage(t, 0);
  t.equal((await ids.get('/by/x', { 'x-request-id': 'a' })).headers['x-request-id'], 'a');
  t.strictSame([off.lines, ids.lines], [[], []]);
  ids.waiting.resolve();
});

t.test('a share of them', (t) => {
  const lines: object[] = [];
  const draws = [0.24, 0.25, 0.9, 0];
  const random = () => draws.shift() ?? 1;
  const log = new AccessLog({
    share: 0.25,
    random,
    log: { info: (line: object) => void lines.push(line) },
  });
  const req = { getHeader: () => '', getMethod: () => 'get', getUrl: () => '/a' };
  const asked: string[] = [];
  const clientOf = () => {
    asked.push('a');
    return 'a';
  };
  const visits = Array.from({ length: 4 }, () => log.begin(req, clientOf));
  for (const visit of visits) visit.answered({ route: '/a', status: 200, bytes: 1, ms: 2 });
  t.same(lines.length, 2);
  t.same(asked.length, 2, 'no address is looked for otherwise');
  t.end();
});

t.test('nothing of a line is taken for a secret', (t) => {
  const written: string[] = [];
  const stream = { write: (text: string) => void written.push(text) };
  const log = createLogger({ logLevel: 'info' }, 'web', stream);
  const access = new AccessLog({ share: 1, random: () => 0, log });
  const req = { getHeader: () => 'a', getMethod: () => 'get', getUrl: () => '/a' };
  const visit = access.begin(req, () => '192.0.2.1');
  visit.caller = alice;
  visit.answered({ route: '/a', status: 200, bytes: 1, ms: 2 });
  t.match(JSON.parse(written.join('')), {
    request: 'a',
    client: '192.0.2.1',
    account: 'alice',
    keyId: 'k1',
  });
  t.end();
});

/** Streams of answers by Server-Sent Events. */

import t, { type Test } from 'tap';
import { type Snapshot, snapshotOf } from '../../../../http/answers/snapshots.ts';
import { Source } from '../../../../http/answers/source.ts';
import { Counters } from '../../../../http/endpoints/counters.ts';
import { apiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';
import { call, connect, echo, reads, startServer } from '../../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../../support/quota.ts';
import { until } from '../../../support/until.ts';

const symbol = { type: 'string', description: 'The asset' } as const;

/** A server with prices that a test sets. */
async function stage(t: Test) {
  const clock = new FakeClock();
  const answers = new Map<string, Snapshot>();
  const [changes, listed] = [new Source(), new Source()];
  const view = ({ symbol: name }: object & { symbol?: unknown }) =>
    answers.get(String(name)) ?? apiError('unknown_symbol', 'no such symbol');
  const rows = [
    echo({ path: '/v1/prices', params: { symbol }, access: 'key', from: reads(view, changes) }),
    echo({ path: '/v1/open', access: 'open' }),
  ];
  const looked = { times: 0, holds: true };
  const holds = () => {
    looked.times += 1;
    return looked.holds;
  };
  const gate = { ...gateOf({ good: alice }), holds };
  const symbols = {
    all: () => answers.keys(),
    listen: (listener: () => void) => void listed.listen(undefined, listener),
  };
  const server = await startServer(t, rows, { clock, gate, symbols });
  const set = async (name: string, data: object) => {
    const isNew = !answers.has(name);
    answers.set(name, snapshotOf(data));
    changes.change();
    if (isNew) listed.change();
    await clock.advance(100);
  };
  await set('BTC', { price: 1 });
  await set('ETH', { price: 7 });
  const lose = async (name: string) => {
    answers.delete(name);
    changes.change();
    await clock.advance(100);
  };
  return { server, clock, set, lose, looked };
}

/** A stream of events, read as text. */
async function eventsFrom(t: Test, url: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const response = await fetch(url, { headers, signal: ending.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const broken: unknown[] = [];
  const reading = read().catch((error: unknown) => void broken.push(error));
  return { response, text: () => text, ending, reading, broken };
}

t.test('Server-Sent Events', async (t) => {
  const { server, set, clock } = await stage(t);
  const paths = ['/v1/prices?symbol=BTC', '/v1/prices?symbol=ETH', '/v1/nothing'];
  const query = paths.map((path) => `path=${encodeURIComponent(path)}`).join('&');
  const url = `${server.url}/v1/stream?${query}`;
  const headers = { 'x-api-key': 'good' };
  const { response, text, reading } = await eventsFrom(t, url, headers);
  t.match(response.headers.get('content-type'), 'text/event-stream');
  await until(() => text().includes('event: error'), 'all paths are answered');
  t.equal(text().match(/event: snapshot/g)?.length, 2);
  t.match(text(), '"path":"/v1/nothing","code":"not_found"');
  await set('ETH', { price: 9 });
  await until(() => text().includes('event: update'), 'the change');
  const [id = ''] = [...text().matchAll(/^id: (.*)$/gm)].map((found) => found[1]).slice(-1);
  t.equal(id.split(',').length, 3, 'the id has a version of each path');
  await clock.advance(15_000);
  await until(() => text().endsWith(':\n\n'), 'a sign of life');

  const back = await eventsFrom(t, url, { ...headers, 'last-event-id': id });
  await until(() => back.text().includes('event: error'), 'all paths are answered');
  t.equal(back.text().match(/event: current/g)?.length, 2, 'nothing was missed');
  const anew = await eventsFrom(t, `${url}&resume=${encodeURIComponent(id)}`, headers);
  await until(() => anew.text().includes('event: error'), 'all paths are answered');
  t.equal(anew.text().match(/event: current/g)?.length, 2, 'by the query, too');

  t.intercept(Math, 'random', { value: () => 0.25 });
  await server.end();
  await reading;
  t.match(text(), /retry: 2500\nevent: end/);
});

t.test(
  'an error of one path has a name that no browser uses, and its old one after it',
  async (t) => {
    const { server, set, lose } = await stage(t);
    const paths = ['/v1/prices?symbol=BTC', '/v1/prices?symbol=ETH', '/v1/nothing'];
    const query = paths.map((path) => `path=${encodeURIComponent(path)}`).join('&');
    const headers = { 'x-api-key': 'good' };
    const { text } = await eventsFrom(t, `${server.url}/v1/stream?${query}`, headers);
    const faults = () =>
      text()
        .split('\n\n')
        .filter((event) => /^event: (fault|error)$/m.test(event))
        .map((event) => /^event: (\w+)\n(.*)$/s.exec(event)?.slice(1) ?? []);
    const areTwice = (count: number, path: string, code: string) => {
      const [first, second] = faults().slice(-2);
      t.strictSame([faults().length, first?.[0], second?.[0]], [count, 'fault', 'error']);
      t.equal(first?.[1], second?.[1], 'with the same data');
      const data = JSON.parse(/^data: (.*)$/m.exec(first?.[1] ?? '')?.[1] ?? '');
      t.match(data, { path, code });
    };
    await until(() => faults().length === 2, 'the path that cannot be followed');
    areTwice(2, '/v1/nothing', 'not_found');
    await lose('ETH');
    await until(() => faults().length === 4, 'one that cannot be had any more');
    areTwice(4, '/v1/prices?symbol=ETH', 'unknown_symbol');
    await set('BTC', { price: 2 });
    await until(() => text().includes('event: update'), 'the others go on');
  },
);

t.test('a stream that the server ends is looked after no more', async (t) => {
  const { server, clock, looked } = await stage(t);
  const url = `${server.url}/v1/stream?path=${encodeURIComponent('/v1/prices?symbol=BTC')}`;
  const headers = { 'x-api-key': 'good' };
  const { text, reading, broken } = await eventsFrom(t, url, headers);
  await until(() => text().includes('event: snapshot'), 'it has begun');
  looked.holds = false;
  await clock.advance(1_000);
  await reading;
  t.match(text(), 'event: end');
  t.strictSame(broken, [], 'a client reads it to its end without an error');
  const { times } = looked;
  await clock.advance(10_000);
  t.equal(looked.times, times, 'its key is not looked up any more');
  looked.holds = true;
  // A client may have 64 streams: none of 65 leaves its place behind.
  for (let round = 0; round < 65; round++) {
    const again = await eventsFrom(t, url, headers);
    t.equal(again.response.status, 200);
    looked.holds = false;
    await clock.advance(1_000);
    await again.reading;
    looked.holds = true;
  }
});

t.test('requests that get no stream', async (t) => {
  const { server } = await stage(t);
  const status = async (query: string, headers: Record<string, string> = {}) =>
    (await eventsFrom(t, `${server.url}/v1/stream${query}`, headers)).response.status;
  t.equal(await status(''), 400);
  t.equal(await status('?path=/v1/open&mode=x'), 400);
  t.equal(await status('?path=/v1/open&every=x'), 400);
  t.equal(await status('?path=/v1/open&every=%20'), 400);
  t.equal(await status('?path=/v1/open&every=5'), 200);
  t.equal(await status('?path=/v1/open&path=v1'), 400);
  t.equal(await status('?path=/v1/open', { 'x-api-key': 'bad' }), 401);
  const price = 'path=/v1/prices%3Fsymbol%3D';
  const good = { 'x-api-key': 'good' };
  t.equal(await status(`?${price}BTC`), 401, 'without a key');
  t.equal(await status(`?${price}*`), 401);
  t.equal(await status('?path=/v1/nothing&path=/v1/none', good), 404, 'the first error');
  t.equal(await status('?path=/v1/nothing&path=/v1/none'), 404);
  t.equal(await status(`?path=/v1/nothing&${price}BTC`, good), 200, 'the others go on');
  const unknown = await call(`${server.url}/v1/stream?${price}BTC`);
  t.match(unknown.headers, { 'content-type': 'application/json' });
  t.match(JSON.parse(unknown.text), { status: 'error', message: /key/ });
  for (const [count, wanted] of [
    [1, 200],
    [20, 200],
    [21, 400],
  ] as const)
    t.equal(await status(`?${Array(count).fill('path=/v1/open').join('&')}`), wanted);
  const asked = await call(`${server.url}/v1/stream`, { method: 'OPTIONS' });
  t.equal(asked.status, 204);
  t.match(asked.headers['access-control-allow-headers'], 'last-event-id');
  t.equal(asked.headers['access-control-allow-methods'], 'GET, HEAD');
  t.equal((await call(`${server.url}/v1/stream`, { method: 'POST' })).status, 405);
  const refused = await call(`${server.url}/v1/stream`);
  const readable = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
  t.match(refused.headers, { ...readable, 'retry-after': undefined }, 'a page can read why');
  t.match(JSON.parse(refused.text), { code: 'bad_parameter', timestamp: server.clock.now() });
  const all = Array.from({ length: 64 }, () => status('?path=/v1/open'));
  await Promise.all(all);
  const full = await call(`${server.url}/v1/stream?path=/v1/open`);
  t.match(full, { status: 429, text: /no more connections/ });
});

t.test('refusals of streams have the headers of all refusals', async (t) => {
  const clock = new FakeClock();
  const rows = [echo({ path: '/v1/open', access: 'key' })];
  const gate = gateOf({ good: alice });
  const counters = new Counters(rows, clock);
  const { quota } = memoryQuota(clock);
  const server = await startServer(t, rows, { clock, gate, quota, counters });
  const upgrade =
    'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  /** Status, names of the headers and body of the answer to a request with a key that is none. */
  const refused = async (path: string, more = '') => {
    const wire = await connect(server.port);
    t.teardown(() => wire.socket.destroy());
    wire.socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: bad\r\n${more}\r\n`);
    await until(() => /\r\n\r\n.+}$/s.test(wire.received()), 'an answer');
    const [head = '', body] = wire.received().split('\r\n\r\n');
    const [status, ...lines] = head.split('\r\n');
    return { status, names: lines.map((line) => line.split(':')[0]).sort(), body };
  };
  const usual = await refused('/v1/open');
  for (const name of ['ratelimit', 'www-authenticate', 'access-control-allow-origin'])
    t.ok(usual.names.includes(name), name);
  const [events, socket] = [
    await refused('/v1/stream?path=/v1/open'),
    await refused('/v1/ws', upgrade),
  ];
  for (const { status, names } of [events, socket])
    t.same({ status, names }, { status: 'HTTP/1.1 401 Unauthorized', names: usual.names });
  t.match(socket.body, /^\{"type":"error","code":"unauthorized"/);
  t.match(
    counters.snapshot().filter(({ path }) => path !== '/v1/open'),
    [{ path: '/v1/stream' }, { path: '/v1/ws' }],
    'they are counted',
  );
});

t.test('a client that reconnects to a pattern gets the newest answers and a notice', async (t) => {
  const { server } = await stage(t);
  const url = `${server.url}/v1/stream?path=${encodeURIComponent('/v1/prices?symbol=*')}`;
  const headers = { 'x-api-key': 'good' };
  const first = await eventsFrom(t, url, headers);
  await until(() => first.text().match(/event: snapshot/g)?.length === 2, 'both answers');
  t.notMatch(first.text(), 'recovered');
  const id = /^id: (.*)$/m.exec(first.text())?.[1] ?? '';
  const back = await eventsFrom(t, url, { ...headers, 'last-event-id': id });
  await until(() => back.text().match(/event: snapshot/g)?.length === 2, 'both answers');
  t.equal(back.text().match(/"recovered":false/g)?.length, 2);
});

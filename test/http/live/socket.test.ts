/** Streams of answers over real sockets: WebSocket and Server-Sent Events. */
import { unpack } from 'msgpackr';
import t, { type Test } from 'tap';
import { Plans } from '../../../config/plans.ts';
import { apiError } from '../../../http/errors.ts';
import { type Snapshot, snapshotOf } from '../../../http/snapshots.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, later, startServer } from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const symbol = { type: 'string', description: 'The asset' } as const;

type Message = Record<string, unknown> & { data?: unknown };

/** A server with a view by symbol whose data a test sets. */
async function stage(t: Test, plans?: Plans) {
  const clock = new FakeClock();
  const quota = plans && memoryQuota(clock, plans).quota;
  const answers = new Map<string, Snapshot>();
  const refused = new Set<string>();
  const rows = [
    echo({
      path: '/v1/prices',
      params: { symbol },
      access: 'key',
      from: {
        view: ({ symbol: name }) =>
          answers.get(String(name ?? 'ALL')) ?? apiError('unknown_symbol', 'no such symbol'),
      },
    }),
    echo({ path: '/v1/open', access: 'open' }),
    echo({
      path: '/v1/asked',
      followEvery: () => 250,
      from: later(() => answers.get('asked') ?? apiError('upstream_failed')),
    }),
    echo({ path: '/v1/page', from: { raw: () => ({ contentType: 'text/plain', body: '' }) } }),
    echo({ path: '/v1/of/{name}', params: { name: { ...symbol, required: true } } }),
  ];
  const known = gateOf({ good: alice });
  const gate = {
    ...known,
    holds: (key: string) => !refused.has(key),
    // A ticket is looked up in Redis.
    byTicket: async (ticket: string) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return known.byTicket(ticket);
    },
  };
  const symbols = () => answers.keys();
  const server = await startServer(rows, { clock, gate, quota, symbols });
  t.teardown(server.end);
  const set = async (name: string, data: object) => {
    answers.set(name, snapshotOf(data));
    server.touch();
    await clock.advance(100);
  };
  await set('BTC', { price: 1, exchanges: { okx: 1 } });
  await set('ETH', { price: 7 });
  return { server, clock, set, refused };
}

/** A WebSocket whose messages are collected. */
async function socketTo(t: Test, url: string, query = '') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws${query}`);
  const messages: Message[] = [];
  const closed: { code: number }[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
  socket.addEventListener('close', ({ code }) => closed.push({ code }));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  t.teardown(() => socket.close());
  /** Sends a message, and resolves with the next one that arrives. */
  const ask = async (message: object): Promise<Message | undefined> => {
    const seen = messages.length;
    socket.send(JSON.stringify(message));
    await until(() => messages.length > seen, 'an answer');
    return messages[seen];
  };
  return { socket, messages, closed, ask };
}

t.test('a snapshot, then every new version, whole or as a patch', async (t) => {
  const { server, set } = await stage(t);
  const { ask, messages } = await socketTo(t, server.url);
  t.match(await ask({ op: 'auth', key: 'good' }), { type: 'authenticated' });
  const path = '/v1/prices?symbol=BTC';
  const first = await ask({ op: 'subscribe', id: 1, path });
  t.match(first, { type: 'snapshot', id: 1, data: { price: 1, exchanges: { okx: 1 } } });
  await ask({ op: 'subscribe', id: 'p', path, mode: 'patch' });
  await set('BTC', { price: 2, exchanges: { okx: 1, gate: 2 } });
  await until(() => messages.length === 5, 'both are told');
  t.match(messages[3], { type: 'update', id: 1, data: { price: 2 } });
  t.strictSame(messages[4]?.patch, { price: 2, exchanges: { gate: 2 } });
  t.equal(messages[4]?.from, first?.version);
  t.equal(messages[4]?.version, messages[3]?.version, 'a version is that of the data');
  await set('BTC', { price: null });
  await until(() => messages.length === 7, 'both are told again');
  t.match(messages[6], { type: 'update', id: 'p', data: { price: null } }, 'no patch can say null');
  await set('BTC', { price: null });
  await set('ETH', { price: 8 });
  t.match(await ask({ op: 'unsubscribe', id: 1 }), { type: 'unsubscribed', id: 1 });
  t.equal(messages.length, 8, 'equal data and other symbols are not told');
});

t.test('a subscription that is sent with the ticket waits until that is checked', async (t) => {
  const { server } = await stage(t);
  const { ask, socket, messages } = await socketTo(t, server.url);
  socket.send(JSON.stringify({ op: 'auth', ticket: 'good' }));
  await ask({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=BTC' });
  await until(() => messages.length === 2, 'both answers');
  t.strictSame(
    messages.map(({ type }) => type),
    ['authenticated', 'snapshot'],
  );
});

t.test('an answer that is asked for is asked for again', async (t) => {
  const { server, set, clock } = await stage(t);
  const { ask, messages } = await socketTo(t, server.url);
  t.match(await ask({ op: 'subscribe', id: 1, path: '/v1/asked' }), { code: 'upstream_failed' });
  await set('asked', { bid: 1 });
  await clock.advance(5_000);
  await until(() => messages.length === 2, 'the first answer');
  t.match(messages[1], { type: 'snapshot', id: 1, data: { bid: 1 } });
  await set('asked', { bid: 2 });
  await clock.advance(250);
  await until(() => messages.length === 3, 'the next answer');
  t.match(messages[2], { type: 'update', data: { bid: 2 } });
  t.match(await ask({ op: 'unsubscribe', id: 1 }), { type: 'unsubscribed' });
  await set('asked', { bid: 3 });
  await clock.advance(5_000);
  t.match(await ask({ op: 'ping' }), { type: 'pong' }, 'nothing came before it');
});

t.test('all symbols by one subscription', async (t) => {
  const { server, set, clock } = await stage(t);
  const { ask, messages } = await socketTo(t, server.url);
  await ask({ op: 'auth', key: 'good' });
  await ask({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=*', mode: 'patch' });
  await until(() => messages.length === 3, 'both');
  t.match(messages[1], { type: 'snapshot', id: 1, path: '/v1/prices?symbol=BTC' });
  t.match(messages[2], { type: 'snapshot', id: 1, path: '/v1/prices?symbol=ETH' });
  await set('ETH', { price: 8 });
  await until(() => messages.length === 4, 'the change');
  t.match(messages[3], { type: 'patch', path: '/v1/prices?symbol=ETH', patch: { price: 8 } });
  await set('NEW', { price: 3 });
  await clock.advance(10_000);
  await until(() => messages.length === 5, 'the new symbol');
  t.match(messages[4], { type: 'snapshot', path: '/v1/prices?symbol=NEW', data: { price: 3 } });
});

t.test('who comes back to a pattern gets the newest of each answer, and is told', async (t) => {
  const { server, set } = await stage(t);
  const path = '/v1/prices?symbol=*';
  const one = await socketTo(t, server.url);
  await one.ask({ op: 'auth', key: 'good' });
  await one.ask({ op: 'subscribe', id: 1, path });
  await until(() => one.messages.length === 3, 'both answers');
  const resume = one.messages[2]?.position;
  await set('ETH', { price: 1, exchanges: { okx: 1 } });
  await set('BTC', { price: 7 });
  const again = await socketTo(t, server.url);
  await again.ask({ op: 'auth', key: 'good' });
  await again.ask({ op: 'subscribe', id: 1, path, resume });
  await until(() => again.messages.length === 3, 'both answers');
  t.match(
    again.messages.slice(1),
    [
      { type: 'snapshot', path: '/v1/prices?symbol=BTC', recovered: false, data: { price: 7 } },
      { type: 'snapshot', path: '/v1/prices?symbol=ETH', recovered: false, data: { price: 1 } },
    ],
    'also that of which another one had the version',
  );
  const url = `${server.url}/v1/stream?path=${encodeURIComponent(path)}`;
  const headers = { 'x-api-key': 'good' };
  const first = await eventsFrom(t, url, headers);
  await until(() => first.text().match(/event: snapshot/g)?.length === 2, 'both answers');
  t.notMatch(first.text(), 'recovered');
  const id = /^id: (.*)$/m.exec(first.text())?.[1] ?? '';
  const back = await eventsFrom(t, url, { ...headers, 'last-event-id': id });
  await until(() => back.text().match(/event: snapshot/g)?.length === 2, 'both answers');
  t.equal(back.text().match(/"recovered":false/g)?.length, 2);
});

t.test('messages as MessagePack', async (t) => {
  const { server } = await stage(t);
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`, ['other', 'msgpack']);
  socket.binaryType = 'arraybuffer';
  t.teardown(() => socket.close());
  const messages: unknown[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(unpack(new Uint8Array(data))));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  t.equal(socket.protocol, 'msgpack');
  socket.send(JSON.stringify({ op: 'auth', id: 7, key: 'good' }));
  await until(() => messages.length === 1, 'the key is good');
  t.match(messages[0], { type: 'authenticated', id: 7 });
  socket.send(JSON.stringify({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=BTC' }));
  await until(() => messages.length === 2, 'a snapshot');
  t.match(messages[1], { type: 'snapshot', id: 1, data: { price: 1, exchanges: { okx: 1 } } });
});

t.test('who comes back gets only what is new', async (t) => {
  const { server, set } = await stage(t);
  const one = await socketTo(t, server.url);
  await one.ask({ op: 'auth', key: 'good' });
  const path = '/v1/prices?symbol=BTC';
  const first = await one.ask({ op: 'subscribe', id: 1, path });
  const resume = first?.version;
  const again = await socketTo(t, server.url);
  await again.ask({ op: 'auth', key: 'good' });
  t.match(await again.ask({ op: 'subscribe', id: 1, path, resume }), {
    type: 'current',
    recovered: true,
    version: resume,
  });
  await set('BTC', { price: 3 });
  await until(() => again.messages.length === 3, 'the first is told');
  t.match(again.messages[2], { type: 'update', id: 1 });
  t.match(await again.ask({ op: 'subscribe', id: 2, path, resume }), {
    type: 'snapshot',
    id: 2,
    recovered: false,
    data: { price: 3 },
  });
});

t.test('no more often than a client wishes, and then the newest', async (t) => {
  const { server, set, clock } = await stage(t);
  const { ask, messages } = await socketTo(t, server.url);
  await ask({ op: 'auth', key: 'good' });
  await ask({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=BTC', every: 5_000 });
  for (const price of [2, 3, 4]) await set('BTC', { price });
  t.match(await ask({ op: 'ping', id: 9 }), { type: 'pong', id: 9 }, 'nothing came before it');
  await clock.advance(5_000);
  await until(() => messages.length === 4, 'it is told');
  t.match(messages[3], { type: 'update', data: { price: 4 } });
});

t.test('the requests and subscriptions of a plan', async (t) => {
  const limits = { requestsPerMinute: 4, keys: null, connections: 1, subscriptions: 2 };
  const { server } = await stage(t, new Plans([{ name: 'free', ...limits }]));
  const { ask } = await socketTo(t, server.url);
  await ask({ op: 'auth', key: 'good' });
  const subscribe = (id: number) => ask({ op: 'subscribe', id, path: '/v1/prices?symbol=BTC' });
  t.match(await subscribe(1), { type: 'snapshot' });
  t.match(await subscribe(2), { type: 'snapshot' });
  t.match(await subscribe(3), { message: /no more subscriptions/ });
  t.match(await ask({ op: 'unsubscribe', id: 1 }), { type: 'unsubscribed' });
  t.match(await subscribe(3), { type: 'snapshot' });
  await ask({ op: 'unsubscribe', id: 2 });
  t.match(await subscribe(4), { message: /^the 4 requests a minute/ });
  const other = await socketTo(t, server.url, '?ticket=good');
  t.match(await other.ask({ op: 'subscribe', id: 1, path: '/v1/open' }), {
    message: /no more connections/,
  });
});

t.test('what is refused, by name', async (t) => {
  const { server } = await stage(t);
  const { ask, socket, messages } = await socketTo(t, server.url);
  const code = async (message: object) => (await ask(message))?.code;
  const sub = { op: 'subscribe', id: 1 };
  t.match(await ask({ ...sub, path: '/v1/prices?symbol=BTC' }), {
    type: 'error',
    id: 1,
    code: 'unauthorized',
  });
  t.match(await ask({ ...sub, path: '/v1/of/BTC' }), { type: 'snapshot', data: { name: 'BTC' } });
  t.equal(await code({ ...sub, path: '/v1/open' }), 'bad_parameter', 'the id is taken');
  t.equal(await code({ op: 'auth', key: 'good' }), 'bad_parameter', 'not the first message');
  t.equal(await code({ op: 'subscribe', path: '/v1/open' }), 'bad_parameter');
  const next = { ...sub, id: 2 };
  t.equal(await code({ ...next, path: '/v1/nothing' }), 'not_found');
  t.equal(await code({ ...next, path: '/v1/page' }), 'bad_parameter', 'is a page, no data');
  t.match(await ask({ ...next, path: '/v1/open?symbol=*' }), { message: /^symbol=\* and/ });
  t.match(await ask({ ...next, path: '/v1/open', format: 'xml' }), { message: /^format must be/ });
  t.equal(await code({ ...next, path: '/v1/open?x=1' }), 'bad_parameter', 'no such parameter');
  t.match(await ask({ ...next, path: '/v1/open', mode: 'delta' }), { message: /^mode must be/ });
  t.match(await ask({ ...next, path: '/v1/open', mode: 'log' }), { message: /^mode=log/ });
  t.match(await ask({ ...next, path: '/v1/open', every: -1 }), { message: /^every must be/ });
  t.match(await ask({ op: 'jump' }), { message: /^op must be one of subscribe/ });
  t.match(await ask([]), { message: 'a message must be a JSON object' });
  const seen = messages.length;
  socket.send('{');
  await until(() => messages.length > seen, 'an answer');
  t.match(messages[seen], { code: 'bad_parameter' });
  const wrong = await socketTo(t, server.url);
  t.match(await wrong.ask({ op: 'auth', key: 'bad' }), { type: 'error', code: 'unauthorized' });
});

t.test('a revoked key ends its streams; a restart says so', async (t) => {
  const { server, clock, refused } = await stage(t);
  const path = '/v1/prices?symbol=BTC';
  const open = async () => {
    const one = await socketTo(t, server.url);
    await one.ask({ op: 'auth', key: 'good' });
    await one.ask({ op: 'subscribe', id: 1, path });
    return one;
  };
  const revoked = await open();
  refused.add('good');
  await clock.advance(1_000);
  await until(() => revoked.closed.length > 0, 'it is closed');
  t.strictSame(revoked.closed, [{ code: 4401 }]);
  refused.clear();
  const last = await open();
  const byTicket = await socketTo(t, `${server.url}`, '?ticket=good');
  t.match(await byTicket.ask({ op: 'subscribe', id: 1, path }), { type: 'snapshot' });
  await server.end();
  t.match(last.messages.at(-1), { type: 'reconnect' });
  t.ok(Number(last.messages.at(-1)?.wait) <= 10_000);
  await until(() => last.closed.length > 0, 'it is closed');
  t.strictSame(last.closed, [{ code: 1012 }]);
});

t.test('the limits of a connection and of a message', async (t) => {
  const { server } = await stage(t);
  const { ask } = await socketTo(t, server.url);
  const subscribe = async (id: unknown, more = {}) =>
    (await ask({ op: 'subscribe', id, path: '/v1/of/a', ...more }))?.code ?? 'taken';
  const most = { every: 3_600_000, path: `/v1/of/${'a'.repeat(128)}` };
  t.equal(await subscribe('x'.repeat(64), most), 'taken');
  t.equal(await subscribe('x'.repeat(65)), 'bad_parameter');
  t.equal(await subscribe('y', { every: 3_600_001 }), 'bad_parameter');
  for (let id = 2; id < 200; id++) await subscribe(id);
  t.same([await subscribe(200), await subscribe(201)], ['taken', 'too_many_requests']);
});

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
  const reading = read().catch(() => {});
  return { response, text: () => text, ending, reading };
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

  await server.end();
  await reading;
  t.match(text(), /retry: \d+\nevent: end/);
});

t.test('requests that get no stream', async (t) => {
  const { server } = await stage(t);
  const status = async (query: string, headers: Record<string, string> = {}) =>
    (await eventsFrom(t, `${server.url}/v1/stream${query}`, headers)).response.status;
  t.equal(await status(''), 400);
  t.equal(await status('?path=/v1/open&mode=x'), 400);
  t.equal(await status('?path=/v1/open&every=x'), 400);
  t.equal(await status('?path=/v1/open', { 'x-api-key': 'bad' }), 401);
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
  t.equal(refused.headers['access-control-allow-origin'], '*', 'a page can read why');
});

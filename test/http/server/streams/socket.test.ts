/** Streams of answers by WebSocket, over real sockets. */

import { unpack } from 'msgpackr';
import t, { type Test } from 'tap';
import { Plans } from '../../../../config/plans.ts';
import { snapshotOf } from '../../../../http/answers/snapshots.ts';
import { Source } from '../../../../http/answers/source.ts';
import { Counters } from '../../../../http/endpoints/counters.ts';
import { FakeClock } from '../../../support/clock.ts';
import { call, connect, echo, reads, startServer, type Wire } from '../../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../../support/quota.ts';
import { until } from '../../../support/until.ts';

type Message = Record<string, unknown> & { data?: unknown };

/** A server with a price that a test sets. */
async function stage(t: Test, plans?: Plans) {
  const clock = new FakeClock();
  const quota = plans && memoryQuota(clock, plans).quota;
  let answer = snapshotOf({ price: 1 });
  const changes = new Source();
  const refused = new Set<string>();
  const rows = [
    echo({ path: '/v1/price', access: 'key', from: reads(() => answer, changes) }),
    echo({ path: '/v1/open', access: 'open' }),
    echo({ path: '/v1/large', from: reads(() => snapshotOf('x'.repeat(16 * 2 ** 20))) }),
    echo({
      path: '/v1/broken',
      from: {
        ...reads(() => snapshotOf({})),
        log: () => {
          throw new Error('secret');
        },
      },
    }),
  ];
  const known = gateOf({ good: alice });
  const tickets: PromiseWithResolvers<void>[] = [];
  const gate = {
    ...known,
    holds: (key: string) => !refused.has(key),
    // A ticket is looked up in Redis.
    byTicket: async (ticket: string) => {
      const asked = Promise.withResolvers<void>();
      tickets.push(asked);
      await asked.promise;
      return known.byTicket(ticket);
    },
  };
  const counters = new Counters(rows, clock);
  const server = await startServer(t, rows, { clock, counters, gate, quota });
  const set = async (price: number) => {
    answer = snapshotOf({ price });
    changes.change();
    await clock.advance(100);
  };
  /** Answers the ticket that is asked for next. */
  const lookUp = async () => {
    await until(() => tickets.length > 0, 'a ticket is asked for');
    tickets.shift()?.resolve();
  };
  return { server, clock, counters, set, refused, lookUp };
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

const subscribe = (id: number, path = '/v1/price') => ({ op: 'subscribe', id, path });

t.test('what waits for a ticket, and is as much as one client may have in work', async (t) => {
  const { server, set, lookUp } = await stage(t);
  const { ask, socket, messages } = await socketTo(t, server.url);
  socket.send(JSON.stringify({ op: 'auth', ticket: 'good' }));
  for (let id = 1; id <= 31; id++) socket.send(JSON.stringify(subscribe(id)));
  t.match(await ask(subscribe(32)), { type: 'error', id: 32, code: 'overloaded' });
  await lookUp();
  await until(() => messages.length === 33, 'all answers');
  t.match(messages.slice(1, 3), [{ type: 'authenticated' }, { type: 'snapshot', id: 1 }]);
  t.match(await ask(subscribe(33)), { type: 'snapshot' }, 'there is room again');
  await set(2);
  await until(() => messages.length === 34 + 32, 'the change');
  t.match(messages[34], { type: 'update', id: 1, data: { price: 2 } });
});

t.test('messages of a client', async (t) => {
  const { server } = await stage(t);
  const { ask, socket } = await socketTo(t, server.url);
  t.strictSame(await ask({ op: 'ping' }), { type: 'pong' });
  t.strictSame(await ask({ op: 'ping', id: 9 }), { type: 'pong', id: 9 });
  const jump = { type: 'error', code: 'bad_parameter' };
  t.match(await ask({ op: 'jump', id: 9 }), { ...jump, id: 9 });
  t.match(await ask({ op: 'jump', id: 1.5 }), { ...jump, id: undefined });
  t.match(await ask({ op: 'auth', key: 'bad' }), { type: 'error', code: 'unauthorized' });
  t.match(await ask(subscribe(1)), { type: 'error', id: 1, code: 'unauthorized' });
  t.match(await ask(subscribe(1, '/v1/open')), { type: 'snapshot', id: 1 });
  t.match(await ask({ op: 'auth', id: 2, key: 'good' }), {
    type: 'error',
    id: 2,
    code: 'bad_parameter',
    message: 'auth must be the first message of a connection',
  });
  t.strictSame(await ask({ op: 'unsubscribe', id: 1 }), { type: 'unsubscribed', id: 1 });
  t.match(await ask({ op: 'unsubscribe', id: 1 }), { message: 'there is no subscription 1' });
  t.match(await ask({ ...subscribe(1, '/v1/broken'), mode: 'log' }), { id: 1, code: 'internal' });
  t.match(await ask({ op: 'ping', pad: 'x'.repeat(16_200) }), { type: 'pong' });
  socket.send('x'.repeat(16 * 1024 + 1));
  await new Promise((resolve) => socket.addEventListener('close', resolve));
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
  socket.send(JSON.stringify({ op: 'subscribe', id: 1, path: '/v1/price' }));
  await until(() => messages.length === 2, 'a snapshot');
  t.match(messages[1], { type: 'snapshot', id: 1, data: { price: 1 } });
  socket.send(JSON.stringify({ op: 'ping' }));
  await until(() => messages.length === 3, 'an answer');
  t.strictSame(messages[2], { type: 'pong' });
});

t.test('a revoked key ends its streams; a restart says so', async (t) => {
  const { server, clock, refused, lookUp } = await stage(t);
  const open = async () => {
    const one = await socketTo(t, server.url);
    await one.ask({ op: 'auth', key: 'good' });
    await one.ask(subscribe(1));
    return one;
  };
  const revoked = await open();
  refused.add('good');
  await clock.advance(1_000);
  await until(() => revoked.closed.length > 0, 'it is closed');
  t.strictSame(revoked.closed, [{ code: 4401 }]);
  refused.clear();
  const last = await open();
  const ticket = socketTo(t, server.url, '?ticket=good');
  await lookUp();
  t.match(await (await ticket).ask(subscribe(1)), { type: 'snapshot' });
  const bad = await socketTo(t, server.url, '?ticket=bad');
  bad.socket.send(JSON.stringify(subscribe(1, '/v1/open')));
  await lookUp();
  await until(() => bad.closed.length > 0, 'a ticket that is refused');
  t.match(
    [bad.messages, bad.closed],
    [[{ type: 'error', code: 'unauthorized' }], [{ code: 4401 }]],
  );
  t.intercept(Math, 'random', { value: () => 0.25 });
  await server.end();
  t.match(last.messages.at(-1), { type: 'reconnect', wait: 2_500 });
  await until(() => last.closed.length > 0, 'it is closed');
  t.strictSame(last.closed, [{ code: 1012 }]);
});

const upgrade =
  'GET /v1/ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** The answer to a request for a WebSocket, on a connection that goes on where it is accepted. */
async function opened(t: Test, port: number, lines = ''): Promise<Wire & { status: string }> {
  const wire = await connect(port);
  t.teardown(() => wire.socket.destroy());
  wire.socket.write(`${upgrade}${lines}\r\n`);
  await until(() => wire.received().includes('\r\n\r\n'), 'an answer');
  return { ...wire, status: wire.received().slice(9, 12) };
}

/** A text message as a client sends it: masked, here by zeros. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}

t.test('connections: by key, and 256 of an address without a subscription', async (t) => {
  const plan = { name: 'free', requestsPerMinute: 9, keys: null, connections: 1, subscriptions: 9 };
  const { server } = await stage(t, new Plans([plan]));
  const open = (lines?: string) => opened(t, server.port, lines);
  const bad = await open('x-api-key: bad\r\n');
  t.match([bad.status, bad.received()], ['401', '"code":"unauthorized"']);
  const unsubscribed = await Promise.all(
    Array.from({ length: 255 }, () => open('x-api-key: good\r\n')),
  );
  t.same(new Set(unsubscribed.map(({ status }) => status)), new Set(['101']));
  const [first, second] = unsubscribed;
  first?.socket.write(frame(subscribe(1)));
  await until(() => first?.received().includes('"snapshot"') === true, 'it has subscribed');
  second?.socket.write(frame(subscribe(1)));
  await until(() => second?.received().includes('no more connections') === true, 'an answer');
  t.equal((await open()).status, '101');
  t.equal((await open()).status, '101');
  const one = await open();
  t.match([one.status, one.received()], ['429', 'too many connections without a subscription']);
  first?.socket.destroy();
  await until(async () => {
    second?.socket.write(frame(subscribe(1)));
    return second?.received().includes('"snapshot"') === true;
  }, 'the place of the first is free');
  t.equal((await open()).status, '101', 'in place of the second');
  t.equal((await open()).status, '429', 'the first did not count any more when it ended');
  unsubscribed[2]?.socket.destroy();
  await until(
    async () => (await open()).status === '101',
    'the place of one that has left is free',
  );
});

/** A ping of the protocol with as long a text as one may have. */
const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);

t.test('a client that sends pings and does not read is ended', async (t) => {
  const { server, counters } = await stage(t);
  const { socket } = await opened(t, server.port);
  const before = counters.connections.value;
  socket.pause();
  socket.write(frame(subscribe(1, '/v1/large')));
  t.equal((await call(`${server.url}/v1/open`)).status, 200);
  for (let i = 0; i <= 256; i++) socket.write(ping);
  await until(() => counters.connections.value <= before, 'it is closed');
});

t.test('pings are limited, also for a client that reads', async (t) => {
  const { server, clock } = await stage(t);
  const { socket, received, closed } = await opened(t, server.port);
  const pongs = () => received().split('\x8a\x7d').length - 1;
  for (const count of [100, 200]) {
    for (let i = 0; i < 100; i++) socket.write(ping);
    await until(() => pongs() === count, 'all are answered');
    await clock.advance(1_000);
  }
  for (let i = 0; i <= 100; i++) socket.write(ping);
  await closed;
  t.match(received(), 'more than 100 pings within a second');
});

t.test('a client that neither authenticates nor subscribes is ended after 10 s', async (t) => {
  const { server, clock } = await stage(t);
  const [idle, known, following] = [
    await socketTo(t, server.url),
    await socketTo(t, server.url),
    await socketTo(t, server.url),
  ];
  await known.ask({ op: 'auth', key: 'good' });
  await following.ask(subscribe(1, '/v1/open'));
  await idle.ask({ op: 'ping' });
  await clock.advance(9_999);
  t.strictSame(idle.closed, []);
  await clock.advance(1);
  await until(() => idle.closed.length > 0, 'it is closed');
  t.strictSame(idle.closed, [{ code: 4400 }]);
  t.match(await known.ask(subscribe(1)), { type: 'snapshot' });
  t.strictSame([known.closed, following.closed], [[], []]);
});

t.test('what was unread counts no more once the client has read it', async (t) => {
  const { server } = await stage(t);
  const { ask, socket, messages } = await socketTo(t, server.url);
  for (let round = 1; round <= 3; round++) {
    // All arrive before anything of the large answer can be read.
    socket.send(JSON.stringify(subscribe(round, '/v1/large')));
    for (let i = 0; i < 200; i++) socket.send(JSON.stringify({ op: 'ping' }));
    await until(() => messages.length === round * 201, 'all answers');
  }
  t.match(await ask({ op: 'ping' }), { type: 'pong' });
});

t.test('a client that sends and does not read is ended', async (t) => {
  const { server, counters } = await stage(t);
  const { socket, received } = await opened(t, server.port);
  const before = counters.connections.value;
  socket.pause();
  socket.write(frame(subscribe(1, '/v1/large')));
  for (let i = 0; i < 256; i++) socket.write(frame({ op: 'ping' }));
  t.equal((await call(`${server.url}/v1/open`)).status, 200);
  t.equal(counters.connections.value, before + 1, 'and the one of that request');
  socket.write(frame({ op: 'ping' }));
  await until(() => counters.connections.value === before, 'it is closed');
  t.match(received(), /^HTTP\/1\.1 101/);
});

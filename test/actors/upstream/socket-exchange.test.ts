/** Questions over a WebSocket, and what is asked where a request has failed. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocketServer } from 'ws';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { FakeClock } from '../../support/clock.ts';
import { startFaultyServer } from '../../support/faulty-server.ts';
import { failureOf } from '../../support/upstream.ts';

const server = await startFaultyServer();
const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
await once(sockets, 'listening');
const address = Object(sockets.address());
t.teardown(() => Promise.all([server.close(), sockets.close()]));
/** What the peer does with a message. */
const heard: string[] = [];
sockets.on('connection', (socket, { url }) => {
  socket.on('message', (data) => {
    heard.push(`${url} ${data}`);
    if (url === '/ends') socket.close(1001);
    if (url !== '/list') return;
    for (const one of ['hello', '{"channel":"heartbeat"}', '{"channel":"list","data":[1]}'])
      socket.send(one);
  });
});

const asked = (path: string): UpstreamRequest => ({
  api: 'socket',
  path,
  socket: {
    say: '{"list":true}',
    isAnswer: (message) => Object(message).channel === 'list',
  },
});
const clock = new FakeClock();
const budgets = { default: { weight: 100, per: 1_000 } };
const client = createHttpClient({
  source: 'test',
  apis: {
    http: { hosts: [server.url], budgets },
    socket: { hosts: [`http://127.0.0.1:${address.port}`], budgets },
  },
  gateway: null,
  clock,
});
t.teardown(() => client.close());
t.beforeEach(() => {
  heard.length = 0;
});

t.test('the first message that is an answer is the body', async (t) => {
  const reply = await client.send(asked('/list'), { deadline: 10_000 });
  t.match(reply, { ok: true, value: { body: { channel: 'list', data: [1] } } });
  t.strictSame(heard, ['/list {"list":true}']);
});

t.test('one that ends or says nothing is a failure', async (t) => {
  const options = { deadline: 10_000, account: 'a' };
  const ended = client.send(asked('/ends'), options);
  t.match(failureOf(await ended), { code: 'network', message: /the connection ended \(1001\)/ });
  const silent = client.send(asked('/silent'), options);
  while (heard.length < 2) await new Promise(setImmediate);
  await clock.advance(10_000);
  t.equal(failureOf(await silent).code, 'timeout');
});

t.test('it is asked where another request has failed, whose failure counts', async (t) => {
  const gone: UpstreamRequest = { api: 'http', path: '/gone' };
  server.on('/gone', (_, response) => response.writeHead(404).end('gone'));
  const found = await client.send({ ...gone, instead: asked('/list') }, { deadline: 10_000 });
  t.match(found, { ok: true, value: { body: { data: [1] } } });
  // A question of a client is not tried again, which would wait on the clock.
  const options = { deadline: 100, account: 'a' };
  const none = await client.send({ ...gone, instead: asked('/ends') }, options);
  t.match(failureOf(none), { message: /\/gone: .*404/ });
});

/**
 * What uWebSockets.js cuts off after its own ten seconds, which no clock of a test moves: all of it waits at once, on one
 * server.
 */
import { once } from 'node:events';
import net from 'node:net';
import t from 'tap';
import { Counters } from '../../../http/endpoints/counters.ts';
import type { Call } from '../../../http/endpoints/route.ts';
import { acting, call, connect, echo, reads, ready, startServer } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const calls: Call<unknown>[] = [];
const answer = ready(JSON.stringify('x'.repeat(16 * 2 ** 20)));
const routes = [
  echo(),
  echo({ path: '/v1/large', from: reads(() => answer) }),
  acting({ body: { type: 'object' } }, calls),
];
const counters = new Counters(routes);
const server = await startServer(t, routes, { counters });
t.jobs = 3;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n`;
const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** A connection that sends and never reads. */
async function deaf(bytes: string): Promise<net.Socket> {
  const socket = net.connect(server.port, '127.0.0.1').pause();
  await once(socket, 'connect');
  socket.on('error', () => {}).write(bytes);
  return socket;
}

const mebibytes = () => process.memoryUsage().rss / 2 ** 20;

t.test('connections that say nothing, or not enough, are closed by the server', async (t) => {
  const starts = ['', `${get('/v1/echo')}\r\n`, `${post('/v1/echo', 9)}12`];
  await Promise.all(
    starts.map(async (bytes) => {
      const { socket } = await connect(server.port);
      const closed = once(socket, 'close', { signal: AbortSignal.timeout(30_000) });
      socket.write(bytes);
      await t.resolves(closed, `after ${JSON.stringify(bytes.slice(0, 4))}`);
    }),
  );
});

t.test('a body has to come at 16 KiB a second', async (t) => {
  const slow = await connect(server.port);
  slow.socket.write(post('/act', 1_000));
  const drops = setInterval(() => slow.socket.write(' '), 500);
  t.teardown(() => clearInterval(drops));
  await slow.closed;
  t.equal(slow.received(), '', 'one that comes drop by drop is cut off');
  t.same(calls, []);
});

t.test('clients that do not read are cut off, and cost no copy of their answers', async (t) => {
  const before = mebibytes();
  const request = `${get('/v1/large')}\r\n`;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => deaf(request)));
  t.equal((await call(`${server.url}/v1/echo`)).status, 200, 'others are served meanwhile');
  const gained = mebibytes() - before;
  t.ok(gained < 100, `320 MiB of answers are waiting, in ${gained.toFixed(0)} MiB`);
  await until(() => counters.connections.value === 0, 'the server has closed all', 60_000);
  t.equal(counters.inFlight.value, 0, 'and forgotten them');
  for (const socket of sockets) socket.destroy();
});

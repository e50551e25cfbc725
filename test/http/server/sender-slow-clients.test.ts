import { once } from 'node:events';
import net from 'node:net';
import t from 'tap';
import { JsonText } from '../../../http/answers/json-text.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { call, connect, echo, reads, ready, startServer } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const request = 'GET /v1/large HTTP/1.1\r\nhost: x\r\n\r\n';

/** A row that answers at once with so many bytes. */
function large(bytes: number) {
  const body = ready(JSON.stringify('x'.repeat(bytes)));
  return echo({ path: '/v1/large', from: reads(() => body) });
}

/** Connections that send and never read. */
function deaf(port: number, count: number, bytes: string): Promise<net.Socket[]> {
  const open = async () => {
    const socket = net.connect(port, '127.0.0.1').pause();
    await once(socket, 'connect');
    socket.on('error', () => {}).write(bytes);
    return socket;
  };
  return Promise.all(Array.from({ length: count }, open));
}

t.test('clients that reset before their answer is written do no harm', async (t) => {
  const server = await startServer(t, [echo(), large(40_000)]);
  // Without an abort handler, uWebSockets.js ends the process here: its answer is larger than its cork buffer.
  const reset = async () => {
    const socket = net.connect(server.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(request);
    socket.resetAndDestroy();
    await once(socket, 'close');
  };
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 50 }, reset));
  t.equal((await call(`${server.url}/v1/echo`)).status, 200);
});

t.test('a large answer arrives whole however slowly it is read', async (t) => {
  const size = 8 * 2 ** 20;
  const server = await startServer(t, [large(size)]);
  const wire = await connect(server.port);
  wire.socket.pause().write(request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  const breaths = setInterval(() => {
    wire.socket.resume();
    setImmediate(() => wire.socket.pause());
  }, 2);
  await wire.closed;
  clearInterval(breaths);
  t.match(wire.received(), /^HTTP\/1\.1 200/);
  t.ok(wire.received().endsWith('x"}'), 'to its last byte');
  t.ok(wire.received().length > size);
});

t.test('answers of their own that are not read have a bound', async (t) => {
  const size = 16 * 2 ** 20;
  const data = new JsonText(JSON.stringify('x'.repeat(size)));
  const act = async () => ({ status: 200 as const, data });
  const rows = [echo(), echo({ method: 'POST', path: '/v1/own', from: { act } })];
  const counters = new Counters(rows);
  const unsent = { most: 200 * 2 ** 20, ofClient: 50 * 2 ** 20 };
  const server = await startServer(t, rows, { counters, unsent });
  const post = 'POST /v1/own HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
  const sockets = await deaf(server.port, 20, post);
  await until(() => counters.connections.value === 3, 'three answers of 16 MiB wait');
  for (const socket of sockets) socket.destroy();
  await until(() => counters.connections.value === 0, 'they are gone');
  const whole = await call(`${server.url}/v1/own`, { method: 'POST' });
  t.ok(whole.text.length > size, 'there is room again');
});

t.test(
  'pipelined requests behind a large answer that is not read are not worked off',
  async (t) => {
    let asked = 0;
    const body = ready(JSON.stringify('x'.repeat(2 ** 20)));
    const view = () => {
      asked++;
      return body;
    };
    const server = await startServer(t, [echo(), echo({ path: '/v1/large', from: reads(view) })]);
    const [socket] = await deaf(server.port, 1, request.repeat(1_000));
    t.equal((await call(`${server.url}/v1/echo`)).status, 200);
    t.ok(asked > 0 && asked < 50, `${asked} of 1,000 were answered`);
    socket?.destroy();
  },
);

t.test('1,000 idle connections are held while others are served', async (t) => {
  const server = await startServer(t, [echo()]);
  const sockets = await deaf(server.port, 1_000, '');
  t.equal((await call(`${server.url}/v1/echo`)).status, 200);
  t.equal(sockets.filter((socket) => socket.closed).length, 0);
  for (const socket of sockets) socket.destroy();
});

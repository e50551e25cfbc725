/** What one client may have in memory, whatever the connections, behind a trusted proxy too. */
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { JsonText } from '../../../http/answers/json-text.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { Source } from '../../../http/answers/source.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { acting, call, connect, echo, reads, startServer } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const mebi = 2 ** 20;
const large = 'x'.repeat(16 * mebi);

/** A server behind a trusted proxy on this machine, and requests of clients that read nothing. */
async function stage(t: Test) {
  let answer = snapshotOf('small');
  const changes = new Source();
  const act = async () => ({ status: 200 as const, data: new JsonText(JSON.stringify(large)) });
  const server = await startServer(
    t,
    [
      echo(),
      echo({ method: 'POST', path: '/v1/own', from: { act } }),
      echo({ path: '/v1/large', from: reads(() => snapshotOf(large)) }),
      echo({ path: '/v1/growing', from: reads(() => answer, changes) }),
    ],
    {
      unsent: { most: 300 * mebi, ofClient: 20 * mebi },
      trustedProxies: ['127.0.0.1'],
    },
  );
  const ask = async (client: string, line: string, more = '') => {
    const socket = net.connect(server.port, '127.0.0.1').pause();
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${client}\r\n${more}\r\n`);
    return socket;
  };
  /** Resolves when the server has handled what was sent before. */
  const handled = async () => {
    for (let i = 0; i < 3; i++) await call(`${server.url}/v1/echo`);
  };
  /** Of what one client has open only the first has room, and another client has its own. */
  const isBounded = async (open: (client: string) => Promise<net.Socket>) => {
    const sockets: net.Socket[] = [];
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      sockets.push(await open(client));
      await handled();
    }
    for (const socket of sockets) socket.resume();
    const [first, second, third, other] = sockets;
    await until(() => second?.closed === true && third?.closed === true, 'they are ended');
    for (const socket of [first, other])
      await until(() => Number(socket?.bytesRead) > 16 * mebi, 'it has all');
  };
  /** The growing answer is a large one now. */
  const grow = async () => {
    answer = snapshotOf(large);
    changes.change();
    await server.clock.advance(100);
  };
  return { ask, handled, isBounded, grow, clock: server.clock };
}

t.test('answers of their own', async (t) => {
  const { ask, isBounded } = await stage(t);
  await isBounded((client) => ask(client, 'POST /v1/own', 'content-length: 0\r\n'));
});

t.test('Server-Sent Events', async (t) => {
  const { ask, isBounded } = await stage(t);
  await isBounded((client) => ask(client, 'GET /v1/stream?path=/v1/large'));
});

/** A message of a client as a frame with the mask 0. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
function frame(message: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

const upgrade =
  'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

t.test('messages to a group of WebSockets, which are weighed once a second', async (t) => {
  const { ask, handled, grow, clock } = await stage(t);
  const sockets: net.Socket[] = [];
  for (let i = 0; i < 4; i++) {
    const socket = await ask('192.0.2.1', 'GET /v1/ws', upgrade);
    await handled();
    socket.write(frame({ op: 'subscribe', id: 1, path: '/v1/growing' }));
    await handled();
    sockets.push(socket);
  }
  await grow();
  await clock.advance(1_000);
  for (const socket of sockets) socket.resume();
  const open = () => sockets.filter(({ closed }) => !closed);
  await until(() => open().length === 1, 'one of the client has room');
  await until(() => Number(open()[0]?.bytesRead) > 16 * mebi, 'it has all');
});

t.test('messages by WebSocket', async (t) => {
  const { ask, handled, isBounded } = await stage(t);
  await isBounded(async (client) => {
    const socket = await ask(client, 'GET /v1/ws', upgrade);
    await handled();
    socket.write(frame({ op: 'subscribe', id: 1, path: '/v1/large' }));
    return socket;
  });
});

t.test(
  'bodies of one client leave room for others, and those without a key take none',
  async (t) => {
    const rows = [acting({ body: { type: 'object' }, access: 'key' })];
    const counters = new Counters(rows);
    const server = await startServer(t, rows, {
      counters,
      gate: gateOf({ good: alice }),
      bodies: { most: 10_000, ofClient: 1_500 },
      inFlightPerAddress: 2,
      trustedProxies: ['127.0.0.1'],
    });
    const upload = async (headers: string) => {
      const wire = await connect(server.port);
      t.teardown(() => wire.socket.destroy());
      wire.socket.write(`POST /act HTTP/1.1\r\nhost: x\r\ncontent-length: 2000\r\n${headers}\r\n`);
      wire.socket.write(' '.repeat(1_000));
      return wire;
    };
    const post = async (client: string) => {
      const headers = {
        'content-type': 'application/json',
        'x-api-key': 'good',
        'x-forwarded-for': client,
      };
      const body = `{}${' '.repeat(600)}`;
      return (await call(`${server.url}/act`, { method: 'POST', headers, body })).status;
    };
    const keyless = await Promise.all(
      Array.from({ length: 4 }, () => upload('x-forwarded-for: 192.0.2.1\r\n')),
    );
    t.equal(await post('192.0.2.1'), 201, 'uploads without a key take no place and no room');
    keyless[0]?.socket.write(' '.repeat(1_000));
    await until(() => keyless[0]?.received().startsWith('HTTP/1.1 401') === true, 'its answer');
    await upload('x-forwarded-for: 192.0.2.1\r\nx-api-key: good\r\n');
    await until(() => counters.inFlight.value === 1, 'a body is being read');
    t.equal(await post('192.0.2.1'), 503, 'the client has its share');
    t.equal(await post('192.0.2.2'), 201, 'another client has its own');
  },
);

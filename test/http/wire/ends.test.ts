/** Large bodies on a real socket whose client reads when it likes. */

import { App, type us_listen_socket, us_socket_local_port } from 'uWebSockets.js';
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { endBare, endLarge, type Sharing } from '../../../http/wire/ends.ts';
import { Held } from '../../../http/wire/held.ts';
import { until } from '../../support/until.ts';

const size = 16 * 2 ** 20;

/** A server whose answers are one body, and how much of it waits. */
async function setUp(t: Test, { sharing = 'none' as Sharing, closing = false, most = size } = {}) {
  const body = Buffer.alloc(size, 'a');
  const unsent = new Held({ most, ofClient: most });
  const app = App();
  app.get('/large', (res) => {
    res.cork(() => endLarge(res, body, { closing, sharing, unsent, clientOf: () => 'a' }));
  });
  app.get('/bare', (res) => {
    res.cork(() => endBare(res, closing));
  });
  const listening = await new Promise<us_listen_socket | false>((resolve) =>
    app.listen('127.0.0.1', 0, resolve),
  );
  if (!listening) throw new Error('no port');
  const port = us_socket_local_port(listening);
  const sockets: net.Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    app.close();
  });
  /** A client that has asked and reads nothing yet. */
  const ask = async (path = '/large') => {
    const socket = net.connect(port, '127.0.0.1').pause();
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return socket;
  };
  return { body, unsent, ask };
}

/** Reads on until a text of the head and so many bytes behind it have come. */
async function read(socket: net.Socket, length: number) {
  const chunks: Buffer[] = [];
  let head = -1;
  let received = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    received += chunk.length;
    if (head < 0) head = Buffer.concat(chunks).indexOf('\r\n\r\n');
    if (head >= 0 && received >= head + 4 + length) break;
  }
  const all = Buffer.concat(chunks);
  return { head: all.subarray(0, head).toString(), body: all.subarray(head + 4) };
}

for (const sharing of ['most', 'ends change', 'none'] as const) {
  t.test(`a body arrives whole, and counts while it waits: sharing ${sharing}`, async (t) => {
    const { body, unsent, ask } = await setUp(t, { sharing });
    const counted = sharing === 'most' ? 0 : size;
    const socket = await ask();
    if (counted > 0) await until(() => unsent.all === counted, 'it waits');
    const sent = Buffer.from(body);
    // Another answer with the same bytes sets its own time in them.
    if (sharing === 'ends change') body.fill('b');
    const { head, body: got } = await read(socket, size);
    t.equal(unsent.all, 0, 'nothing waits any more');
    t.match(head, new RegExp(`^HTTP/1.1 200 OK\\r\\n[^]*content-length: ${size}$`, 'i'));
    t.notMatch(head, /connection/i);
    t.ok(got.equals(sent));
    const gone = await ask();
    if (counted > 0) await until(() => unsent.all === counted, 'the next one waits');
    gone.destroy();
    await until(() => unsent.all === 0, 'a client that has gone takes none');
  });
}

t.test('a client whose answer would wait beyond the bound is disconnected', async (t) => {
  const { unsent, ask } = await setUp(t, { most: size - 1 });
  const socket = await ask();
  const { body } = await read(socket, size).catch(() => ({ body: Buffer.alloc(0) }));
  t.ok(body.length < size);
  t.equal(unsent.all, 0);
});

t.test('the end of a connection is announced, with a body and without one', async (t) => {
  const { ask } = await setUp(t, { closing: true });
  t.match((await read(await ask(), size)).head, /^connection: close$/m);
  t.match((await read(await ask('/bare'), 0)).head, /^connection: close$/m);
  const open = await setUp(t);
  const { head } = await read(await open.ask('/bare'), 0);
  t.notMatch(head, /connection/);
});

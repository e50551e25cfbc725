import { once } from 'node:events';
import { Readable } from 'node:stream';
import t from 'tap';
import { call, connect, echo, exchange, startServer } from '../support/http.ts';

const get = 'GET /v1/echo HTTP/1.1\r\nhost: x\r\n';
const statuses = (text: string) => text.match(/HTTP\/1\.1 \d+/g);

t.test('what uWebSockets.js itself refuses', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const send = (bytes: string) => exchange(server.port, bytes);
  const mute = async (bytes: string) => {
    const wire = await connect(server.port);
    t.teardown(() => wire.socket.destroy());
    wire.socket.write(bytes);
    return wire;
  };
  const close = 'connection: close\r\n\r\n';

  t.match(
    await send(`${get}x: ${'a'.repeat(3900)}\r\n${close}`),
    /^HTTP\/1.1 200/,
    'header block under 4 KiB',
  );
  t.match(await send(`${get}x: ${'a'.repeat(4100)}\r\n${close}`), /^HTTP\/1.1 431/, 'and over it');
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: b\r\n`).join('');
  t.match(await send(get + lines(90) + close), /^HTTP\/1.1 200/, '92 headers');
  t.match(await send(get + lines(110) + close), /^HTTP\/1.1 431/, 'more than 100 headers');
  t.match(await send('GET /v1/echo HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 505/, 'HTTP/1.0');
  t.match(
    await send('GET http://x/v1/echo HTTP/1.1\r\nhost: x\r\n\r\n'),
    /^HTTP\/1.1 505/,
    'absolute form',
  );
  const silent = await Promise.all(['GET /v1/echo HTTP/1.1\r\n\r\n', 'garbage\r\n\r\n'].map(mute));
  t.match(await send(`${get}${close}`), /^HTTP\/1.1 200/, 'and it still serves');
  t.same(
    silent.map((wire) => wire.received()),
    ['', ''],
    'no host, not HTTP: no answer at all',
  );
});

t.test('bodies', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const url = `${server.url}/v1/echo`;
  const post = (body: string | Readable, path = '') => call(url + path, { method: 'POST', body });
  const pieces = (count: number) =>
    Readable.from(Array.from({ length: count }, () => 'x'.repeat(1024)));
  const large = { status: 413, text: /"message":"the request body is larger than 64 KiB"/ };

  t.match(await post('x'.repeat(64 * 1024)), { status: 405 });
  t.match(await post('x'.repeat(100 * 1024)), large, 'by content-length');
  t.match(await post('x'.repeat(3 * 1024 * 1024), '/nothing'), large);
  t.match(await post(pieces(64)), { status: 405 }, 'chunked');
  t.match(await post(pieces(100)), large, 'chunked, by counting');
  t.equal((await call(url)).status, 200);

  const body = `POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n1`;
  const last = `${get}connection: close\r\n\r\n`;
  t.same(statuses(await exchange(server.port, body + last)), ['HTTP/1.1 405', 'HTTP/1.1 200']);

  const wire = await connect(server.port);
  wire.socket.write('POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n12345');
  wire.socket.destroy();
  await wire.closed;
  t.equal((await call(url)).status, 200, 'a client that leaves in its body does no harm');
});

t.test('requests in pieces and in one piece', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const send = async (pieces: Iterable<string>) => {
    const wire = await connect(server.port);
    wire.socket.setNoDelay(true);
    for (const piece of pieces) {
      wire.socket.write(piece);
      // By the time another connection has its answer, the server has read this piece.
      await call(`${server.url}/v1/echo`);
    }
    await wire.closed;
    return wire.received();
  };
  const line = 'GET /v1/echo HTTP/1.1\r\n';
  const rest = 'host: x\r\nconnection: close\r\n\r\n';
  t.match(await send([line, ...rest]), /^HTTP\/1.1 200/, 'headers byte by byte');
  t.match(
    await send(['GE', 'T /v1/ec', `ho HTTP/1.1\r\n${rest}`]),
    /^HTTP\/1.1 200/,
    'the path too',
  );
  const version = await send(['GET /v1/echo HT', `TP/1.1\r\n${rest}`]);
  t.match(version, /^HTTP\/1.1 505/, 'but the version has to come whole');
  const pipelined = await exchange(server.port, `${get}\r\n`.repeat(20) + line + rest);
  t.equal(statuses(pipelined)?.length, 21);
});

t.test('connections that say nothing, or not enough, are closed by the server', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const starts = [
    '',
    `${get}\r\n`,
    'POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n12',
  ];
  await Promise.all(
    starts.map(async (bytes) => {
      const { socket } = await connect(server.port);
      const closed = once(socket, 'close', { signal: AbortSignal.timeout(30_000) });
      socket.write(bytes);
      await t.resolves(closed, `after ${JSON.stringify(bytes.slice(0, 4))}`);
    }),
  );
});

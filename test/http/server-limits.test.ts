import { once } from 'node:events';
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

t.test('the limits of a URL', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const send = (target: string) =>
    exchange(server.port, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  t.match(await send(`/v1/echo?a=${'a'.repeat(3_900)}`), /^HTTP\/1.1 200/, 'under 4 KiB');
  t.match(await send(`/v1/echo?a=${'a'.repeat(4_100)}`), /^HTTP\/1.1 431/, 'over 4 KiB');
  t.match(await send(`/v1/echo?${'&'.repeat(3_000)}`), /^HTTP\/1.1 200/, 'empty parameters');
  t.match(await send('/v1/echo?a=%zz%00%'), /^HTTP\/1.1 200/, 'of unknown parameters');
  t.match(await send('/v1/ec\0ho'), /^HTTP\/1.1 505/, 'a control character');
  t.match(await send('/v1/%65cho'), /^HTTP\/1.1 404/, 'paths are compared byte by byte');
});

t.test('content lengths that do not match the body', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const post = (lines: string, body: string) =>
    exchange(server.port, `POST /v1/echo HTTP/1.1\r\nhost: x\r\n${lines}\r\n\r\n${body}`);
  for (const length of ['-1', 'abc', '99999999999999999999']) {
    t.match(await post(`content-length: ${length}`, 'abc'), /^HTTP\/1.1 400/, length);
  }
  const both = 'content-length: 3\r\ntransfer-encoding: chunked';
  t.match(await post(both, '0\r\n\r\n'), /^HTTP\/1.1 400/, 'two framings');
  t.match(await post('transfer-encoding: chunked', 'zz\r\nabc'), /^HTTP\/1.1 400/, 'bad chunk');
});

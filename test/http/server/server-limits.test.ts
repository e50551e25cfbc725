/** What uWebSockets.js itself takes and refuses. */
import t from 'tap';
import { call, connect, echo, exchange, startServer } from '../../support/http.ts';

const get = 'GET /v1/echo HTTP/1.1\r\nhost: x\r\n';
const close = 'connection: close\r\n\r\n';
const lines = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: b\r\n`).join('');
const to = (target: string) => `GET ${target} HTTP/1.1\r\nhost: x\r\n${close}`;
const post = (headers: string, body: string) =>
  `POST /v1/echo HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`;

const requests: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'headers under 4 KiB': [`${get}x: ${'a'.repeat(3_900)}\r\n${close}`, 200],
  'headers over 4 KiB': [`${get}x: ${'a'.repeat(4_100)}\r\n${close}`, 431],
  '92 headers': [get + lines(90) + close, 200],
  'more than 100 headers': [get + lines(110) + close, 431],
  'HTTP/1.0': ['GET /v1/echo HTTP/1.0\r\n\r\n', 505],
  'the absolute form': [to('http://x/v1/echo'), 505],
  'a URL under 4 KiB': [to(`/v1/echo?a=${'a'.repeat(3_900)}`), 200],
  'a URL over 4 KiB': [to(`/v1/echo?a=${'a'.repeat(4_100)}`), 431],
  'empty parameters': [to(`/v1/echo?${'&'.repeat(3_000)}`), 200],
  'unknown parameters': [to('/v1/echo?a=%zz%00%'), 200],
  'a control character': [to('/v1/ec\0ho'), 505],
  'a letter as its code': [to('/v1/%65cho'), 404],
  'a length below zero': [post('content-length: -1', 'abc'), 400],
  'a length in letters': [post('content-length: abc', 'abc'), 400],
  'a length of twenty digits': [post('content-length: 99999999999999999999', 'abc'), 400],
  'two framings': [post('content-length: 3\r\ntransfer-encoding: chunked', '0\r\n\r\n'), 400],
  'a bad chunk': [post('transfer-encoding: chunked', 'zz\r\nabc'), 400],
};

t.test('each request gets its status', async (t) => {
  const server = await startServer(t, [echo()]);
  for (const [name, [bytes, status]] of Object.entries(requests))
    t.equal((await exchange(server.port, bytes)).slice(0, 12), `HTTP/1.1 ${status}`, name);
  const silent = ['GET /v1/echo HTTP/1.1\r\n\r\n', 'garbage\r\n\r\n'].map(async (bytes) => {
    const wire = await connect(server.port);
    t.teardown(() => wire.socket.destroy());
    wire.socket.write(bytes);
    return wire;
  });
  const wires = await Promise.all(silent);
  t.match(await exchange(server.port, get + close), /^HTTP\/1.1 200/, 'it still serves');
  t.strictSame(
    wires.map((wire) => wire.received()),
    ['', ''],
    'no host, not HTTP: no answer at all',
  );
});

t.test('requests in pieces and in one piece', async (t) => {
  const server = await startServer(t, [echo()]);
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
  t.equal(pipelined.match(/HTTP\/1\.1 \d+/g)?.length, 21);
});

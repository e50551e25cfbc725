/** Requests that no row takes, and preflights. */
import { Readable } from 'node:stream';
import t from 'tap';
import { Counters, countOf } from '../../../http/endpoints/counters.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, connect, echo, exchange, startServer } from '../../support/http.ts';
import { memoryQuota } from '../../support/quota.ts';

const get = 'GET /v1/echo HTTP/1.1\r\nhost: x\r\n';

t.test('bodies that no row takes', async (t) => {
  const server = await startServer(t, [echo()]);
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
  const texts = (await exchange(server.port, body + last)).match(/HTTP\/1\.1 \d+/g);
  t.same(texts, ['HTTP/1.1 405', 'HTTP/1.1 200']);

  const wire = await connect(server.port);
  wire.socket.write('POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n12345');
  wire.socket.destroy();
  await wire.closed;
  t.equal((await call(url)).status, 200, 'a client that leaves in its body does no harm');
});

t.test('refusals and preflights are counted, with the lines of the quota', async (t) => {
  const clock = new FakeClock();
  const counters = new Counters([echo()], clock);
  const server = await startServer(t, [echo()], {
    counters,
    clock,
    quota: memoryQuota(clock).quota,
  });
  const url = `${server.url}/v1/echo`;
  const headers = { 'x-ratelimit-after': '60', allow: 'GET, HEAD, OPTIONS' };
  t.match(await call(url, { method: 'PUT' }), { status: 405, headers });
  t.match((await call(`${server.url}/v1/none`)).headers, { 'x-ratelimit-after': '60' });
  const granted = { ...headers, 'access-control-allow-methods': 'GET, HEAD' };
  t.match(await call(url, { method: 'OPTIONS' }), { status: 204, headers: granted });
  const counts = counters.snapshot().slice(0, 2);
  t.same(
    counts.map(({ statuses }) => statuses.map(countOf)),
    [
      [0, 1, 0, 0, 0],
      [0, 0, 0, 2, 0],
    ],
  );
  t.strictSame([counts[0]?.bytes, counters.inFlight.value], [0, 0]);
});

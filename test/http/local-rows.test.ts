import t from 'tap';
import { createIsLocal } from '../../http/quota/address.ts';
import { call, echo, startServer } from '../support/http.ts';

const rows = [echo({ path: '/metrics', local: true, free: true }), echo({ path: '/open' })];

t.test('a row for clients on this machine', async (t) => {
  const server = await startServer(rows);
  t.teardown(server.end);
  const url = `${server.url}/metrics`;
  t.equal((await call(url)).status, 200);
  t.equal((await call(url, { method: 'HEAD' })).status, 200);
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '198.51.100.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
  ]) {
    const { status, text } = await call(url, { headers });
    t.equal(status, 403, JSON.stringify(headers));
    t.match(JSON.parse(text), { status: 'error', message: /METRICS_PUBLIC=1/ });
    t.equal((await call(`${server.url}/open`, { headers })).status, 200, 'other rows are open');
  }
});

t.test('behind a trusted proxy', async (t) => {
  const server = await startServer(rows, { trustedProxies: ['127.0.0.1'] });
  t.teardown(server.end);
  const status = async (forwarded: string) =>
    (await call(`${server.url}/metrics`, { headers: { 'x-forwarded-for': forwarded } })).status;
  t.equal(await status('127.0.0.1'), 200);
  t.equal(await status('127.0.0.1, ::1'), 200);
  t.equal(await status('198.51.100.1'), 403);
  t.equal(await status('127.0.0.1, 198.51.100.1'), 403);
  t.equal(await status('198.51.100.1, 127.0.0.1'), 403);
  t.equal(await status('unix:'), 403, 'a text that is no address is not local');
});

t.test('told otherwise', async (t) => {
  const server = await startServer(rows, { publicMetrics: true });
  t.teardown(server.end);
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  t.equal((await call(`${server.url}/metrics`, { headers })).status, 200);
});

t.test('peers', async (t) => {
  const isLocal = createIsLocal(['10.0.0.1']);
  const from = (bytes: readonly number[], forwarded: readonly string[] = []) =>
    isLocal({ peer: new Uint8Array(bytes).buffer, forwarded: () => forwarded });
  const v6 = (...end: number[]) => [...Array<number>(16 - end.length).fill(0), ...end];
  t.equal(from([127, 0, 0, 1]), true);
  t.equal(from([127, 9, 9, 9]), true);
  t.equal(from(v6(1)), true);
  t.equal(from(v6(0xff, 0xff, 127, 0, 0, 1)), true, 'IPv4-mapped');
  t.equal(from([192, 0, 2, 1]), false);
  t.equal(from([10, 0, 0, 1], ['127.0.0.1']), false, 'another machine, trusted or not');
  t.equal(from(v6(2)), false);
  t.equal(from([127, 0, 0, 1], ['127.0.0.1']), false, 'a proxy here that is not trusted');
});

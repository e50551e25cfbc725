import t from 'tap';
import { call, echo, startServer } from '../../support/http.ts';

const rows = [echo({ path: '/metrics', local: true, free: true }), echo({ path: '/open' })];

t.test('a row for clients on this machine', async (t) => {
  const server = await startServer(t, rows);
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
  const server = await startServer(t, rows, { trustedProxies: ['127.0.0.1'] });
  const status = async (forwarded: string) =>
    (await call(`${server.url}/metrics`, { headers: { 'x-forwarded-for': forwarded } })).status;
  t.equal(await status('127.0.0.1'), 200);
  t.equal(await status('127.0.0.1, ::1'), 200);
  t.equal(await status('198.51.100.1'), 403);
  t.equal(await status('127.0.0.1, 198.51.100.1'), 403);
  t.equal(await status('198.51.100.1, 127.0.0.1'), 403);
  t.equal(await status('unix:'), 403, 'a text that is no address is not local');
});

t.test('a setting overrules the default', async (t) => {
  const server = await startServer(t, rows, { publicMetrics: true });
  for (const name of ['x-forwarded-for', 'via', 'forwarded', 'x-real-ip']) {
    const headers = { [name]: '198.51.100.1' };
    t.equal((await call(`${server.url}/metrics`, { headers })).status, 200, name);
  }
});

import t from 'tap';
import type { Health } from '../../../../http/routes/context.ts';
import { systemRoutes } from '../../../../http/routes/system.ts';
import { FakeClock } from '../../../support/clock.ts';
import { call, echo, startServer } from '../../../support/http.ts';

const clock = new FakeClock();
const state = {
  redis: 'down' as ReturnType<Health['redis']>,
  newest: null as number | null,
  missing: ['prices'],
};
const health: Health = {
  redis: () => state.redis,
  history: () => ({ state: 'failing', problem: 'the disk is full' }),
  newest: () => state.newest,
  ready: () => ({ ready: state.missing.length === 0, missing: state.missing }),
  uptime: () => 12.9,
};

t.test('system pages', async (t) => {
  const routes = [echo()];
  const collect = async () => '# TYPE x counter\nx 1\n';
  const pages = systemRoutes({ routes, version: '1.2.3', health, collect, clock });
  const server = await startServer([...routes, ...pages], { clock });
  t.teardown(server.end);
  const get = async (path: string) => {
    const { status, headers, text } = await call(server.url + path);
    return { status, headers, json: JSON.parse(text) };
  };

  t.test('liveness is 200 whatever is down', async (t) => {
    const { status, json } = await get('/healthz');
    t.equal(status, 200);
    t.same(json, {
      status: 'ok',
      timestamp: clock.now(),
      data: {
        redis: 'down',
        history: { state: 'failing', problem: 'the disk is full' },
        newest_reading_age_ms: null,
        uptime_s: 12,
        version: '1.2.3',
      },
    });
    state.redis = 'up';
    state.newest = clock.now() - 250;
    t.match((await get('/healthz')).json.data, { redis: 'up', newest_reading_age_ms: 250 });
    state.redis = 'read_only';
    t.match(await get('/healthz'), { status: 200, json: { data: { redis: 'read_only' } } });
  });

  t.test('readiness is 503 until every view has data', async (t) => {
    const cold = await get('/readyz');
    t.equal(cold.status, 503);
    t.equal(cold.headers['retry-after'], '5');
    t.equal(cold.json.message, 'warming up, no data yet for: prices');
    state.missing = [];
    t.match(await get('/readyz'), { status: 200, json: { data: { ready: true } } });
  });

  t.test('the API as text', async (t) => {
    const { status, headers, text } = await call(`${server.url}/llms.txt`);
    t.equal(status, 200);
    t.equal(headers['content-type'], 'text/plain; charset=utf-8');
    t.match(text, '- GET /v1/echo: The values. Open.');
  });

  t.test('metrics', async (t) => {
    const { status, headers, text } = await call(`${server.url}/metrics`);
    t.equal(status, 200);
    t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/);
    t.equal(text, '# TYPE x counter\nx 1\n');
  });

  t.test('the documentation lists every row', async (t) => {
    const { status, headers, json } = await get('/openapi.json');
    t.equal(status, 200);
    t.equal(headers['content-type'], 'application/json');
    t.same(Object.keys(json.paths), [
      '/v1/echo',
      '/openapi.json',
      '/metrics',
      '/healthz',
      '/readyz',
      '/',
      '/docs',
      '/llms.txt',
      '/.well-known/security.txt',
      '/v1/stream',
      '/v1/ws',
    ]);
  });

  t.test(
    'none of them counts against a quota: probes and readers of the reference go on',
    async (t) => {
      t.same(
        pages.filter((page) => page.free !== true),
        [],
      );
    },
  );

  t.test('security.txt is there when there is a contact', async (t) => {
    t.equal((await call(`${server.url}/.well-known/security.txt`)).status, 404);
    const context = { routes, version: '1', health, collect, clock };
    const named = await startServer(
      systemRoutes({ ...context, securityContact: 'mailto:security@example.org' }),
      { clock },
    );
    t.teardown(named.end);
    const { status, headers, text } = await call(`${named.url}/.well-known/security.txt`);
    t.equal(status, 200);
    t.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line): [string, string] => [line.split(': ')[0] ?? '', line.replace(/^.*?: /, '')]),
    );
    t.equal(fields.get('Contact'), 'mailto:security@example.org');
    const left = Date.parse(fields.get('Expires') ?? '') - clock.now();
    t.ok(left > 0 && left < 365 * 86_400_000, 'it expires within a year (RFC 9116, 2.5.5)');
  });
});

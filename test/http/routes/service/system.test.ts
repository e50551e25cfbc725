import t from 'tap';
import { systemRoutes } from '../../../../http/routes/system.ts';
import type { Health } from '../../../../http/views/health.ts';
import { apiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';
import { acting, call, echo, reads, startServer } from '../../../support/http.ts';

const clock = new FakeClock();
const view = () => apiError('unknown_symbol', 'no such symbol');
const state = {
  redis: 'down' as ReturnType<Health['redis']>,
  newest: null as number | null,
  missing: ['prices'],
};
const health: Health = {
  listen: () => () => {},
  redis: () => state.redis,
  redisProblem: () => 'it was emptied',
  redisServers: () => [{ setting: 'REDIS_BUS_URL', state: 'down', problem: 'start it' }],
  redisLatency: () => ({ p50_ms: 2, p99_ms: 640 }),
  history: () => ({ state: 'failing', problem: 'the disk is full' }),
  clocks: () => [{ host: 'far', ahead_ms: 3_600_000 }],
  data: () => 'live' as const,
  newest: () => state.newest,
  ready: () => ({ ready: state.missing.length === 0, missing: state.missing }),
  uptime: () => 12.9,
};

/** Access is open, and there are no exchanges. */
const rest = { keys: null, registry: [] };

t.test('system pages', async (t) => {
  const id = { type: 'string', required: true, description: '' } as const;
  const q = { type: 'string', description: '' } as const;
  const removal = { method: 'DELETE', path: '/v1/auth/{id}', access: 'bearer' } as const;
  const routes = [
    ...[echo(), echo({ path: '/v1/k', access: 'key' })],
    acting({ ...removal, params: { id, q } }),
  ];
  const collect = async () => '# TYPE x counter\nx 1\n';
  const pages = systemRoutes({ routes, version: '1.2.3', health, ...rest, collect, clock });
  const server = await startServer(t, [...routes.slice(0, 1), ...pages], { clock });
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
        data: 'live',
        redis: 'down',
        redis_problem: 'it was emptied',
        redis_servers: [{ setting: 'REDIS_BUS_URL', state: 'down', problem: 'start it' }],
        redis_latency: { p50_ms: 2, p99_ms: 640 },
        history: { state: 'failing', problem: 'the disk is full' },
        clocks: [{ host: 'far', ahead_ms: 3_600_000 }],
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
    state.redis = 'slow';
    t.match(await get('/healthz'), { status: 200, json: { data: { redis: 'slow' } } });
  });

  t.test('readiness is 503 until every view has data', async (t) => {
    const cold = await get('/readyz');
    t.equal(cold.status, 503);
    t.equal(cold.headers['retry-after'], '5');
    t.equal(cold.json.message, 'warming up, no data yet for: prices');
    state.missing = [];
    t.match(await get('/readyz'), { status: 200, json: { data: { ready: true } } });
  });

  t.test('pages: what they are, and for how long they are kept', async (t) => {
    const context = { routes, version: '1', health, ...rest, collect, clock };
    const mail = 'mailto:security@example.org';
    const named = await startServer(t, systemRoutes({ ...context, securityContact: mail }), {
      clock,
    });
    const of = async (url: string) => {
      const { status, headers, text } = await call(url);
      t.equal((await call(url)).text, text, 'the same again');
      return [status, headers['content-type'], headers['cache-control'], text];
    };
    const plain = 'text/plain; charset=utf-8';
    const security = '/.well-known/security.txt';
    const [, , , llms = ''] = await of(`${server.url}/llms.txt`);
    t.strictSame(await of(`${server.url}/llms.txt`), [200, plain, 'public, max-age=300', llms]);
    t.match(llms, '\n## Service\n\n- GET /v1/echo: The values. Open.\n- GET /v1/k: The values.\n');
    t.match(
      llms,
      '\n## Keys\n\n- DELETE /v1/auth/{id}: The values. Parameters: id, q?. Bearer token.\n',
    );
    t.strictSame(await of(`${server.url}/metrics`), [
      ...[200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store'],
      '# TYPE x counter\nx 1\n',
    ]);
    t.equal((await call(server.url + security)).status, 404, 'without a contact');
    const expires = new Date(clock.now() + 360 * 86_400_000).toISOString();
    t.strictSame(await of(named.url + security), [
      ...[200, plain, 'public, max-age=86400'],
      `Contact: ${mail}\nExpires: ${expires}\nPreferred-Languages: en\n`,
    ]);
    const [status, type, cache, text] = await of(`${server.url}/openapi.json`);
    t.strictSame([status, type, cache], [200, 'application/json', 'public, max-age=300']);
    t.strictSame(Object.keys(JSON.parse(String(text)).paths), [
      ...['/v1/echo', '/v1/k', '/v1/auth/{id}', '/openapi.json', '/metrics', '/healthz', '/readyz'],
      ...['/', '/app', '/docs', '/llms.txt', security, '/v1/stream', '/v1/ws'],
      '/compat/hyperliquid/ws',
    ]);
  });
});

t.test('simulated data are named in every answer', async (t) => {
  const rows = [
    echo({ access: 'open' }),
    echo({ path: '/v1/no', access: 'open', from: reads(view) }),
  ];
  const pages = systemRoutes({
    routes: rows,
    version: '1',
    clock,
    ...rest,
    collect: async () => '',
    health: { ...health, data: () => 'simulated' },
  });
  const demo = await startServer(t, [...rows, ...pages], { simulated: true });
  const real = await startServer(t, rows);
  const named = async (url: string, init = {}) =>
    (await call(url, init)).headers['x-tidemark-data'];
  const paths = [
    '/v1/echo',
    '/v1/no',
    '/v1/unknown',
    '/',
    '/app',
    '/docs',
    '/healthz',
    '/v1/stream',
  ];
  for (const path of paths) {
    t.equal(await named(demo.url + path), 'simulated', path);
    t.equal(await named(real.url + path), undefined, path);
  }
  t.equal(await named(`${demo.url}/v1/echo`, { method: 'OPTIONS' }), 'simulated');
  t.equal(await named(`${demo.url}/v1/echo`, { method: 'POST' }), 'simulated');
  t.equal(JSON.parse((await call(`${demo.url}/healthz`)).text).data.data, 'simulated');
});

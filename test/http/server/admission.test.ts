import t, { type Test } from 'tap';
import type { KeyRecord } from '../../../http/auth/caller.ts';
import { Keys } from '../../../http/auth/keys.ts';
import type { ListedKey } from '../../../http/auth/listed.ts';
import { usageRoutes } from '../../../http/routes/usage.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  call,
  connect,
  echo,
  later,
  type Reply,
  reads,
  ready,
  startServer,
} from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';

const bob = { account: 'bob', plan: 'pro', key: null } as const;
/** As the key that `npm start` prints. */
const own = { account: 'local', plan: 'local', key: 'k7' } as const;
const slow = { ...alice, account: 'carol', key: 'k9' };
const snapshot = ready('"data"');

/** A server with a row of every kind behind a gate and quotas; `get` gives what counts of an answer. */
async function setUp(t: Test) {
  const clock = new FakeClock();
  const made = memoryQuota(clock);
  const gate = gateOf({ good: alice, 'slow-good': slow, own, token: bob });
  const listed = (id: string, name: string, revoked: boolean): ListedKey => ({
    id,
    name,
    revoked,
    prefix: 'tm_live_x',
    kind: 'live',
    paths: null,
    created_at: 1,
    last_used_at: 2,
    requests_today: 3,
    ends_at: null,
    plan: 'free',
    status: revoked ? 'revoked' : 'active',
    revoked_at: revoked ? 5 : null,
  });
  const all = [listed('k7', 'first', false), listed('k8', 'second', true)];
  const keys = Object.assign(Object.create(Keys.prototype), { list: async () => all });
  const rows = [
    echo({ path: '/data', access: 'key', from: reads(() => snapshot) }),
    echo({ path: '/ask', access: 'key', from: later(async () => snapshot) }),
    echo({ path: '/dex', access: 'key', budget: 'dex', from: reads(() => snapshot) }),
    echo({ path: '/open' }),
    echo({ path: '/free', free: true }),
    echo({
      path: '/busy',
      from: reads(() => apiError('warming_up', 'wait', { retryAfter: 7 })),
    }),
    echo({
      path: '/me',
      access: 'bearer',
      from: { act: async ({ caller }) => ({ status: 200, data: caller }) },
    }),
    echo({
      method: 'POST',
      path: '/many',
      access: 'key',
      from: { act: async ({ count }) => (await count(9)) ?? { status: 200, data: null } },
    }),
    echo({
      method: 'POST',
      path: '/open-many',
      from: { act: async ({ count }) => (await count(9)) ?? { status: 200, data: null } },
    }),
    echo({ path: '/local', local: true }),
    ...usageRoutes({ quota: made.quota, keys, clock }),
  ];
  const { quota } = made;
  const server = await startServer(t, rows, { clock, gate, quota, trustedProxies: ['127.0.0.1'] });
  const get = (
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) => call(server.url + path, { headers, method });
  return { ...made, clock, server, get };
}

const messageOf = ({ text }: Reply) => JSON.parse(text).message;
const good = { 'x-api-key': 'good' };

t.test('credentials', async (t) => {
  const { get } = await setUp(t);
  const none = await get('/data');
  t.match(none, { status: 401, headers: { 'www-authenticate': 'ApiKey realm="Tidemark"' } });
  t.equal(messageOf(none), 'an API key is required in the header X-API-Key');
  t.match(await get('/data', { 'x-api-key': 'bad' }), { status: 401 });
  t.match(await get('/data', { 'x-api-key': 'slow-bad' }), { status: 401 });
  t.match(await get('/ask', { 'x-api-key': 'bad' }), { status: 401 });
  t.match(await get('/data', { authorization: 'Bearer token' }), { status: 401 });
  t.match(await get('/data', good), { status: 200, text: /"data"/ });
  t.match(await get('/data', { 'x-api-key': 'slow-good' }), { status: 200 });
  t.match(await get('/ask', good), { status: 200 });
  t.match(await get('/data', good, 'HEAD'), { status: 200, text: '' });
  t.match(await get('/data', {}, 'HEAD'), { status: 401, text: '' });

  const refused = await get('/me', good);
  t.match(refused, { status: 401, headers: { 'www-authenticate': 'Bearer realm="Tidemark"' } });
  t.match(await get('/me', { authorization: 'Bearer nobody' }), { status: 401 });
  const me = await get('/me', { authorization: 'Bearer token' });
  t.match(me, { status: 200, headers: { 'cache-control': 'no-store' } });
  t.same(JSON.parse(me.text).data, bob);
});

t.test('every answer tells how the quota stands', async (t) => {
  const { get, server, clock } = await setUp(t);
  await get('/data', good);
  await clock.advance(17_500);
  const answers = {
    200: await get('/data', good),
    'an ask': await get('/ask', good),
    304: await get('/data', { ...good, 'if-none-match': snapshot.etag }),
    400: await get('/data?limit=x', good),
    401: await get('/data'),
    404: await get('/nothing'),
    503: await get('/busy'),
    HEAD: await get('/data', good, 'HEAD'),
    free: await get('/free'),
    act: await get('/me', { authorization: 'Bearer token' }),
    405: await call(`${server.url}/open`, { method: 'DELETE' }),
    413: await call(`${server.url}/open`, { method: 'POST', body: 'x'.repeat(70_000) }),
    preflight: await call(`${server.url}/open`, { method: 'OPTIONS' }),
    403: await get('/local', { via: '1.1 proxy' }),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    t.match(headers['x-ratelimit-after'], /^\d+$/, name);
    const after = name === '503' ? '7' : headers['x-ratelimit-after'];
    t.equal(headers['retry-after'], after, `${name}: once, and the quota's but on 503`);
    t.match(headers.ratelimit, /^"default";r=\d+;t=\d+$/, name);
    t.match(headers['ratelimit-policy'], /^"default";q=\d+;w=60$/, name);
    t.equal(headers['x-content-type-options'], 'nosniff', name);
  }
  t.match(answers[200].headers, {
    ratelimit: '"default";r=58;t=43',
    'ratelimit-policy': '"default";q=60;w=60',
    'retry-after': '43',
  });
  t.match(answers.act.headers, { 'ratelimit-policy': '"default";q=600;w=60' });
  t.match(answers[401].headers, { ratelimit: '"default";r=60;t=60' });
});

t.test('429', async (t) => {
  const { get, clock } = await setUp(t);
  const codes = [];
  for (let i = 0; i < 61; i++) codes.push((await get(i % 2 ? '/data' : '/ask', good)).status);
  t.same(codes.splice(0, 60), Array(60).fill(200));
  t.same(codes, [429]);
  const refused = await get('/data', good);
  t.equal(messageOf(refused), 'the 60 requests a minute of your plan are used up');
  t.match(refused.headers, { ratelimit: '"default";r=0;t=60', 'cache-control': 'no-store' });
  t.match(await get('/data', { 'x-api-key': 'slow-good' }), { status: 200 }, 'another account');
  const usage = await get('/v1/usage', good);
  t.same(JSON.parse(usage.text).data, {
    account: 'alice',
    plan: 'free',
    limit: 60,
    used: 60,
    remaining: 0,
    resets_at: clock.now() + 60_000,
    keys: [
      { id: 'k7', name: 'first', used: 0, requests_today: 3 },
      { id: 'k1', name: null, used: 60, requests_today: null },
    ],
  });
  await clock.advance(60_000);
  t.match(await get('/data', good), { status: 200 });
});

t.test(
  'a 304 costs nothing out of memory, and counts where another process was asked',
  async (t) => {
    const { get, quota } = await setUp(t);
    await get('/data', good);
    const headers = { ...good, 'if-none-match': snapshot.etag };
    for (let i = 0; i < 40; i++) {
      t.match(await get('/data', headers), {
        status: 304,
        headers: { ratelimit: '"default";r=59;t=60' },
      });
    }
    for (const left of [58, 57, 56]) {
      t.match(await get('/ask', headers), {
        status: 304,
        headers: { ratelimit: `"default";r=${left};t=60` },
      });
    }
    t.match(
      await get('/data', { ...good, 'if-none-match': '*' }),
      { status: 200 },
      '* names no tag',
    );
    t.equal((await quota.usage(alice))?.used, 5);
  },
);

t.test('a request that counts as several, and one without a key', async (t) => {
  const { get, server, quota } = await setUp(t);
  await get('/me', { authorization: 'Bearer token' });
  t.strictSame([...((await quota.usage(bob))?.keys ?? [])], [], 'it is of none');
  const many = () => call(`${server.url}/many`, { method: 'POST', headers: good });
  for (let i = 0; i < 5; i++) t.equal((await many()).status, 200);
  t.equal((await quota.usage(alice))?.used, 50);
  for (let i = 0; i < 4; i++) t.equal((await get('/data', good)).status, 200);
  const refused = await many();
  t.equal((await quota.usage(alice))?.used, 55, 'of the further ones none');
  t.equal(refused.status, 429);
  t.equal(messageOf(refused), 'the 60 requests a minute of your plan are used up');
  const open = () => call(`${server.url}/open-many`, { method: 'POST' });
  for (let i = 0; i < 6; i++) t.equal((await open()).status, 200);
  t.equal(messageOf(await open()), 'the 60 requests a minute of your address are used up');
});

t.test('rows without a key count by client address', async (t) => {
  const { get, store } = await setUp(t);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let i = 0; i < 60; i++) await get('/open', from('198.51.100.1'));
  const refused = await get('/open', from('198.51.100.1'));
  t.equal(refused.status, 429);
  t.equal(messageOf(refused), 'the 60 requests a minute of your address are used up');
  t.match(await get('/open', from('198.51.100.2')), { status: 200 });
  t.match(await get('/data', { ...good, ...from('198.51.100.1') }), { status: 200 });
  const unauthorized = await get('/data', from('198.51.100.1'));
  t.match(unauthorized, { status: 401, headers: { ratelimit: '"default";r=0;t=60' } });

  for (let i = 0; i < 70; i++) await get(i % 2 ? '/free' : '/nothing', from('198.51.100.3'));
  t.match(await get('/free', from('198.51.100.3')), {
    status: 200,
    headers: { ratelimit: '"default";r=60;t=60' },
  });
  t.notOk(
    store.settled.some(({ subject }) => subject.endsWith('.3')),
    'free rows count nowhere',
  );
});

t.test('a key that is sent to a row without a key counts with its plan', async (t) => {
  const { get, store, quota } = await setUp(t);
  for (let i = 0; i < 60; i++) await get('/open');
  const used = await get('/open');
  t.equal(messageOf(used), 'the 60 requests a minute of your address are used up');
  t.match(await get('/open', good), { status: 200, headers: { ratelimit: '"default";r=59;t=60' } });
  t.match(await get('/open', { 'x-api-key': 'slow-good' }), { status: 200 });
  t.match(await get('/open', { 'x-api-key': 'own' }), { status: 200 });
  t.equal((await quota.usage(alice))?.used, 1);
  for (let i = 0; i < 59; i++) await get(i % 2 ? '/open' : '/data', good);
  const refused = await get('/open', good);
  t.equal(refused.status, 429);
  t.equal(messageOf(refused), 'the 60 requests a minute of your plan are used up');

  const from = { 'x-forwarded-for': '198.51.100.7' };
  t.match(await get('/open', { ...good, ...from }), { status: 429 }, 'whatever its address');
  t.match(await get('/open', from), { status: 200, headers: { ratelimit: '"default";r=59;t=60' } });
  for (const key of ['bad', 'slow-bad']) {
    t.match(await get('/open', { 'x-api-key': key, ...from }), { status: 200 }, 'as without a key');
  }
  t.match((await get('/free', from)).headers, { ratelimit: '"default";r=57;t=60' });
  const settled = store.settled.length;
  t.match(await get('/free', { 'x-api-key': 'slow-good' }), { status: 200 });
  t.equal(store.settled.length, settled, 'rows that count nowhere do not ask Redis');
});

t.test('a plan without a limit', async (t) => {
  const { get, store } = await setUp(t);
  const headers = { 'x-api-key': 'own' };
  const limits = { 'x-ratelimit-after': '0', 'retry-after': '0' };
  for (let i = 0; i < 700; i++) {
    const { status } = await get(i % 2 ? '/data' : '/ask', headers);
    if (status !== 200) t.fail(`status ${status}`);
  }
  const answer = await get('/data', headers);
  t.match(answer.headers, limits, 'the headers of the specification are there');
  t.notOk('ratelimit' in answer.headers || 'ratelimit-policy' in answer.headers);
  t.match((await get('/data', { ...headers, 'if-none-match': snapshot.etag })).headers, limits);
  t.match((await get('/data?limit=x', headers)).headers, limits);
  const busy = { status: 503, headers: { 'x-ratelimit-after': '0', 'retry-after': '7' } };
  t.match(await get('/busy', headers), busy);
  t.equal(store.settled.length, 0, 'and Redis is never asked');
  const usage = await get('/v1/usage', headers);
  t.same(JSON.parse(usage.text).data, {
    account: 'local',
    plan: 'local',
    limit: null,
    used: null,
    remaining: null,
    resets_at: null,
    keys: [{ id: 'k7', name: 'first', used: null, requests_today: 3 }],
  });
});

t.test('without a gate and quotas', async (t) => {
  const rows = [
    echo({ path: '/data', access: 'key' }),
    ...usageRoutes({ quota: null, keys: null, clock: new FakeClock() }),
  ];
  const server = await startServer(t, rows);
  const { status, headers } = await call(`${server.url}/data`);
  t.equal(status, 200);
  t.notOk('ratelimit' in headers || 'retry-after' in headers);
  t.match(await call(`${server.url}/v1/usage`), { status: 404 });
});

t.test('the usage is unknown while Redis is away', async (t) => {
  const { get, store } = await setUp(t);
  await get('/data', good);
  store.state = 'away';
  t.match(await get('/v1/usage', good), { status: 503 });
  t.match(await get('/data', good), { status: 200 });
});

t.test('a budget of its own: used up before the plan is, and of one account only', async (t) => {
  const { get, clock } = await setUp(t);
  const slowGood = { 'x-api-key': 'slow-good' };
  for (let i = 0; i < 30; i++) t.equal((await get('/dex', good)).status, 200);
  const refused = await get('/dex', good);
  t.match(refused, { status: 429, headers: { 'ratelimit-policy': '"default";q=30;w=60' } });
  t.match(messageOf(refused), /the 30 DEX searches a minute that your account has are used up/);
  t.match(await get('/data', good), { status: 200, headers: { ratelimit: /;r=29;/ } });
  t.equal((await get('/dex', slowGood)).status, 200, 'another account has its own');
  await clock.advance(61_000);
  t.equal((await get('/dex', good)).status, 200, 'a new window');
});

t.test(
  'the keys of an account have one quota, also after it was dropped and begun again',
  async (t) => {
    const clock = new FakeClock();
    const { quota } = memoryQuota(clock);
    const records = new Map<string, KeyRecord>();
    const lookUp = (key: string) =>
      records.set(key, { caller: { ...alice, key }, allowance: null });
    for (const key of ['one', 'two']) lookUp(key);
    const gate = { ...gateOf({}), known: (key: string) => records.get(key) ?? null };
    const rows = ['key', 'open'] as const;
    const server = await startServer(
      t,
      rows.map((access) => echo({ path: `/${access}`, access })),
      { clock, gate, quota },
    );
    const left = async (key: string, path = 'key') => {
      const { headers } = await call(`${server.url}/${path}`, { headers: { 'x-api-key': key } });
      return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    };
    for (const _ of ['first', 'second', 'third'] as const) {
      const both = [await left('one'), await left('two'), await left('one', 'open')];
      t.strictSame(both, [59, 58, 57]);
      // The second key is the first of the next window, after it was looked up again.
      lookUp('two');
      await clock.advance(70_000);
      t.equal(await left('two'), 59);
      await clock.advance(70_000);
    }
  },
);

t.test('clients that leave while they are looked up do no harm', async (t) => {
  const found = Promise.withResolvers<typeof alice>();
  const gate = { ...gateOf({}), byKey: () => found.promise };
  const server = await startServer(t, [echo({ access: 'key' })], { gate });
  const wire = await connect(server.port);
  wire.socket.write('GET /v1/echo HTTP/1.1\r\nhost: x\r\nx-api-key: a\r\n\r\n');
  const other = call(`${server.url}/v1/echo`, { headers: { 'x-api-key': 'b' } });
  await call(`${server.url}/nothing`);
  wire.socket.destroy();
  await wire.closed;
  found.resolve(alice);
  t.match(await other, { status: 200 });
});

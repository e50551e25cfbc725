/** Keys and tokens over HTTP, as a client sees them. */
import t, { type Test } from 'tap';
import { generateKey } from '../../../http/auth/api-key.ts';
import { authRoutes } from '../../../http/routes/auth.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, startServer } from '../../support/http.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { join, type Member, sign, signingKey, startProvider } from './world.ts';

async function world(t: Test) {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const clock = new FakeClock(Date.now());
  const members = [join(t, redis, { provider, clock }), join(t, redis, { provider, clock })];
  await Promise.all(members.map(({ following }) => following));
  const serve = async ({ auth }: Member) => {
    const routes = [...authRoutes({ keys: auth.keys }), echo({ access: 'key' })];
    const server = await startServer(t, routes, { clock, gate: auth.gate });
    return server.url;
  };
  const [one = '', two = ''] = await Promise.all(members.map(serve));
  const bearer = async (sub: string, plan?: string) =>
    `Bearer ${await sign(signer, clock.now(), { sub, plan })}`;
  return { redis, clock, one, two, bearer };
}

const json = (text: string): Record<string, never> => JSON.parse(text);
const statusWith = async (url: string, key: string) =>
  (await call(`${url}/v1/echo`, { headers: { 'x-api-key': key } })).status;

t.test('from a token to a key to data, and back', async (t) => {
  const { one, two, bearer } = await world(t);
  const authorization = await bearer('alice');
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'k1' };
  const keys = `${one}/v1/auth/keys`;
  const post = { method: 'POST', headers, body: '{"name":"bot"}' } as const;
  const made = await call(keys, post);
  t.equal(made.status, 201);
  t.equal(made.headers['cache-control'], 'no-store');
  const { id, key } = Object(json(made.text).data);
  const again = await call(keys, post);
  t.equal(again.status, 200);
  t.match(json(again.text), { status: 'ok', data: { id, key: null } });

  t.equal(await statusWith(one, key), 200);
  t.equal(await statusWith(two, key), 200);
  t.equal(await statusWith(two, generateKey()), 401, 'an unknown key');
  t.equal(await statusWith(two, `${key}x`), 401, 'a malformed key');
  t.equal((await call(`${two}/v1/echo`)).status, 401, 'no key');
  t.equal((await call(`${two}/v1/echo`, { headers: { authorization } })).status, 401, 'a token');
  const listed = await call(keys, { headers: { authorization } });
  t.notOk(listed.text.includes(key));
  t.match(json(listed.text).data, [{ id, name: 'bot', status: 'active' }]);

  const path = `${two}/v1/auth/keys/${id}`;
  const foreign = { method: 'DELETE', headers: { authorization: await bearer('bob') } } as const;
  t.equal((await call(path, foreign)).status, 404);
  const own = { method: 'DELETE', headers: { authorization } } as const;
  t.equal((await call(path, own)).status, 200);
  t.equal((await call(path, own)).status, 404);
  t.equal(await statusWith(two, key), 401, 'at once where it was revoked');
  await until(async () => (await statusWith(one, key)) === 401, 'elsewhere by the stream');
});

t.test('bad requests', async (t) => {
  const { one, clock, bearer } = await world(t);
  const authorization = await bearer('alice');
  const post = (body: string, more: Record<string, string> = {}) => {
    const headers = { authorization, 'content-type': 'application/json', ...more };
    return call(`${one}/v1/auth/keys`, { method: 'POST', headers, body });
  };
  for (const body of ['', '{', '{}', '{"name":5}', '[]', '{"name":" "}', '{"name":"a\\u0000b"}']) {
    t.equal((await post(body)).status, 400, body);
  }
  t.match((await post('{"name":5}')).text, /name/, 'the parameter is named');
  t.equal((await post('{"name":"x"}', { authorization: 'Bearer x.y.z' })).status, 401);
  t.equal((await call(`${one}/v1/auth/me`)).status, 401);
  t.equal(
    (await call(`${one}/v1/auth/me`, { headers: { authorization: 'Basic YTpi' } })).status,
    401,
  );
  const me = await call(`${one}/v1/auth/me`, { headers: { authorization } });
  const first = json(me.text).data;
  const profile = { id: 'alice', plan: 'free', rate_limit: 60, created_at: clock.now() };
  t.match(first, { ...profile, key_count: 0 });
  await clock.advance(60_000);
  const later = await call(`${one}/v1/auth/me`, { headers: { authorization } });
  t.same(json(later.text).data, first, 'the time of creation stays');
});

t.test('with Redis away: what is in memory serves for 30 s, then 503', async (t) => {
  const { redis, clock, one, bearer } = await world(t);
  const authorization = await bearer('alice');
  const headers = { authorization, 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: '{"name":"bot"}' } as const;
  const { key } = Object(json((await call(`${one}/v1/auth/keys`, post)).text).data);
  t.equal(await statusWith(one, key), 200);
  await redis.kill();
  await clock.advance(29_999);
  t.equal(await statusWith(one, key), 200);
  await clock.advance(1);
  t.equal(await statusWith(one, key), 503);
  t.equal((await call(`${one}/v1/auth/keys`, post)).status, 503);
});

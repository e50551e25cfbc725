/** Sessions of browsers over HTTP, as a browser sends them. */
import t, { type Test } from 'tap';
import { issueCode } from '../../../http/auth/issue.ts';
import { mostSessions } from '../../../http/auth/scripts.ts';
import { authRoutes } from '../../../http/routes/auth.ts';
import { sessionRoutes } from '../../../http/routes/session.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { sessionOf } from '../../../http/wire/session-cookie.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, startServer } from '../../support/http.ts';
import { gateOf } from '../../support/quota.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { join, type Member, rawClient, sign, signingKey, startProvider } from './world.ts';

const silent = { info() {}, warn() {}, error() {} };

async function world(t: Test) {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const clock = new FakeClock(Date.now());
  const members = [join(t, redis, { provider, clock }), join(t, redis, { provider, clock })];
  await Promise.all(members.map(({ following }) => following));
  const serve = async ({ auth }: Member) => {
    const { keys, gate } = auth;
    const rows = [...authRoutes({ keys }), ...sessionRoutes({ keys })];
    const server = await startServer(t, [...rows, echo({ access: 'key' })], { clock, gate });
    return server.url;
  };
  const [one = '', two = ''] = await Promise.all(members.map(serve));
  const code = () =>
    issueCode({
      redisUrl: redis.url,
      account: 'local',
      plan: 'local',
      name: 'test',
      log: silent,
    });
  const token = async (claims = {}) => `Bearer ${await sign(signer, clock.now(), claims)}`;
  return { redis, clock, one, two, code, token };
}

/** The status, the cookie as the browser sends it back, and its attributes. */
function session({ status, text, headers }: Awaited<ReturnType<typeof call>>) {
  const [cookie = '', ...attributes] = String(headers['set-cookie'] ?? '').split('; ');
  return { status, text, cookie, attributes };
}

/** Signs in with a code. */
async function signIn(url: string, code: string, origin = url) {
  const headers = { 'content-type': 'application/json', origin };
  const body = JSON.stringify({ code });
  return session(await call(`${url}/v1/auth/session`, { method: 'POST', headers, body }));
}

const named = (cookie: string) => ({ 'x-api-key': 'session', cookie });
const accountOf = async (url: string, cookie: string) =>
  JSON.parse((await call(`${url}/v1/auth/session`, { headers: named(cookie) })).text).data.account;

t.test('a code signs one browser in, and its session is a key for the pages alone', async (t) => {
  const { redis, one, two, code } = await world(t);
  const link = await code();
  const { status, text, cookie, attributes } = await signIn(one, link);
  t.equal(status, 201);
  t.match(JSON.parse(text).data, { account: 'local', expires_at: Number });
  t.strictSame(attributes, ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=2592000']);
  const secret = cookie.split('=')[1] ?? '';
  t.notOk(text.includes(secret), 'a script never sees it');
  const secure = await signIn(one, await code(), 'https://tidemark.example');
  t.equal(secure.attributes.at(-1), 'Secure', 'by https it is never sent without');
  t.equal((await signIn(two, link)).status, 401, 'a code works once');
  t.equal((await signIn(one, 'x'.repeat(32))).status, 401, 'one that nobody issued');

  const echoed = async (headers: Record<string, string>) =>
    (await call(`${two}/v1/echo`, { headers })).status;
  t.equal(await echoed(named(cookie)), 200, 'in every process');
  t.equal(await echoed({ ...named(cookie), 'sec-fetch-site': 'same-origin' }), 200);
  t.equal(await echoed({ cookie }), 401, 'the cookie alone opens nothing');
  for (const site of ['same-site', 'cross-site', 'none']) {
    t.equal(await echoed({ ...named(cookie), 'sec-fetch-site': site }), 401, site);
  }
  t.equal(await echoed({ 'x-api-key': 'session' }), 401, 'nor the word alone');
  t.equal((await call(`${one}/v1/auth/me`, { headers: named(cookie) })).status, 200);
  t.equal((await call(`${one}/v1/auth/me`, { headers: { cookie } })).status, 401);
  const asKey = { 'x-api-key': secret };
  t.equal((await call(`${one}/v1/auth/me`, { headers: asKey })).status, 401, 'a key is no session');
  const ticket = { method: 'POST', headers: named(cookie) } as const;
  t.equal((await call(`${one}/v1/auth/ticket`, ticket)).status, 201, 'streams by ticket');
  const preflight = await call(`${one}/v1/echo`, {
    method: 'OPTIONS',
    headers: { origin: 'http://127.0.0.1:1', 'access-control-request-headers': 'x-api-key' },
  });
  t.notOk(preflight.headers['access-control-allow-credentials'], 'no other origin may send it');

  const raw = rawClient(t, redis);
  const [name = ''] = await raw.keys('auth:key:*');
  const left = await raw.pttl(name);
  t.ok(left > 2_591_000_000 && left <= 2_592_000_000, `Redis forgets it in 30 days: ${left} ms`);
});

t.test('a session that is ended is over everywhere', async (t) => {
  const { redis, one, two, code } = await world(t);
  const { cookie } = await signIn(one, await code());
  t.equal(await accountOf(one, cookie), 'local');
  t.equal(await accountOf(two, cookie), 'local');
  t.equal(await accountOf(one, ''), null);

  const listed = await call(`${one}/v1/auth/keys`, { headers: named(cookie) });
  t.match(JSON.parse(listed.text).data, [{ name: 'Browser session', status: 'active' }]);
  const end = (headers: Record<string, string>) =>
    call(`${one}/v1/auth/session`, { method: 'DELETE', headers });
  for (const [name, value] of [
    ['cookie', cookie],
    ['x-api-key', 'session'],
  ] as const) {
    const refused = await end({ [name]: value });
    t.equal(refused.status, 401, 'the cookie alone ends nothing, nor the word alone');
    t.equal(refused.headers['set-cookie'], undefined);
  }
  const alone = await call(`${one}/v1/auth/session`, { headers: { cookie } });
  t.equal(JSON.parse(alone.text).data.account, null, 'nor does it say whose it is');
  t.equal(await accountOf(one, cookie), 'local', 'it goes on');
  const ended = await end(named(cookie));
  t.equal(ended.status, 200);
  t.match(String(ended.headers['set-cookie']), /^tidemark_session=; .*Max-Age=0$/);
  t.equal(await accountOf(one, cookie), null);
  await until(async () => (await accountOf(two, cookie)) === null, 'elsewhere by the stream');

  const second = await signIn(one, await code());
  const raw = rawClient(t, redis);
  for (const name of await raw.keys('auth:key:*')) await raw.del(name);
  const third = await signIn(one, await code());
  const rest = await call(`${one}/v1/auth/keys`, { headers: named(third.cookie) });
  const active = JSON.parse(rest.text).data.filter(
    (key: { status: string }) => key.status === 'active',
  );
  t.equal(active.length, 1, 'one that Redis has forgotten is not listed');
  t.equal(await raw.hlen('auth:keys:local'), 1, 'and has left the keys of the account');
  t.not(second.cookie, third.cookie);
});

t.test('a session that cannot be looked up is not said to be ended', async (t) => {
  const redis = await redisOf(t);
  const provider = await startProvider(t, [await signingKey('one')]);
  const { auth, following } = join(t, redis, { provider, clock: new FakeClock() });
  await following;
  const gate = { ...gateOf({}), byKey: async () => apiError('overloaded') };
  const { url } = await startServer(t, sessionRoutes({ keys: auth.keys }), { gate });
  const headers = named(`tidemark_session=tm_live_${'a'.repeat(38)}`);
  const ended = await call(`${url}/v1/auth/session`, { method: 'DELETE', headers });
  t.equal(ended.status, 503);
  t.equal(ended.headers['set-cookie'], undefined);
});

t.test('a token signs a browser in until it ends', async (t) => {
  const { redis, clock, one, two, token } = await world(t);
  const post = async (headers: Record<string, string>) =>
    session(await call(`${one}/v1/auth/session/token`, { method: 'POST', headers }));
  const { status, text, cookie, attributes } = await post({ authorization: await token() });
  t.equal(status, 201);
  const ends = Math.floor(clock.now() / 1000) * 1000 + 3_600_000;
  t.match(JSON.parse(text).data, { account: 'alice', expires_at: ends });
  const seconds = Math.floor((ends - clock.now()) / 1000);
  t.strictSame(attributes.slice(0, 4), [
    ...['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${seconds}`],
  ]);
  const whose = await call(`${two}/v1/auth/session`, { headers: named(cookie) });
  t.match(JSON.parse(whose.text).data, { account: 'alice', expires_at: ends });
  const statusOf = async (path: string, method = 'GET') =>
    (await call(`${two}${path}`, { method, headers: named(cookie) })).status;
  t.equal(await statusOf('/v1/echo'), 200, 'data');
  t.equal(await statusOf('/v1/auth/ticket', 'POST'), 201, 'streams');
  t.equal(await statusOf('/v1/auth/keys'), 200, 'and keys');
  const raw = rawClient(t, redis);
  const [name = ''] = await raw.keys('auth:key:*');
  t.ok((await raw.pttl(name)) <= 3_600_000, 'Redis forgets it with the token');
  const month = await post({ authorization: await token({ exp: clock.now() / 1000 + 1e8 }) });
  t.match(month.attributes[3], 'Max-Age=2592000', 'a token without an end makes no such session');

  t.equal((await post(named(cookie))).status, 401, 'a session makes no other one');
  t.equal((await post({})).status, 401);
  const expired = await post({ authorization: await token({ exp: clock.now() / 1000 - 31 }) });
  t.match(expired, { status: 401, text: /has expired/ });
  const late = await post({ authorization: await token({ exp: clock.now() / 1000 - 5 }) });
  t.match(late, { status: 401, text: /has expired/ }, 'within the tolerance of clocks too');

  for (let i = 1; i < mostSessions; i++) await post({ authorization: await token() });
  const me = await call(`${one}/v1/auth/me`, { headers: { authorization: await token() } });
  t.match(JSON.parse(me.text).data, { key_count: 0 }, 'sessions leave the plan to keys');
  t.equal(await raw.hlen('auth:keys:alice'), mostSessions);
  t.equal(await raw.exists(name), 0, 'one more ends the one that would end first');
});

t.test('the cookie among others', async (t) => {
  const key = `tm_live_${'a'.repeat(38)}`;
  const of = (cookie: string) =>
    sessionOf({ getHeader: (name) => (name === 'cookie' ? cookie : '') });
  t.equal(of(`a=b; tidemark_session=${key}; c=d`), key);
  t.equal(of(`xtidemark_session=${key}`), '');
  t.equal(of('tidemark_session='), '');
  t.equal(of(''), '');
});

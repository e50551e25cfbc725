/** Keys that stand in URLs: what they read, what they cannot do, and where their text does not appear. */
import { inspect } from 'node:util';
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { arePaths, linkRefusal } from '../../../http/auth/link.ts';
import { authRoutes } from '../../../http/routes/auth.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { acting, call, echo, later, reads, startServer } from '../../support/http.ts';
import { memoryQuota } from '../../support/quota.ts';
import { redisOf } from '../../support/redis.ts';
import { join, sign, signingKey, startProvider } from './world.ts';

const text = { type: 'string', description: 'Text' } as const;

t.test('which requests a link key may make', (t) => {
  const allowed = ['/v1/bars', '/v1/prices?symbol=BTC&format=csv'];
  const refused = (path: string, query = '', method = 'GET') =>
    linkRefusal(allowed, { method, path, query })?.message ?? null;
  t.equal(refused('/v1/bars'), null);
  t.equal(refused('/v1/bars', 'link=x&symbol=ETH'), null, 'a path alone allows every query');
  for (const query of ['symbol=BTC&format=csv', 'format=csv&link=x&symbol=B%54C'])
    t.equal(refused('/v1/prices', query), null, query);
  const all = 'this link key reads /v1/bars, /v1/prices?symbol=BTC&format=csv only';
  const others = ['', 'symbol=BTC', 'symbol=ETH&format=csv', 'symbol=BTC&format=csv&wait=5'];
  for (const query of [...others, 'symbol=BTC&symbol=ETH&format=csv'])
    t.equal(refused('/v1/prices', query), all, query);
  for (const path of ['/v1/bars/', '/v1/Bars', '/v1/trades', '/v1/%62ars'])
    t.equal(refused(path), all, path);
  t.equal(refused('/v1/bars', '', 'POST'), 'a link key reads only');
  t.match(linkRefusal([], { method: 'GET', path: '/v1/bars', query: '' }), {
    message: 'this link key reads nothing only',
  });
  t.ok(arePaths(allowed));
  const bad = [
    '',
    'v1/bars',
    '/v3/bars',
    '/v1/bars#a',
    '/v1/bars?a b',
    '/v1/bars?link=x',
    `/v1/${'x'.repeat(500)}`,
  ];
  for (const path of bad) t.notOk(arePaths([path]), path);
  t.strictSame(
    [arePaths([]), arePaths(Array.from({ length: 21 }, () => '/v1/bars'))],
    [false, false],
  );
  t.end();
});

t.test('a link key at a server', async (t) => {
  const redis = await redisOf(t);
  const signer = await signingKey('a');
  const provider = await startProvider(t, [signer]);
  const { auth, clock, book, following } = join(t, redis, { provider });
  await following;
  const { quota } = memoryQuota(clock);
  t.teardown(() => quota.close());
  let logged = '';
  const note = (...parts: unknown[]) => {
    logged += inspect(parts);
  };
  const rows = [
    ...authRoutes({ keys: auth.keys }),
    echo({
      path: '/v1/prices',
      params: { symbol: text },
      access: 'key',
      from: reads((values) => snapshotOf(values)),
    }),
    echo({
      path: '/v1/bars',
      params: { symbol: text },
      access: 'key',
      from: later((values) => snapshotOf(values)),
    }),
    acting({ method: 'POST', path: '/v1/batch', access: 'key' }),
  ];
  const { url } = await startServer(t, rows, {
    clock,
    gate: auth.gate,
    quota,
    log: { info: note, error: note },
  });
  const bearer = async () => ({ authorization: `Bearer ${await sign(signer, clock.now())}` });
  const make = async (body: object) => {
    const headers = { ...(await bearer()), 'content-type': 'application/json' };
    const reply = await call(`${url}/v1/auth/keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { ...JSON.parse(reply.text), status: reply.status };
  };
  const paths = ['/v1/prices?symbol=BTC', '/v1/bars'];
  const { data: made } = await make({ name: 'sheet', kind: 'link', paths });
  t.match(made, { kind: 'link', paths, key: /^tm_link_\w{38}$/ });
  const { data: plain } = await make({ name: 'laptop' });
  t.match(plain, { kind: 'live', paths: null, key: /^tm_live_/ });
  for (const wrong of [{ kind: 'link' }, { kind: 'link', paths: ['x'] }, { paths }])
    t.match(await make({ name: 'x', ...wrong }), { status: 400, message: /paths must be 1 to 20/ });
  const listed = await call(`${url}/v1/auth/keys`, { headers: await bearer() });
  const sheetOf = (text: string) =>
    JSON.parse(text).data.find((one: { id: string }) => one.id === made.id);
  t.match(sheetOf(listed.text), { kind: 'link', paths, status: 'active' });

  const get = async (path: string, headers = {}, method: 'GET' | 'POST' = 'GET') => {
    const reply = await call(url + path, { method, headers });
    const left = Number(/r=(\d+)/.exec(String(reply.headers.ratelimit))?.[1]);
    return { ...reply, left, body: JSON.parse(reply.text || '{}') };
  };
  const link = `link=${made.key}`;
  for (const round of [1, 2]) {
    const prices = await get(`/v1/prices?symbol=BTC&${link}`);
    t.match(prices, { status: 200, body: { data: { symbol: 'BTC' } } }, `round ${round}`);
    t.match(prices.headers, {
      'referrer-policy': 'no-referrer',
      'cache-control': ['no-cache', 'private'],
    });
    t.notOk('ignored-parameters' in prices.headers);
    t.match(await get(`/v1/bars?${link}&symbol=ETH`), {
      status: 200,
      body: { data: { symbol: 'ETH' } },
    });
  }
  const strict = await get(`/v1/bars?${link}`, { prefer: 'handling=strict' });
  t.equal(strict.status, 200);
  const other = await get(`/v1/prices?symbol=ETH&${link}`);
  t.match(
    [other.status, other.body.message],
    [403, `this link key reads ${paths.join(', ')} only`],
  );
  t.match(other.headers, { 'referrer-policy': 'no-referrer' });
  t.match(await get(`/v1/batch?${link}`, {}, 'POST'), {
    status: 403,
    body: { message: 'a link key reads only' },
  });
  t.equal((await get(`/v1/auth/keys?${link}`)).status, 401, 'it is no token');

  const wrong = { status: 401, body: { message: /^link must be an active key of the kind link/ } };
  t.match(await get(`/v1/bars?link=${plain.key}`), wrong, 'an ordinary key in the URL');
  t.match(await get('/v1/bars?link=tm_link_x'), wrong);
  t.equal(
    (await get('/v1/bars', { 'x-api-key': made.key })).status,
    401,
    'a link key in the header',
  );
  t.match(await get(`/v1/bars?x-api-key=${plain.key}`), { status: 401 });

  const before = await get('/v1/bars', { 'x-api-key': plain.key });
  t.equal(before.left, 48, 'five creations, a list, five answers to the link key, and this');
  const used = await get(`/v1/bars?${link}`);
  t.equal(used.left, 47, 'it has what its account has left');
  for (let i = 0; i < 47; i++) await get(`/v1/bars?${link}`);
  t.match(await get(`/v1/bars?${link}`), {
    status: 429,
    headers: { 'referrer-policy': 'no-referrer' },
  });
  t.equal((await get('/v1/bars', { 'x-api-key': plain.key })).status, 429, 'one quota for both');

  const revoked = await call(`${url}/v1/auth/keys/${made.id}`, {
    method: 'DELETE',
    headers: await bearer(),
  });
  t.equal(revoked.status, 200, 'whatever the link key has used up');
  t.match(await get(`/v1/bars?${link}`), wrong);
  await clock.advance(60_000);
  const after = await call(`${url}/v1/auth/keys`, { headers: await bearer() });
  t.match(sheetOf(after.text), { kind: 'link', paths, status: 'revoked' });
  const log = book.text + logged;
  t.match(log, /API key created/);
  t.notMatch(log, /tm_li/, 'no key is in any line of the log');
  const found = await auth.gate.byLink(made.key);
  t.ok(isApiError(found));
});

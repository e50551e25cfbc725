/** What the TypeScript client says of answers: their types, quotas, errors, keys. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import * as s from '../actors/topics/schema.ts';
import {
  type Data,
  type Params,
  type PriceOfSymbol,
  type PriceSummary,
  type PricesAt,
  type PricesOfSymbols,
  Tidemark,
  TidemarkError,
} from '../clients/typescript/src/index.ts';
import { snapshotOf } from '../http/answers/snapshots.ts';
import { authRoutes } from '../http/routes/auth.ts';
import { apiError } from '../http/wire/errors.ts';
import { join, sign, signingKey, startProvider } from './http/auth/world.ts';
import { clientStage } from './support/client-stage.ts';
import { FakeClock } from './support/clock.ts';
import { echo, reads, startServer } from './support/http.ts';
import { alice, gateOf, memoryQuota } from './support/quota.ts';
import { redisOf } from './support/redis.ts';

/** `fetch` with what it was called with; `first` is the first answer in the place of the server's. */
function watched(first?: Response) {
  const calls: { method: string | undefined; headers: Headers }[] = [];
  const send: typeof fetch = async (url, init) => {
    calls.push({ method: init?.method, headers: new Headers(init?.headers) });
    return first !== undefined && calls.length === 1 ? first : fetch(url, init);
  };
  return { fetch: send, calls };
}

t.test('what is undefined is as if it were absent', async (t) => {
  const open = echo({
    path: '/v1/prices',
    params: { symbol: { type: 'string', description: 'Text' } },
    from: reads((values) => snapshotOf(values)),
  });
  const server = await startServer(t, [open]);
  const { fetch, calls } = watched();
  const nothing = { key: undefined, bearer: undefined, timeout: undefined, retries: undefined };
  const more = { kept: undefined, WebSocket: undefined };
  const client = new Tidemark({ url: server.url, fetch, ...nothing, ...more });
  const options = { timeout: undefined, signal: undefined };
  t.strictSame((await client.get('/v1/prices', { symbol: undefined }, options)).data, {});
  t.strictSame(
    [...(calls[0]?.headers ?? [])],
    [],
    'neither a key nor a token, and no word `undefined`',
  );
  t.equal((await client.get('/v1/prices', {}, options)).unchanged, true, 'answers are kept');
  const wishes = { every: undefined, resume: undefined, signal: undefined, mode: undefined };
  const updates = client.subscribe('/v1/prices', { symbol: 'BTC' }, wishes);
  t.match((await updates.next()).value, { data: { symbol: 'BTC' }, path: null });
  await updates.return();
});

t.test('a table as CSV', async (t) => {
  const item = s.object({ name: s.string(), rate: s.numberOrNull() });
  const items = [
    { name: '=x', rate: -0.5 },
    { name: 'a,b', rate: null },
  ];
  const answer = s.object({ items: s.list(item) });
  const server = await startServer(t, [
    echo({ path: '/v1/scorecard', answer, from: reads(() => snapshotOf({ items })) }),
    echo({ path: '/v1/trades', answer, from: reads(() => apiError('warming_up')) }),
  ]);
  const client = new Tidemark({ url: server.url, retries: 0 });
  t.equal(await client.csv('/v1/scorecard', {}), 'name,rate\r\n\'=x,-0.5\r\n"a,b",\r\n');
  await t.rejects(client.csv('/v1/trades', { symbol: 'BTC', exchange: 'okx' }), {
    status: 503,
    code: 'warming_up',
  });
});

t.test('errors state their code, the quota and all headers', async (t) => {
  const clock = new FakeClock();
  const { quota } = memoryQuota(clock);
  const server = await startServer(t, [echo({ path: '/v1/status', access: 'key' })], {
    clock,
    gate: gateOf({ good: alice }),
    quota,
  });
  // An answer that has not changed counts against no quota.
  const client = new Tidemark({ url: server.url, key: 'good', timeout: 10_000, kept: 0 });
  const before = Date.now();
  const first = await client.get('/v1/status', {});
  t.match(first.quota, { limit: 60, remaining: 59 });
  const resetsAt = first.quota?.resetsAt ?? 0;
  t.ok(resetsAt > before && resetsAt <= Date.now() + 60_000);
  await t.rejects(client.get('/v1/exchanges', {}), {
    status: 404,
    code: 'not_found',
    quota: { limit: 60 },
  });
  let last: unknown;
  while (!(last instanceof TidemarkError))
    last = await client.get('/v1/status', {}).catch((error) => error);
  t.match(last, {
    status: 429,
    code: 'too_many_requests',
    quota: { limit: 60, remaining: 0 },
  });
  t.match(last.headers.get('retry-after'), /^\d+$/);
  const away = new Tidemark({ url: 'http://127.0.0.1:1', retries: 0 }).get('/v1/status', {});
  await t.rejects(away, { status: 0, code: 'network', quota: null });
});

t.test('keys: made once, listed, removed, by a bearer token', async (t) => {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const clock = new FakeClock(Date.now());
  const { auth, following } = join(t, redis, { provider, clock });
  await following;
  const rows = [...authRoutes({ keys: auth.keys }), echo({ path: '/v1/status', access: 'key' })];
  const { url } = await startServer(t, rows, { clock, gate: auth.gate });
  const bearer = () => sign(signer, clock.now(), { sub: 'alice' });
  const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
  const first = watched(busy());
  const account = new Tidemark({ url, bearer, fetch: first.fetch });
  const about = { idempotencyKey: 'laptop-1' };
  const { data: made } = await account.post('/v1/auth/keys', { name: 'laptop' }, about);
  t.match(made, { name: 'laptop', key: /^tm_/ });
  t.equal(first.calls.length, 2, 'with an idempotency key it is safe to send it again');
  const again = await account.post('/v1/auth/keys', { name: 'laptop' }, about);
  t.match(again.data, { id: made.id, key: null }, 'the service has made one key');
  const second = watched(busy());
  const careful = new Tidemark({ url, bearer: await bearer(), fetch: second.fetch });
  await t.rejects(careful.post('/v1/auth/keys', { name: 'other' }), {
    status: 503,
    code: 'internal',
  });
  t.equal(second.calls.length, 1, 'without one the first may have been carried out');
  const { data: keys } = await account.get('/v1/auth/keys', {});
  t.match(keys, [{ id: made.id, status: 'active' }]);
  t.equal(keys.length, 1);
  const reader = new Tidemark({ url, key: made.key ?? '' });
  await reader.get('/v1/status', {});
  const removed = await account.delete('/v1/auth/keys/{id}', { id: made.id });
  t.strictSame(removed.data, { id: made.id, status: 'revoked' });
  await t.rejects(reader.get('/v1/status', {}), { status: 401, code: 'unauthorized' });
  await t.rejects(account.delete('/v1/auth/keys/{id}', { id: made.id }), {
    status: 404,
    code: 'not_found',
  });
  const stranger = new Tidemark({ url, bearer: 'x.y.z' });
  await t.rejects(stranger.get('/v1/auth/keys', {}), { status: 401, code: 'unauthorized' });
});

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(is: Same<A, B>): boolean => is;

t.test('parameters choose the type of an answer', async (t) => {
  type Prices<Q> = Data<'/v1/prices', Q>;
  type All = { [key: string]: PriceSummary };
  type Any = PricesAt | PriceOfSymbol | PricesOfSymbols | All;
  t.ok(same<Prices<{ symbol: string; at: number }>, PricesAt>(true));
  t.ok(same<Prices<{ symbol: string }>, PriceOfSymbol>(true));
  t.ok(same<Prices<{ symbol: 'BTC'; max_age: number }>, PriceOfSymbol>(true));
  t.ok(same<Prices<{ symbols: string }>, PricesOfSymbols>(true));
  t.ok(same<Prices<{ max_age: number }>, All>(true));
  t.ok(same<Prices<{ symbol?: string }>, PriceOfSymbol | All>(true), 'it may be given');
  t.ok(same<Prices<Params<'/v1/prices'>>, Any>(true));
  t.ok(same<Data<'/v1/prices'>, Any>(true));
  const { client } = await clientStage(t);
  const one = await client.get('/v1/prices', { symbol: 'BTC' });
  t.equal(one.data.average_price, 1);
  for await (const { data } of client.subscribe('/v1/prices', { symbol: 'BTC' })) {
    t.equal(data.average_price, 1);
    break;
  }
  // @ts-expect-error a parameter that the path does not have
  await client.get('/v1/prices', { symbol: 'BTC', limt: 3 });
  // @ts-expect-error an interval that there is not
  const interval: Params<'/v1/bars'>['interval'] = '7s';
  t.equal(interval, '7s');
});

t.test('no type has the name of a global', (t) => {
  const read = (name: string) =>
    readFileSync(new URL(`../clients/typescript/src/${name}.ts`, import.meta.url), 'utf8');
  const names = ['types', 'operations', 'errors', 'forms', 'transport'].flatMap((name) =>
    [...read(name).matchAll(/^export (?:type|interface|class) (\w+)/gm)].map(([, one]) => one),
  );
  t.ok(names.includes('PriceOfSymbol'));
  t.strictSame(
    names.filter((name) => name !== undefined && name in globalThis),
    [],
  );
  t.end();
});

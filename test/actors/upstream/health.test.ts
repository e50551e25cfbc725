/** What clients cause, kept apart from what the polls learn. */
import t from 'tap';
import { type FailureCode, failed, success } from '../../../actors/failure.ts';
import { httpTarget } from '../../../actors/upstream/gateway.ts';
import { Health } from '../../../actors/upstream/health.ts';
import { defaultLimits } from '../../../actors/upstream/request.ts';
import type { Verdict } from '../../../actors/upstream/verdict.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, startFaultyServer, text } from '../../support/faulty-server.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const first = await startFaultyServer();
const second = await startFaultyServer();
t.teardown(() => Promise.all([first.close(), second.close()]));
t.beforeEach(() => {
  for (const server of [first, second]) {
    server.seen.length = 0;
    for (const path of ['/x', '/y']) server.on(path, json({ from: server.host }));
  }
});

t.test('an unknown HTTP error fails that question only', async (t) => {
  const client = testClient(t, [first.url, second.url]);
  for (let i = 0; i < 20; i++) {
    for (const path of ['/403-html', '/404', '/html']) {
      t.notOk((await client.get(path, { query: { i }, account: 'a' })).ok);
    }
  }
  t.match(client.state('a'), { breaker: 'closed', host: first.host });
  t.ok((await client.get('/x', { account: 'a' })).ok);
  t.ok((await client.get('/x', { account: 'b' })).ok);
  t.ok((await client.get('/x')).ok);
});

t.test('what breaks for one account breaks for no other, nor for the polls', async (t) => {
  const client = testClient(t, [first.url, second.url], { limits: { failures: 5 } });
  for (const server of [first, second]) server.on('/y', text('', 502));
  for (let i = 0; i < 5; i++) await client.get('/y', { query: { i }, account: 'a' });
  t.equal(client.state('a').breaker, 'closed');
  t.ok((await client.get('/x', { account: 'b' })).ok);
  t.ok((await client.get('/x')).ok);
});

t.test('a host that fails questions or polls is asked after the others', async (t) => {
  const client = testClient(t, [first.url, second.url]);
  first.on('/y', text('', 500));
  t.ok((await client.get('/y', { account: 'a' })).ok, 'the other host answers');
  first.seen.length = 0;
  t.ok((await client.get('/x')).ok);
  t.same(first.seen, []);
  t.equal(client.state('a').host, second.host);
});

t.test('while the polls fail nothing is asked; an answered question ends that', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url], { clock, limits: { failures: 3 } });
  first.on('/x', text('', 500));
  for (let i = 0; i < 3; i++) await client.get('/x');
  t.equal(client.state('a').breaker, 'open');
  t.match(failureOf(await client.get('/y', { account: 'a' })), { code: 'breaker_open' });
  await clock.advance(3_500);
  t.equal(client.state('a').breaker, 'half_open');
  t.notOk((await client.get('/404', { account: 'a' })).ok);
  t.equal(client.state('a').breaker, 'half_open', 'a question that fails tells the polls nothing');
  t.ok((await client.get('/y', { account: 'a' })).ok);
  t.equal(client.state('a').breaker, 'closed');
});

t.test('a 429 that a question gets is silence for all', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url], { clock });
  t.match(failureOf(await client.get('/429', { account: 'a' })), { code: 'rate_limited' });
  t.ok(client.state('a').pausedUntil);
  t.match(failureOf(await client.get('/x', { deadline: 500 })), { code: 'rate_limited' });
});

/** The health of an API with hosts of one letter; `random` as in Math.random. */
function healthOf(random: number, { hosts = 'a', failures = 1 } = {}) {
  const clock = new FakeClock();
  const targets = [...hosts].map((name) => httpTarget(`https://${name}`, null));
  const limits = { ...defaultLimits, failures };
  const around = { source: 'test', clock, random: () => random, log: undefined, limits };
  const health = new Health(around, targets);
  const learn = (verdict: Verdict, host = 'a') => {
    const target = targets.find(({ name }) => name === host);
    if (!target) throw new Error(`no host ${host}`);
    return health.learn(verdict, target, true);
  };
  const silent = (code: FailureCode, retryAfter?: number) =>
    learn({ concern: 'api', result: failed(code, code, { ...(retryAfter && { retryAfter }) }) })
      ?.ms;
  const answered = (host?: string) =>
    learn({ concern: 'request', result: success({ body: 1, asked: 1, received: 1 }) }, host);
  const broken = (host?: string) =>
    learn({ concern: 'host', result: failed('unavailable', 'x', { status: 500 }) }, host);
  return { clock, health, silent, answered, broken };
}

t.test('silence without a stated time grows, up to a bound; an answer ends that', async (t) => {
  const rows = [
    ['rate_limited', 0, [1_000, 1_000]],
    ['rate_limited', 1, [11_000, 21_000, 41_000, 81_000, 161_000, 301_000, 301_000]],
    ['banned', 0, [60_000, 60_000]],
    ['banned', 1, [180_000, 300_000, 540_000, 1_020_000, 1_980_000, 3_660_000, 3_660_000]],
  ] as const;
  for (const [code, random, waits] of rows) {
    const { silent, answered } = healthOf(random);
    t.strictSame([code, ...waits.map(() => silent(code))], [code, ...waits]);
    answered();
    t.equal(silent(code), waits[0], 'from the beginning again');
  }
  const { health, silent } = healthOf(0.123_45);
  t.equal(silent('banned', 5_000.2), 5_001);
  t.equal(silent('rate_limited', 2_000), 2_000);
  t.match(health.state(), { host: 'a' });
  t.equal(silent('rate_limited'), 2_235, 'one that was stated does not count');
});

t.test(
  'a breaker opens after failures in a row; after its time the next outcome decides',
  async (t) => {
    const { clock, health, broken, answered } = healthOf(0.5, { failures: 3 });
    const state = () => [health.state().breaker, health.wait];
    for (let i = 0; i < 2; i++) broken();
    answered();
    for (let i = 0; i < 2; i++) broken();
    t.same(state(), ['closed', 0]);
    broken();
    t.same(state(), ['open', 3_500]);
    answered();
    t.same(state(), ['open', 3_500], 'an answer to an earlier request is no evidence');
    for (let i = 0; i < 9; i++) broken();
    t.same(state(), ['open', 3_500], 'earlier requests decide nothing');
    await clock.advance(3_500);
    t.same(state(), ['half_open', 0]);
    broken();
    t.same(state(), ['open', 6_000], 'one failure opens it, for longer');
    await clock.advance(6_000);
    answered();
    for (let i = 0; i < 2; i++) broken();
    t.same(state(), ['closed', 0], 'failures are counted anew');
    broken();
    t.same(state(), ['open', 3_500], 'and so are open times');
  },
);

t.test('a breaker is open for a second at least, and two minutes at most', async (t) => {
  for (const [random, longest] of [
    [0, 1_000],
    [1, 121_000],
  ] as const) {
    const { clock, health, broken } = healthOf(random);
    for (let i = 0; i < 10; i++) {
      broken();
      t.ok(health.wait >= 1_000 && health.wait <= longest);
      await clock.advance(health.wait);
    }
    broken();
    t.equal(health.wait, longest);
  }
});

t.test('hosts that have failed are asked last for a minute, then by one request', async (t) => {
  const { clock, health, broken, answered } = healthOf(0, { hosts: 'abc', failures: 99 });
  const order = () =>
    health
      .order()
      .map(({ name }) => name)
      .join('');
  t.equal(order(), 'abc');
  broken('a');
  t.equal(order(), 'bca');
  await clock.advance(10_000);
  broken('b');
  t.same([order(), health.state().host], ['cab', 'c']);
  await clock.advance(50_000);
  t.equal(order(), 'acb', 'one tries');
  t.equal(order(), 'cba', 'the others go on');
  answered('a');
  t.same([order(), health.state().host], ['acb', 'a']);
});

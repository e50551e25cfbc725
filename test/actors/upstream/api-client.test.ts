import t from 'tap';
import { createHttpClient, requestOutcomes } from '../../../actors/upstream/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { type FaultyServer, json, startFaultyServer, text } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
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

const down = text('', 500);
const up = (server: FaultyServer) => server.on('/x', json({ from: server.host }));

t.test('a host failure leads to the next host, and the first is tried again', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url, second.url], { clock });
  for (const path of ['/500', '/403-html', '/404', '/html', '/reset', '/redirect', '/200-busy']) {
    second.on(path, json({ from: second.host }));
    const answer = await client.get(path);
    t.same(answer.ok && answer.value.body, { from: second.host }, path);
    t.equal(client.state('a').host, second.host);
    await clock.advance(60_000);
    t.ok((await client.get('/x')).ok);
    t.equal(client.state('a').host, first.host, 'returned');
  }
  first.on('/x', down);
  await client.get('/x');
  first.seen.length = 0;
  up(first);
  await clock.advance(59_000);
  await client.get('/x');
  t.same(first.seen, [], 'not before its time');
});

t.test('a host that hangs leaves half of the time to the next', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url, second.url], { clock });
  for (const path of ['/hang', '/hang-body']) {
    second.on(path, json({ from: second.host }));
    const sent = client.get(path, { deadline: 8_000 });
    await until(() => first.seen.length === 1, 'the first host was asked');
    await clock.advance(3_999);
    t.same(second.seen, []);
    await clock.advance(1);
    t.ok((await sent).ok, path);
    await clock.advance(60_000);
    for (const server of [first, second]) server.seen.length = 0;
  }
});

t.test('a definite answer of the API is final', async (t) => {
  const client = testClient(t, [first.url, second.url], { limits: { retries: 2 } });
  for (const path of ['/400-symbol', '/200-refused']) await client.get(path);
  t.same(second.seen, []);
  t.equal(first.seen.length, 2);
  t.equal(failureOf(await client.get('/big')).code, 'too_large', 'nor is too much fetched twice');
  t.same(second.seen, []);
});

t.test('only what may pass is retried, after a pause, within the deadline', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url], { clock, limits: { retries: 2 } });
  first.on('/x', down);
  const sent = client.get('/x');
  await until(() => first.seen.length === 1 && clock.pending === 2, 'it waits to retry');
  await clock.advance(124);
  t.equal(first.seen.length, 1);
  up(first);
  await clock.advance(1);
  t.ok((await sent).ok);
  first.on('/x', down);
  t.equal(failureOf(await client.get('/x', { deadline: 125 })).code, 'unavailable', 'no time');
  t.equal(failureOf(await client.get('/503', { deadline: 1_500 })).retryAfter, 2_000);
  await client.get('/404');
  t.equal(first.seen.length, 5);
});

t.test('without other bounds a request is tried in three rounds', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 9, per: 1_000 } };
  const apis = { a: { hosts: [first.url] as const, budgets } };
  const client = createHttpClient({ source: 'test', gateway: null, random: () => 0, clock, apis });
  t.teardown(() => client.close());
  first.on('/x', down);
  const sent = client.send({ api: 'a', path: '/x' }, { deadline: 10_000 });
  await until(() => first.seen.length === 1, 'the first round');
  await clock.advance(0);
  t.match(failureOf(await sent), { code: 'unavailable', status: 500 });
  t.equal(first.seen.length, 3);
  t.equal(client.state('a').breaker, 'closed', 'five failures in a row open it');
});

t.test('a ban is silence on all hosts until its time is over', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url, second.url], { clock, source: 'banned' });
  const start = clock.now();
  t.match(failureOf(await client.get('/418')), { code: 'banned', retryAfter: 7_200_000 });
  t.equal(client.state('a').pausedUntil, start + 7_200_000);
  await clock.advance(1_000);
  t.match(failureOf(await client.get('/x')), { code: 'banned', retryAfter: 7_199_000 });
  t.match(failureOf(await client.get('/x', { account: 'a' })), { code: 'banned' });
  const { outcomes } = requestOutcomes().find(({ source }) => source === 'banned') ?? {};
  t.same(outcomes, { banned: 3 });
  await clock.advance(7_198_000);
  const waiting = client.get('/x', { deadline: 5_000 });
  await clock.advance(999);
  t.same([...first.seen, ...second.seen], ['GET /418']);
  await clock.advance(1);
  t.ok((await waiting).ok, 'what could wait was sent when it was over');
  t.equal(client.state('a').pausedUntil, null);
});

t.test('Retry-After as a date, three days at most; growing silence without it', async (t) => {
  const clock = new FakeClock(1_700_000_000_000);
  const client = testClient(t, [first.url], { clock, random: () => 1 });
  const wait = async (path: string) => {
    const { retryAfter = 0 } = failureOf(await client.get(path));
    await clock.advance(retryAfter);
    return retryAfter;
  };
  t.equal(await wait('/429-date'), 45_000);
  first.on('/x', text('', 418, { 'retry-after': '999999999' }));
  t.equal(await wait('/x'), 259_200_000);
  const waits = [await wait('/429-bare'), await wait('/429-bare'), await wait('/429-bare')];
  t.same(waits, [11_000, 21_000, 41_000]);
  up(first);
  t.ok((await client.get('/x')).ok);
  t.equal(await wait('/429-bare'), 11_000);
});

t.test('weight is shared by all hosts, corrected by headers, of failures too', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 10, per: 1_000, usedHeader: 'X-Used' } };
  const client = testClient(t, [first.url, second.url], { clock, api: { budgets } });
  first.on('/x', text('', 500, { 'x-used': '7' }));
  t.ok((await client.get('/x', { weight: 1 })).ok, 'one on each host');
  t.match(failureOf(await client.get('/x', { weight: 3, deadline: 1_000 })), {
    code: 'over_budget',
    message: /the weight of 10 in 1 s that the exchange allows is used/,
  });
  t.ok((await client.get('/x', { weight: 2, deadline: 999 })).ok);
  t.equal(second.seen.length, 2);
  const waiting = client.get('/x', { weight: 3 });
  await clock.advance(1_000);
  t.ok((await waiting).ok);
});

t.test('an API that another one counts has its budget and its pauses', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 10, per: 1_000, usedHeader: 'X-Used' } };
  const others = { b: { hosts: [second.url] as const, budgets, countedBy: 'a' } };
  const client = testClient(t, [first.url], { clock, api: { budgets }, others });
  const ask = (path: string, weight: number) =>
    client.send({ api: 'b', path, weight }, { deadline: 999 });
  t.ok((await client.get('/x', { weight: 7 })).ok);
  t.match(
    failureOf(await ask('/x', 4)),
    { code: 'over_budget' },
    'what one asks counts for the other',
  );
  t.ok((await ask('/x', 3)).ok);
  await clock.advance(1_000);
  t.match(failureOf(await ask('/418', 1)), { code: 'banned' });
  t.match(failureOf(await client.get('/x')), { code: 'banned' }, 'a ban is about both');
  t.ok(client.state('a').pausedUntil);
});

t.test('the breaker opens, probes and closes', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url], { clock, limits: { failures: 3 } });
  first.on('/x', down);
  await client.get('/x');
  await client.get('/200-refused');
  for (let i = 0; i < 3; i++) await client.get('/x');
  t.equal(client.state('a').breaker, 'open', 'a refusal is a sign of life');
  first.seen.length = 0;
  const { code, retryAfter = 0 } = failureOf(await client.get('/x'));
  t.equal(code, 'breaker_open');
  t.ok(retryAfter >= 1_000 && retryAfter <= 6_000, 'with the time until the probe');
  t.same(first.seen, []);
  await clock.advance(3_500);
  t.equal(client.state('a').breaker, 'half_open');
  up(first);
  t.ok((await client.get('/x')).ok);
  t.equal(client.state('a').breaker, 'closed');
});

t.test('an abort is no failure of the host, a timeout is one', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [first.url], { clock, limits: { failures: 1 } });
  const stop = new AbortController();
  const aborted = client.get('/hang', { signal: stop.signal });
  stop.abort();
  t.equal(failureOf(await aborted).code, 'stopped');
  t.equal(client.state('a').breaker, 'closed');
  first.seen.length = 0;
  const sent = client.get('/hang', { deadline: 500 });
  await until(() => first.seen.length === 1, 'it is under way');
  await clock.advance(500);
  t.equal(failureOf(await sent).code, 'timeout');
  await until(() => client.state('a').breaker === 'open', 'what the timeout has done');
});

t.test('the pause before each round doubles, up to five seconds', async (t) => {
  const clock = new FakeClock();
  const limits = { retries: 6, failures: 99 };
  const client = testClient(t, [first.url], { clock, random: () => 1, limits });
  first.on('/x', down);
  const sent = client.get('/x', { deadline: 60_000 });
  for (const [round, wait] of [250, 500, 1_000, 2_000, 4_000, 5_000].entries()) {
    await until(() => first.seen.length === round + 1 && clock.pending === 2, 'it waits');
    await clock.advance(wait - 1);
    t.equal(first.seen.length, round + 1);
    await clock.advance(1);
  }
  t.equal(failureOf(await sent).code, 'unavailable');
  t.equal(first.seen.length, 7);
});

t.test('after a wait for its turn a request has time for two tries', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 1, per: 5_000 } };
  const client = testClient(t, [first.url], {
    ...{ clock, reserved: {} },
    limits: { patience: 1_000 },
    api: { budgets },
  });
  const ask = (deadline: number) =>
    client.get('/x', { query: { deadline }, account: 'a', deadline });
  await client.get('/y');
  t.match(failureOf(await ask(7_000)), { code: 'over_budget', retryAfter: 5_000 });
  const waiting = ask(7_001);
  await clock.advance(5_000);
  t.ok((await waiting).ok);
});

t.test('a question that hangs is tried twice at most, each time at another host', async (t) => {
  const clock = new FakeClock();
  second.on('/hang', () => {});
  for (const [hosts, requests] of [
    [[first.url], 1],
    [[first.url, second.url, first.url], 2],
  ] as const) {
    const client = testClient(t, hosts, { clock, limits: { retries: 2 } });
    const hanging = client.get('/hang', { account: 'a', deadline: 8_000 });
    await until(() => first.seen.length === 1, 'the first host was asked');
    await clock.advance(4_000);
    await until(() => first.seen.length + second.seen.length === requests, 'the next, if any');
    await clock.advance(3_999);
    t.equal(first.seen.length + second.seen.length, requests);
    await clock.advance(1);
    t.match(failureOf(await hanging), { code: 'timeout' });
    await client.close();
    for (const server of [first, second]) server.seen.length = 0;
  }
});

t.test('a request counts until a window after its answer, or after we gave it up', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 1, per: 1_000 } };
  const limits = { abandoned: 2_000, patience: 0 };
  const client = testClient(t, [first.url], { clock, api: { budgets }, limits });
  let release = () => {};
  first.on('/z', (request, response) => {
    release = () => json({})(request, response);
  });
  const early = client.get('/z');
  await until(() => first.seen.length === 1, 'the first arrived');
  const second = client.get('/z', { query: { n: 1 }, deadline: 8_000 });
  await clock.advance(5_000);
  t.equal(first.seen.length, 1);
  release();
  await early;
  await clock.advance(999);
  t.equal(first.seen.length, 1);
  await clock.advance(1);
  await until(() => first.seen.length === 2, 'the second arrived');
  await clock.advance(2_000);
  t.equal(failureOf(await second).code, 'timeout');
  const third = client.get('/ok');
  await clock.advance(2_999);
  t.equal(first.seen.length, 2);
  await clock.advance(1);
  t.ok((await third).ok);
});

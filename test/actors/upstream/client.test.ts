/** What a client decides before an API is asked: which requests share an exchange, and how many there are. */
import t from 'tap';
import { budgetUses } from '../../../actors/upstream/window.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, startFaultyServer } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const server = await startFaultyServer();
t.teardown(() => server.close());
let release = () => {};
const arrived = () => until(() => server.seen.length === 1, 'the request arrived');
t.beforeEach(() => {
  server.seen.length = 0;
  for (const path of ['/x', '/y']) server.on(path, json({ from: server.host }));
  server.on('/slow', (request, response) => {
    release = () => json({ slow: true })(request, response);
  });
});

t.test('an API or budget that the source does not list is a bug', async (t) => {
  const client = testClient(t, [server.url]);
  await t.rejects(client.get('/x', { api: 'b' }), /source test has no api b/);
  await t.rejects(client.get('/x', { budget: 'b' }), /api a has no budget b/);
});

t.test('close stops what is under way and what comes after', async (t) => {
  const client = testClient(t, [server.url]);
  const sent = client.get('/hang');
  await until(() => server.seen.length === 1, 'it is under way');
  await client.close();
  t.equal(failureOf(await sent).code, 'stopped');
  t.equal(failureOf(await client.get('/x')).code, 'stopped');
  await until(() => server.connections() === 0, 'no connection is left');
});

t.test('the refusal of an account reaches no other', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 12, per: 60_000 } };
  const client = testClient(t, [server.url], { clock, api: { budgets } });
  for (let i = 0; i < 3; i++) await client.get('/y', { query: { i }, account: 'a' });
  const [refused, granted] = await Promise.all([
    client.get('/x', { account: 'a' }),
    client.get('/x', { account: 'b' }),
  ]);
  t.match(failureOf(refused), { code: 'over_budget' });
  t.ok(granted.ok);
});

t.test(
  'what is used of its budgets stands with those of the process until it closes',
  async (t) => {
    const budgets = { default: { weight: 10, per: 60_000 }, other: { weight: 5, per: 1_000 } };
    // The list is that of the process, in which the clients of other files may still stand.
    const options = { source: 'counted', clock: new FakeClock(), api: { budgets } };
    const client = testClient(t, [server.url], options);
    const own = () => budgetUses().filter(({ name }) => name.startsWith('counted/a/'));
    t.strictSame(own(), [], 'what is not used is left out');
    await client.get('/x', { weight: 4 });
    const use = { own: 4, used: 4, waiting: 0, paused_until: null };
    t.strictSame(own(), [{ name: 'counted/a/default', weight: 10, per_ms: 60_000, ...use }]);
    await client.close();
    t.strictSame(own(), []);
  },
);

t.test('questions that hang take no connection from the polls', async (t) => {
  const client = testClient(t, [server.url], { limits: { connections: 1 } });
  const hanging = client.get('/hang', { account: 'a' });
  await until(() => server.seen.length === 1, 'the question is under way');
  t.ok((await client.get('/x')).ok);
  await client.close();
  t.equal(failureOf(await hanging).code, 'stopped');
});

t.test('the number of flights is bounded', async (t) => {
  const client = testClient(t, [server.url], { limits: { maxFlights: 1 } });
  const sent = client.get('/slow');
  await arrived();
  t.equal(failureOf(await client.get('/ok')).code, 'over_budget');
  release();
  await sent;
  t.ok((await client.get('/ok')).ok);
});

t.test('one who gives up, or has no more time, ends the exchange', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [server.url], { clock });
  const gone = () => until(() => server.connections() === 0, 'the server sees the connection go');
  const stop = new AbortController();
  const stopped = client.get('/slow', { signal: stop.signal });
  await arrived();
  stop.abort();
  t.equal(failureOf(await stopped).code, 'stopped');
  await gone();
  t.equal(failureOf(await client.get('/slow', { signal: stop.signal })).code, 'stopped');
  t.equal(server.seen.length, 1, 'an aborted signal sends nothing');
  const late = client.get('/slow', { deadline: 500 });
  await until(() => server.seen.length === 2, 'the next one arrived');
  await clock.advance(500);
  t.equal(failureOf(await late).code, 'timeout');
  await gone();
});

t.test('a reply read late by a busy process is not a fault of the upstream', async (t) => {
  const clock = new FakeClock();
  let lag = 0;
  const late = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + lag,
    after: clock.after.bind(clock),
  };
  const limits = { lag: 100, failures: 1 };
  const client = testClient(t, [server.url], { clock: late, limits });
  const asked = client.get('/slow', { deadline: 2_000 });
  await arrived();
  lag = 101;
  await clock.advance(2_000);
  t.equal(failureOf(await asked).code, 'unanswered');
  t.equal(client.state('a').breaker, 'closed');
});

import t from 'tap';
import { success } from '../../../actors/failure.ts';
import { Flight, flightKey } from '../../../actors/upstream/flight.ts';
import { defaultLimits } from '../../../actors/upstream/limits.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, startFaultyServer } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const server = await startFaultyServer();
t.teardown(() => server.close());
let release = () => {};
let broken = 0;
t.beforeEach(() => {
  server.seen.length = 0;
  broken = 0;
  server.on('/slow', (request, response) => {
    response.once('close', () => {
      if (!response.writableEnded) broken++;
    });
    release = () => json({ slow: true })(request, response);
  });
});
const arrived = () => until(() => server.seen.length === 1, 'the request arrived');

t.test('what may share and what may not', async (t) => {
  const base = { api: 'a', path: '/x', query: { q: 1 } };
  t.equal(flightKey(base, {}), flightKey({ ...base, method: 'GET', weight: 9 }, {}));
  const others = [
    { ...base, api: 'b' },
    { ...base, path: '/y' },
    { ...base, query: { q: 2 } },
    { ...base, method: 'POST' as const },
    { ...base, body: {} },
    { ...base, text: true as const },
  ];
  for (const other of others) t.not(flightKey(base, {}), flightKey(other, {}));
  t.not(flightKey(base, {}), flightKey(base, { account: 'a' }), 'a poll and a question');
  t.not(flightKey(base, { account: 'b' }), flightKey(base, { account: 'a' }));
  t.not(flightKey(base, {}), flightKey(base, { account: '' }));
});

t.test('a flight that has its outcome ends without an abort', async (t) => {
  const flight = new Flight<number>(
    { clock: new FakeClock(), limits: defaultLimits },
    'GET x',
    1,
    undefined,
  );
  const callers = [flight.join({ deadline: 1_000 }), flight.join({ deadline: 1_000 })];
  flight.land(Promise.resolve(success(1)));
  t.same(await Promise.all(callers), [success(1), success(1)]);
  await flight.ended;
  t.notOk(flight.signal.aborted);
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

t.test('each caller has its own deadline', async (t) => {
  const clock = new FakeClock();
  const client = testClient(t, [server.url], { clock });
  const results: string[] = [];
  const send = (name: string, deadline: number) =>
    client.get('/slow', { deadline }).then((r) => results.push(r.ok ? name : failureOf(r).code));
  const sent = [send('first', 1_000), send('short', 500), send('long', 3_000)];
  await arrived();
  await clock.advance(500);
  t.same(results, ['timeout']);
  await clock.advance(1_500);
  t.same(results, ['timeout', 'timeout']);
  t.equal(broken, 0, 'the exchange goes on for the one who waits');
  release();
  await Promise.all(sent);
  t.same(results.at(-1), 'long');
});

t.test('one abort leaves the others alone; the last one ends the exchange', async (t) => {
  const client = testClient(t, [server.url]);
  const [one, two] = [new AbortController(), new AbortController()];
  const sent = [
    client.get('/slow', { signal: one.signal }),
    client.get('/slow', { signal: two.signal }),
  ];
  await arrived();
  one.abort();
  t.equal(failureOf(await Promise.race(sent)).code, 'stopped');
  t.equal(broken, 0);
  two.abort();
  await Promise.all(sent);
  await until(() => broken === 1, 'the server sees the connection go');
  t.equal(failureOf(await client.get('/slow', { signal: one.signal })).code, 'stopped');
  t.equal(server.seen.length, 1, 'an aborted signal sends nothing');
  const fresh = client.get('/slow');
  await until(() => server.seen.length === 2, 'who asks then starts anew');
  release();
  t.ok((await fresh).ok);
});

t.test('a window is longer by the spread of arrivals: two never arrive in one', async (t) => {
  const clock = new FakeClock();
  const budgets = { default: { weight: 1, per: 1_000 } };
  const client = testClient(t, [server.url], { clock, api: { budgets }, limits: { spread: 250 } });
  await client.get('/ok');
  const second = client.get('/ok', { query: { n: 1 } });
  await clock.advance(1_249);
  t.same(server.seen, ['GET /ok']);
  await clock.advance(1);
  t.ok((await second).ok);
});

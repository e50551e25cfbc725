/** One budget of an upstream for two processes, over a real Redis and the simulator's enforced limits. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import type { SharedBudgets } from '../../../actors/upstream/shared-budget.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { startFaultyServer } from '../../support/faulty-server.ts';
import { startRedis } from '../../support/redis.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const server = await startRedis();
t.teardown(() => server.stop());
const raw = new Redis(server.url.replace('unix://', ''));
t.teardown(() => raw.disconnect());
t.beforeEach(() => raw.flushall());

/** The outcomes of two processes that want 60 answers each where OKX gives 40 in 2 s. */
async function twoProcesses(t: Test, shared: boolean) {
  const simulator = await startSimulator({ symbols: 12, limits: true });
  t.teardown(() => simulator.close());
  const options = JSON.stringify({
    ...{ redis: server.url, gateway: simulator.url, count: 60, shared },
  });
  const url = new URL('../../support/budget-process.ts', import.meta.url);
  const children = [1, 2].map(() => fork(url, [options], { execArgv: [] }));
  t.teardown(() => children.map((child) => child.kill('SIGKILL')));
  await Promise.all(children.map((child) => once(child, 'message')));
  const outcomes = children.map((child) => once(child, 'message'));
  for (const child of children) child.send('go');
  return (await Promise.all(outcomes)).map(([outcome]) => outcome);
}

/** How many requests were refused by the exchange. */
const refused = (outcomes: readonly { rate_limited?: number }[]) =>
  outcomes.reduce((sum, { rate_limited = 0 }) => sum + rate_limited, 0);

t.test('two processes stay within the budget together, and not each by itself', async (t) => {
  const together = refused(await twoProcesses(t, true));
  t.equal(await raw.exists('budget:okx/rest/candles'), 1);
  const apart = refused(await twoProcesses(t, false));
  // A busy machine delivers some requests late, into the next window of the exchange.
  t.ok(together < apart / 2, `${together} of 120 refused, and ${apart} with a budget each`);
});

t.test('the window in Redis', async (t) => {
  const bus = createBus({ url: server.url, process: 'p' });
  t.teardown(() => bus.close());
  const budgets = bus.budgets();
  const take = (weight: number) => budgets.take('x', { weight: 10, per: 600_000 }, weight);
  t.same([await take(4), await take(0.5), await take(5)], [0, 0, 0]);
  const wait = await take(1);
  t.ok(wait > 590_000 && wait <= 620_000, `${wait} ms until the first step is over`);
  t.same(await take(0.5), 0, 'what fits is not held up');
  t.equal(
    await budgets.take('y', { weight: 10, per: 1_000 }, 50),
    0,
    'an empty one takes anything',
  );
  t.ok((await raw.pttl('budget:y')) <= 1_034);
});

/** A client with a shared window that a test decides. */
async function alone(t: Test, take: SharedBudgets['take']) {
  const clock = new FakeClock();
  const upstream = await startFaultyServer();
  t.teardown(() => upstream.close());
  const client = testClient([upstream.url], { clock, shared: { take } });
  t.teardown(() => client.close());
  return { clock, client };
}

t.test('a request waits for its room, or fails at once where that comes too late', async (t) => {
  const waits = [3_000, 2_000, 0];
  const names: unknown[] = [];
  const { clock, client } = await alone(t, async (name, { weight }, spent) => {
    names.push([name, weight, spent]);
    return waits.shift() ?? 9_000;
  });
  const first = client.get('/ok', { weight: 7 });
  await clock.advance(4_999);
  t.equal(waits.length, 1);
  await clock.advance(1);
  t.ok((await first).ok);
  t.same(names[0], ['test/a/default', 1_000, 7]);
  const late = failureOf(await client.get('/ok', { deadline: 8_999 }));
  t.match(late, { code: 'over_budget', retryAfter: 9_000 });
});

t.test('while the window is not available the local budget alone decides', async (t) => {
  let calls = 0;
  const { clock, client } = await alone(t, () => {
    calls++;
    return calls === 1 ? Promise.reject(new Error('away')) : new Promise(() => {});
  });
  t.ok((await client.get('/ok')).ok);
  t.ok((await client.get('/ok')).ok);
  t.equal(calls, 1, 'it is left alone for a second');
  await clock.advance(1_000);
  const slow = client.get('/ok');
  await clock.advance(250);
  t.ok((await slow).ok, 'nor waited for when it is slow');
  t.equal(calls, 2);
});

import t, { type Test } from 'tap';
import type { Hold, SharedWindows } from '../../../actors/kernel/shared-window.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { startFaultyServer } from '../../support/faulty-server.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const { raw, bus, join } = await busStage(t);
t.beforeEach(() => raw.flushall());

/** How many requests two processes send that want 30 answers each at once, of an upstream that gives 40 in ten minutes. */
async function sentByTwo(t: Test, isShared: boolean) {
  const upstream = await startFaultyServer();
  t.teardown(() => upstream.close());
  const api = { budgets: { default: { weight: 40, per: 600_000 } } };
  const clients = [1, 2].map(() => {
    const more = isShared ? { shared: join().budgets() } : {};
    return testClient(t, [upstream.url], { clock: new FakeClock(), api, ...more });
  });
  const asked = clients.flatMap((client) =>
    Array.from({ length: 30 }, (_, i) => client.get('/ok', { query: { i } })),
  );
  const ok = (await Promise.all(asked)).filter((result) => result.ok).length;
  t.equal(upstream.seen.length, ok);
  return ok;
}

t.test('two processes stay within the budget together, and not each by itself', async (t) => {
  t.equal(await sentByTwo(t, true), 40);
  t.equal(await raw.exists('budget:test/a/default'), 1);
  t.equal(await sentByTwo(t, false), 60);
});

t.test('the window in Redis', async (t) => {
  const budgets = bus.budgets();
  const budget = { weight: 10, per: 600_000 };
  let count = 0;
  const hold = (weight: number, id = `${count++}`) =>
    budgets.hold('x', budget, { id, weight, life: 60_000 });
  t.same([await hold(4), await hold(0.5), await hold(5)], [0, 0, 0]);
  const wait = await hold(1);
  t.ok(wait > 590_000 && wait <= 600_000, `${wait} ms, should one of them end now`);
  t.same(await hold(0.5), 0, 'what fits is not held up');
  t.equal(await hold(4.5, '0'), wait, 'a hold grows where there is room');
  t.same(await raw.hget('budget:x', '0').then((text) => text?.slice(0, 2)), '4:');
  const settle = (id: string, spent: number, next: number | null) =>
    budgets.settle('x', budget, {
      id,
      spent,
      next: next === null ? null : { weight: next, life: 60_000 },
    });
  t.same(await settle('0', 4, 1), false, 'what was spent takes the room of the next');
  t.same(await settle('1', 0, null), false);
  t.same(await hold(0.5), 0, 'of what was not sent nothing is spent');
  t.same(await settle('2', 1, 4), true);
  t.ok((await hold(0.5)) > 590_000);
  t.ok((await raw.pttl('budget:x')) > 600_000);
});

t.test('a hold that is not settled counts for a window from its end on', async (t) => {
  const budget = { weight: 1, per: 600_000 };
  const hold = () => bus.budgets().hold('y', budget, { id: 'b', weight: 1, life: 60_000 });
  /** As if a hold of a process that died had ended `ago` ms before now, by the clock of Redis. */
  const endedAgo = async (ago: number) => {
    const [seconds = 0, micros = 0] = await raw.time();
    const time = seconds * 1_000 + Math.floor(micros / 1_000);
    await raw.hset('budget:y', 'a', `1:${time - ago}`);
  };
  await endedAgo(-60_000);
  t.ok((await hold()) > 590_000, 'it has not ended');
  await endedAgo(300_000);
  const wait = await hold();
  t.ok(wait > 290_000 && wait <= 300_000, `${wait} ms are left of the window`);
  await endedAgo(600_000);
  t.equal(await hold(), 0);
});

/** A client with a shared window that a test decides. */
async function alone(t: Test, hold: SharedWindows['hold'], settle?: SharedWindows['settle']) {
  const clock = new FakeClock();
  const upstream = await startFaultyServer();
  t.teardown(() => upstream.close());
  const shared = { hold, settle: settle ?? (async () => false) };
  const client = testClient(t, [upstream.url], { clock, shared });
  return { clock, client };
}

t.test('a request waits for its room, or fails at once where that comes too late', async (t) => {
  const waits = [3_000, 2_000, 0];
  const names: unknown[] = [];
  const { clock, client } = await alone(t, async (name, { weight }, wanted) => {
    names.push([name, weight, wanted.weight]);
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

t.test('what an ended request holds for the next need not be asked for', async (t) => {
  const asked: Hold[] = [];
  const settled: unknown[] = [];
  let isHeld = true;
  const { clock, client } = await alone(
    t,
    async (_name, _budget, wanted) => {
      asked.push(wanted);
      return 0;
    },
    async (_name, _budget, { spent, next }) => {
      settled.push([spent, next?.weight]);
      return isHeld;
    },
  );
  const get = async (weight: number, more = {}) => {
    await client.get('/ok', { weight, ...more });
    await settle();
  };
  await get(7);
  t.match(asked, [{ weight: 7, life: 10_000 }]);
  await get(7);
  await get(5);
  t.equal(asked.length, 1);
  await get(8);
  t.match(asked[1], { id: asked[0]?.id, weight: 8 }, 'it grows for a request of more weight');
  await get(8, { deadline: 30_001 });
  t.equal(asked.length, 3, 'it must last until the deadline');
  await clock.advance(25_000);
  await get(8);
  t.equal(asked.length, 4);
  isHeld = false;
  await get(251);
  await get(1);
  t.equal(asked.length, 6, 'nothing is held where there is no room');
  t.same(settled.at(-2), [251, undefined], 'nor more than a quarter of the budget');
});

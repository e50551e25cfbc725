/** The window in Redis: what processes spend together, and pauses that outlive a process. */
import t, { type Test } from 'tap';
import type { Part, Room, SharedWindows } from '../../../actors/kernel/shared-window.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { startFaultyServer } from '../../support/faulty-server.ts';
import { until } from '../../support/until.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const { raw, bus, join } = await busStage(t);
t.beforeEach(() => raw.flushall());

const upstreamOf = async (t: Test) => {
  const upstream = await startFaultyServer();
  t.teardown(() => upstream.close());
  return upstream;
};

/** How many requests two processes send that want 30 answers each at once, of an upstream that gives 40 in ten minutes. */
async function sentByTwo(t: Test, isShared: boolean) {
  const upstream = await upstreamOf(t);
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

t.test('a ban that one process meets holds for all, and for those that start in it', async (t) => {
  const upstream = await upstreamOf(t);
  const start = (clock = new FakeClock(Date.now())) =>
    testClient(t, [upstream.url], { clock, shared: join().budgets() });
  const [first, second] = [start(), start()];
  t.ok((await second.get('/ok')).ok);
  t.match(failureOf(await first.get('/418')), { code: 'banned', retryAfter: 7_200_000 });
  await until(async () => (await raw.exists('pause:test/a')) === 1, 'it is written');
  await first.close();
  upstream.seen.length = 0;
  const third = start();
  for (const account of [undefined, 'a']) {
    const asked = { deadline: 10_000, ...(account && { account }) };
    const failure = failureOf(await third.get('/ok', asked));
    t.match(failure, { code: 'banned' });
    t.ok((failure.retryAfter ?? 0) > 7_190_000, 'until its end');
  }
  t.ok((third.state('a').pausedUntil ?? 0) > Date.now() + 7_190_000);
  t.same(upstream.seen, [], 'nothing was sent');
  t.match(await raw.get('pause:test/a'), /^\d+:banned$/);
});

const none: Part = { id: 'a', spent: 0, held: 0, least: 0, want: 0, life: 60_000, pause: null };
const window = { name: 'x/y', api: 'x', weight: 10, per: 600_000 };

t.test('the window in Redis', async (t) => {
  const sync = (part: Partial<Part>) => bus.budgets().sync(window, { ...none, ...part });
  const free = { wait: 0, pause: null };
  t.strictSame(await sync({ least: 1, want: 4 }), { held: 4, ...free });
  t.strictSame(await sync({ id: 'b', least: 0.5, want: 9 }), { held: 6, ...free }, 'what is left');
  const full = await sync({ id: 'c', least: 1, want: 1 });
  t.match(full, { held: 0, pause: null });
  t.ok(full.wait > 590_000 && full.wait <= 600_000, `${full.wait} ms, should one end now`);
  t.strictSame(await sync({ id: 'b', held: 0.5, least: 0.5, want: 0.5 }), { held: 0.5, ...free });
  t.strictSame(await sync({ spent: 4 }), { held: 0, ...free }, 'what is spent is not held');
  t.strictSame(await sync({ id: 'c', least: 5.5, want: 6 }), { held: 5.5, ...free });
  t.ok((await raw.pttl('budget:x/y')) > 600_000);
});

t.test('a pause is that of an API, and never shortened', async (t) => {
  const tell = async (name: string, pause: Part['pause']) =>
    (await bus.budgets().sync({ ...window, name }, { ...none, pause })).pause;
  t.match(await tell('x/y', { ms: 60_000, code: 'banned' }), { code: 'banned' });
  t.match(await tell('x/z', { ms: 1_000, code: 'rate_limited' }), { code: 'banned' });
  const left = (await tell('x/z', null))?.ms ?? 0;
  t.ok(left > 55_000 && left <= 60_000, `${left} ms`);
  t.match(await tell('x/y', { ms: 90_000, code: 'rate_limited' }), { code: 'rate_limited' });
});

t.test('a part that is not replaced counts for a window from its end on', async (t) => {
  const small = { name: 'y', api: 'x', weight: 1, per: 600_000 };
  const wait = async () =>
    (await bus.budgets().sync(small, { ...none, id: 'b', least: 1, want: 1 })).wait;
  /** As if the part of a process that died had ended `ago` ms before now, by the clock of Redis. */
  const endedAgo = async (ago: number) => {
    const [seconds = 0, micros = 0] = await raw.time();
    const time = seconds * 1_000 + Math.floor(micros / 1_000);
    await raw.hset('budget:y', 'a', `1:${time - ago}`);
  };
  await endedAgo(-60_000);
  t.ok((await wait()) > 590_000, 'it has not ended');
  await endedAgo(300_000);
  const left = await wait();
  t.ok(left > 290_000 && left <= 300_000, `${left} ms are left of the window`);
  await endedAgo(600_000);
  t.equal(await wait(), 0);
});

/** A client with a shared window that a test decides. */
async function alone(t: Test, sync: (part: Part) => Promise<Room>) {
  const clock = new FakeClock();
  const upstream = await upstreamOf(t);
  const shared: SharedWindows = { sync: (_, part) => sync(part) };
  const client = testClient(t, [upstream.url], { clock, shared });
  return { clock, client };
}

t.test('a request waits for its room, or fails at once where that comes too late', async (t) => {
  const waits = [3_000, 2_000, 0];
  const wanted: number[] = [];
  const { clock, client } = await alone(t, async ({ held, least }) => {
    wanted.push(least);
    const wait = waits.shift() ?? 9_000;
    return { held: wait > 0 ? held : least, wait, pause: null };
  });
  const first = client.get('/ok', { weight: 7 });
  await clock.advance(4_999);
  t.equal(waits.length, 1);
  await clock.advance(1);
  t.ok((await first).ok);
  t.equal(wanted[0], 7);
  const late = failureOf(await client.get('/ok', { weight: 300, deadline: 8_999 }));
  t.match(late, { code: 'over_budget', bound: /all processes together/ });
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

t.test('what ends holds as much for the next, which does not wait for Redis', async (t) => {
  const parts: Part[] = [];
  const { clock, client } = await alone(t, async (part) => {
    parts.push(part);
    return { held: part.want, wait: 0, pause: null };
  });
  const get = async (weight: number) => {
    await client.get('/ok', { weight });
    await settle();
  };
  await get(7);
  t.match(parts[0], { spent: 0, held: 0, least: 7, want: 7 });
  t.match(parts[1], { spent: 7, held: 0, least: 0, want: 7 });
  await get(7);
  await get(5);
  t.equal(parts.length, 4, 'one script for each');
  await get(8);
  t.match(parts[4], { held: 0, least: 8, want: 8 }, 'it asks where it needs more');
  await clock.advance(1_000);
  parts.length = 0;
  await get(1);
  t.match(parts[0], { least: 1 }, 'a pause of another process is known within a second');
  await get(251);
  t.match(parts.at(-1), { spent: 251, want: 0 }, 'no more is held than a quarter of the budget');
});

t.test('requests of one moment ask together', async (t) => {
  const parts: Part[] = [];
  const { client } = await alone(t, async (part) => {
    parts.push(part);
    return { held: part.want, wait: 0, pause: null };
  });
  await Promise.all(Array.from({ length: 50 }, (_, i) => client.get('/ok', { query: { i } })));
  await settle();
  t.ok(parts.length < 40, `${parts.length} scripts for 50 requests`);
  t.equal(
    parts.reduce((total, { spent }) => total + spent, 0),
    50,
  );
});

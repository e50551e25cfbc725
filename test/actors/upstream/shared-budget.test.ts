/** The window in Redis: what processes spend together, and pauses that outlive a process. */
import t, { type Test } from 'tap';
import { type Clock, ServiceClock, systemClock } from '../../../actors/kernel/clock.ts';
import type { Ended, Room, SharedWindows } from '../../../actors/kernel/shared-window.ts';
import { connectTurn } from '../../../actors/sources/streams/pacer.ts';
import type { Limits } from '../../../actors/upstream/request.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, startFaultyServer } from '../../support/faulty-server.ts';
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
async function sentByTwo(t: Test, addresses: readonly (string | null)[]) {
  const upstream = await upstreamOf(t);
  const api = { budgets: { default: { weight: 40, per: 600_000 } } };
  const clients = addresses.map((address) =>
    testClient(t, [upstream.url], {
      ...{ clock: new FakeClock(), api, reserved: {} },
      shared: join().budgets(address),
    }),
  );
  const asked = clients.flatMap((client) =>
    Array.from({ length: 30 }, (_, i) => client.get('/ok', { query: { i } })),
  );
  const ok = (await Promise.all(asked)).filter((result) => result.ok).length;
  t.equal(upstream.seen.length, ok);
  return ok;
}

t.test('processes of one address stay within the budget together', async (t) => {
  t.equal(await sentByTwo(t, [null, null]), 40);
  t.equal(await raw.exists('budget:test/a/default'), 1);
  t.equal(await sentByTwo(t, ['home', 'away']), 60);
  t.equal(await raw.exists('budget:home/test/a/default'), 1);
});

t.test(
  'a ban that one process meets holds for all of its address, and for those that start in it',
  async (t) => {
    const upstream = await upstreamOf(t);
    const start = (address: string | null = null) =>
      testClient(t, [upstream.url], {
        clock: new FakeClock(Date.now()),
        shared: join().budgets(address),
      });
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
    t.match(failureOf(await second.get('/ok')), { code: 'banned' });
    t.same(upstream.seen, [], 'nothing was sent');
    t.ok((await start('away').get('/ok')).ok, 'another address is not banned');
  },
);

/** OKX takes three a second: https://www.okx.com/docs-v5/en/#overview-websocket-connect */
t.test('two processes open no more connections to a host together than it takes', async (t) => {
  const clocks = [new ServiceClock(), new ServiceClock()];
  const [one, two, away] = ['home', 'home', 'away'].map((address) => join().budgets(address));
  const times: number[] = [];
  const open = async (shared: SharedWindows | undefined, clock: Clock) => {
    await connectTurn('ws.example', { shared, clock }, () => times.push(performance.now()) > 0);
  };
  await Promise.all(
    Array.from({ length: 8 }, (_, at) => open(at % 2 ? one : two, clocks[at % 2] ?? systemClock)),
  );
  const sooner = times.slice(3).filter((time, at) => time - (times[at] ?? 0) < 1_000);
  t.same(sooner, [], 'no four of them within a second');
  await connectTurn('ws.example', { shared: away, clock: new ServiceClock() }, () => true);
  t.equal(await raw.exists('budget:home/ws.example/connect/350'), 1);
  t.equal(await raw.exists('budget:away/ws.example/connect/350'), 1, 'each address by itself');
});

t.test('what a host takes in a minute is shared too', async (t) => {
  const clocks = [new FakeClock(), new FakeClock()];
  const shared = join().budgets(null);
  let opened = 0;
  for (const clock of clocks)
    for (let i = 0; i < 4; i++)
      void connectTurn('few.example', { shared, clock, most: 3 }, () => ++opened > 0);
  await until(async () => {
    for (const clock of clocks) await clock.advance(50);
    return opened === 3;
  }, 'three of eight');
  const { wait } = await shared.take(
    { name: 'few.example/connect/60000', api: 'few.example/connect', weight: 3, per: 60_000 },
    { weight: 1, life: 0 },
  );
  t.ok(wait > 50_000, `${wait} ms until the next`);
});

/** As if the ban of the API `x` had ended just now. */
const banned = () => raw.set('pause:x', `${Date.now() - 100}:banned:0`);
const window = { name: 'x/y', api: 'x', weight: 10, per: 600_000 };
const budgets = bus.budgets(null);
const take = (weight: number) => budgets.take(window, { weight, life: 60_000 });
const end = (ended: Partial<Ended>) =>
  budgets.end(window, {
    place: null,
    weight: 1,
    keep: window.per,
    isAnswer: false,
    stated: 0,
    ...ended,
  });

t.test('after a ban one request of all processes goes, the others after its answer', async (t) => {
  const upstream = await upstreamOf(t);
  let release = () => {};
  upstream.on('/slow', (request, response) => {
    release = () => json({})(request, response);
  });
  await raw.set('pause:test/a', `${Date.now() - 100}:banned:0`);
  const clock = new FakeClock();
  const takes = { begun: 0, ended: 0 };
  const clients = [1, 2].map(() => {
    const windows = join().budgets(null);
    const take: SharedWindows['take'] = (...turn) => {
      takes.begun++;
      return windows.take(...turn).finally(() => takes.ended++);
    };
    return testClient(t, [upstream.url], { clock, shared: { ...windows, take } });
  });
  /** Redis answers in its own time: no client may find it late since the clock is moved by hand. */
  const moveOn = async () => {
    if (takes.begun === takes.ended) await clock.advance(100);
  };
  const asked = clients.flatMap((client) =>
    Array.from({ length: 10 }, (_, i) => client.get('/slow', { query: { i } })),
  );
  await until(() => upstream.seen.length === 1, 'the first');
  const before = takes.ended;
  await until(async () => {
    await moveOn();
    return takes.ended >= before + 6;
  }, 'both ask again');
  t.equal(upstream.seen.length, 1);
  upstream.on('/slow', json({}));
  release();
  await Promise.race(asked);
  await until(async () => {
    await moveOn();
    return upstream.seen.length === 20;
  }, 'all others');
  t.ok((await Promise.all(asked)).every(({ ok }) => ok));
  t.equal(await raw.exists('pause:test/a'), 0);
});

t.test(
  'the first request after a ban that is not answered is followed by another one',
  async (t) => {
    await banned();
    const first = await take(1);
    t.type(first.place, 'number');
    t.strictSame(await take(1), { place: null, wait: 200, pause: null });
    await end({ place: first.place });
    t.match(await take(1), { place: null }, 'a refusal or a lost connection proves nothing');
    await raw.set('pause:x', `${Date.now() - 9_000}:banned:${Date.now() - 10}`);
    t.type((await take(1)).place, 'number', 'after five seconds');
    await end({ isAnswer: true });
    t.equal(await raw.exists('pause:x'), 0);
    t.type((await take(1)).place, 'number');
    await budgets.pause('x', { ms: 60_000, code: 'banned' });
    await end({ isAnswer: true });
    t.match(
      await take(1),
      { place: null, pause: { code: 'banned' } },
      'an earlier request ends no ban',
    );
  },
);

t.test('a request counts from its turn until a window after its end', async (t) => {
  const first = await take(4);
  t.match(first, { wait: 0, pause: null });
  const second = await take(6);
  const full = await take(1);
  t.match(full, { place: null, pause: null });
  t.ok(full.wait > 590_000 && full.wait <= 600_000, `${full.wait} ms, should one end now`);
  await end({ place: first.place, weight: 4 });
  t.match(await take(1), { place: null }, 'it has ended, and counts');
  await end({ place: second.place, weight: 6, keep: 0 });
  t.ok((await take(6)).place, 'what was not sent does not count');
  t.ok((await raw.pttl('budget:x/y')) > 600_000);
  await raw.flushall();
  t.ok((await take(11)).place, 'what is larger than the window takes all of it');
  t.notOk((await take(1)).place);
});

t.test('what the upstream states is adopted where it is more', async (t) => {
  const { place } = await take(2);
  await end({ place, weight: 2, stated: 1 });
  t.ok((await take(1)).place);
  await end({ weight: 0, keep: 0, stated: 9 });
  t.ok((await take(1)).place);
  t.notOk((await take(1)).place);
});

t.test('a pause is that of an API, and never shortened', async (t) => {
  const left = async (name: string) =>
    (await budgets.take({ ...window, name }, { weight: 1, life: 1 })).pause;
  await budgets.pause('x', { ms: 60_000, code: 'banned' });
  await budgets.pause('x', { ms: 1_000, code: 'rate_limited' });
  t.match(await left('x/z'), { code: 'banned' });
  const { ms = 0 } = (await left('x/y')) ?? {};
  t.ok(ms > 55_000 && ms <= 60_000, `${ms} ms`);
  await budgets.pause('x', { ms: 90_000, code: 'rate_limited' });
  t.match(await left('x/y'), { code: 'rate_limited' });
});

t.test(
  'what a process that died had under way counts until a window after its longest life',
  async (t) => {
    const small = { name: 'y', api: 'x', weight: 1, per: 600_000 };
    const held = { weight: 1, life: 60_000 };
    await budgets.take(small, held);
    const wait = async () => (await budgets.take(small, held)).wait;
    t.ok((await wait()) > 590_000);
    /** As if it had stopped to count `ago` ms before now: steps are 10 s. */
    const overAgo = async (ago: number) => {
      await raw.del('budget:y');
      await raw.hset('budget:y', `${Math.floor((Date.now() - ago) / 10_000) - 1}`, '1');
    };
    await overAgo(-300_000);
    const left = await wait();
    t.ok(left > 285_000 && left <= 310_000, `${left} ms are left`);
    await overAgo(0);
    t.equal(await wait(), 0);
  },
);

/** A client with a shared window that a test decides. */
async function alone(t: Test, take: () => Promise<Room>, limits: Partial<Limits> = {}) {
  const clock = new FakeClock();
  const upstream = await upstreamOf(t);
  const ended: Ended[] = [];
  const shared: SharedWindows = {
    take,
    end: async (_, one) => void ended.push(one),
    pause: async () => {},
  };
  const client = testClient(t, [upstream.url], { clock, shared, limits });
  return { clock, client, ended, upstream };
}

t.test('a request waits for its room, or fails at once where that comes too late', async (t) => {
  const waits = [3_000, 2_000, 0];
  const { clock, client } = await alone(t, async () => {
    const wait = waits.shift() ?? 9_000;
    return { place: wait > 0 ? null : 7, wait, pause: null };
  });
  const first = client.get('/ok', { weight: 7 });
  await clock.advance(4_999);
  t.equal(waits.length, 1);
  await clock.advance(1);
  t.ok((await first).ok);
  const late = failureOf(await client.get('/ok', { weight: 300, deadline: 8_999 }));
  t.match(late, { code: 'over_budget', bound: /is used or waited for/ });
});

t.test('while the window is not available the local budget alone decides', async (t) => {
  let calls = 0;
  const { clock, client, ended } = await alone(t, () => {
    calls++;
    return calls === 1 ? Promise.reject(new Error('away')) : new Promise(() => {});
  });
  t.ok((await client.get('/ok')).ok);
  t.ok((await client.get('/ok')).ok);
  t.equal(calls, 1, 'it is left alone for a second');
  await clock.advance(1_000);
  const slow = client.get('/ok', { weight: 997 });
  await clock.advance(250);
  t.ok((await slow).ok, 'nor waited for when it is slow');
  t.match(failureOf(await client.get('/ok', { weight: 4, deadline: 999 })), {
    code: 'over_budget',
  });
  t.match(
    ended,
    [{ place: null, weight: 1 }, { weight: 1 }, { weight: 997 }],
    'it hears of them later',
  );
});

t.test('what was given up while Redis was asked was not sent, and is not counted', async (t) => {
  const asked = Promise.withResolvers<Room>();
  const { client, ended, upstream } = await alone(t, () => asked.promise);
  const stop = new AbortController();
  const sent = client.get('/ok', { signal: stop.signal });
  stop.abort();
  t.equal(failureOf(await sent).code, 'stopped');
  asked.resolve({ place: 7, wait: 0, pause: null });
  await until(() => ended.length === 1, 'it gives its place back');
  t.match(ended, [{ place: 7, weight: 1, keep: 0, isAnswer: false }]);
  t.same(upstream.seen, []);
});

t.test('a request whose answer was not waited for counts for longer, in Redis too', async (t) => {
  const room = async () => ({ place: 7, wait: 0, pause: null });
  const { clock, client, ended, upstream } = await alone(t, room, { abandoned: 5_000 });
  const sent = client.get('/hang', { deadline: 2_000 });
  await until(() => upstream.seen.length === 1, 'it is under way');
  await clock.advance(2_000);
  t.equal(failureOf(await sent).code, 'timeout');
  t.match(ended, [{ keep: 1_000 + 5_000, isAnswer: false }], 'a window of a second and five more');
});

/** Feed processes that share sources: their leases, signs of life and hand-overs, under a clock that the test moves. */
import t, { type Test } from 'tap';
import type { Holder, Lease } from '../../../actors/kernel/lease.ts';
import { HandOvers } from '../../../actors/sources/hand-overs.ts';
import { leaseOf } from '../../../actors/sources/lease.ts';
import type { ProcessReport } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

const log = createLogger({ logLevel: 'silent' }, 'test');
const names = Array.from({ length: 24 }, (_, at) => `s${at}`);
/** What a standby needs until it is ready, and a run until it has ended, ms. */
const takes = { standby: 700, stop: 300 };

interface Event {
  at: number;
  source: string;
  process: string;
  what: 'begins' | 'ends' | 'hands over';
}

/** Any number of processes that offer to run the same sources. */
function cluster(t: Test, seed = 1) {
  const clock = new FakeClock();
  const store = new MemoryStore(clock);
  const began = clock.now();
  const events: Event[] = [];
  const processes = new Map<string, ReturnType<typeof start>>();
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  const note = (source: string, process: string, what: Event['what']) =>
    events.push({ at: clock.now() - began, source, process, what });
  /** The holder of a process, which is ready for a hand-over after some ms. */
  function holderOf(name: string, process: string, ready: number): Holder {
    const since = clock.now();
    let hasBegun = false;
    return {
      isReady: () => clock.now() - since >= ready,
      begin() {
        hasBegun = true;
        note(name, process, 'begins');
      },
      async stop(isHandedOver) {
        if (!hasBegun) return;
        // One that only loses its lease publishes no more, however long it takes to end.
        if (!isHandedOver) note(name, process, 'ends');
        await wait(takes.stop);
        if (isHandedOver) note(name, process, 'hands over');
      },
    };
  }

  function start(id: string, { offered = names, ready = takes.standby } = {}) {
    const sources = new Map<string, Lease>();
    const bus = { leases: () => store };
    const context = { bus, clock, random, log, process: id };
    for (const name of offered)
      sources.set(
        name,
        leaseOf(name, context, { holder: () => holderOf(name, id, ready), isFenced: true }),
      );
    const handOvers = new HandOvers({ id, names, sources, bus, clock, random, log });
    const beat = () => {
      const report = {
        id,
        role: 'feed',
        at: clock.now(),
        leaves: handOvers.leaves,
      } as ProcessReport;
      for (const one of processes.values()) one.handOvers.accept(structuredClone(report));
    };
    handOvers.start();
    let isOver = false;
    const beats = () => {
      if (isOver) return;
      beat();
      clock.after(5_000, beats);
    };
    clock.after(0, beats);
    const made = {
      handOvers,
      held: () => [...sources].filter(([, one]) => one.isHeld).map(([name]) => name),
      /** As on SIGTERM. */
      async leave() {
        const left = handOvers.leave(beat);
        let ended = false;
        void left.then(() => {
          ended = true;
        });
        const since = clock.now();
        while (!ended) await clock.advance(50);
        const took = clock.now() - since;
        await made.stop();
        return took;
      },
      /** As when it cannot hand over any more. */
      async stop() {
        isOver = true;
        handOvers.stop();
        processes.delete(id);
        const ended = Promise.all([...sources.values()].map((one) => one.stop()));
        await clock.advance(3_000);
        await ended;
      },
    };
    processes.set(id, made);
    return made;
  }

  t.teardown(async () => {
    for (const one of [...processes.values()]) await one.stop();
  });
  const shares = () => [...processes.values()].map((one) => one.held().length);
  const handedOver = () => events.filter(({ what }) => what === 'hands over');
  return { clock, store, events, began, start, shares, handedOver };
}

/** The longest time for which nobody ran a source, ms, from its first run until `end`. */
function longestGap(events: readonly Event[], end: number): number {
  let longest = 0;
  for (const own of Map.groupBy(events, ({ source }) => source).values()) {
    let ended: number | null = null;
    for (const { at, what } of own) {
      if (what === 'begins' && ended !== null) longest = Math.max(longest, at - ended);
      ended = what === 'begins' ? null : at;
    }
    if (ended !== null) longest = Math.max(longest, end - ended);
  }
  return longest;
}

/** How many processes run a source at most at a time. */
function mostAtOnce(events: readonly Event[]): number {
  const running = new Map<string, number>();
  let most = 0;
  for (const { source, what } of events) {
    const now = (running.get(source) ?? 0) + (what === 'begins' ? 1 : -1);
    running.set(source, now);
    most = Math.max(most, now);
  }
  return most;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const isFair = (share: number, [from, to]: readonly [number, number]) =>
  share >= from * names.length && share <= to * names.length;

t.test('one process runs everything within seconds', async (t) => {
  const { clock, start, shares, handedOver } = cluster(t);
  start('a');
  await clock.advance(6_000);
  t.strictSame(shares(), [24]);
  await clock.advance(60_000);
  t.strictSame(handedOver(), []);
});

t.test('of two that started one after the other each runs half within two minutes', async (t) => {
  for (const apart of [1_200, 30_000]) {
    const { clock, began, events, start, shares, handedOver } = cluster(t, apart);
    start('a');
    await clock.advance(apart);
    start('b');
    await clock.advance(120_000);
    for (const share of shares()) t.ok(isFair(share, [0.4, 0.6]), `${share} of 24`);
    t.equal(sum(shares()), 24);
    t.ok(longestGap(events, clock.now() - began) <= 250, 'nothing waits for its next holder');
    t.equal(mostAtOnce(events), 1);
    const moved = handedOver().length;
    await clock.advance(120_000);
    t.equal(handedOver().length, moved, 'and then nothing moves');
  }
});

t.test('three share again within two minutes of restarts that hand nothing over', async (t) => {
  const { clock, began, events, start, shares, handedOver } = cluster(t, 3);
  let running = ['a', 'b', 'c'].map((id) => start(id));
  await clock.advance(120_000);
  for (const share of shares()) t.ok(isFair(share, [0.25, 0.42]), `${share} of 24`);
  for (const id of ['d', 'e', 'f']) {
    const [oldest, ...others] = running;
    await oldest?.stop();
    running = [...others, start(id)];
    await clock.advance(10_000);
  }
  await clock.advance(110_000);
  for (const share of shares()) t.ok(isFair(share, [0.25, 0.42]), `${share} of 24`);
  const gap = longestGap(events, clock.now() - began);
  t.ok(gap <= 2_000, `a stop is followed within two seconds: ${gap} ms`);
  const moved = handedOver().length;
  await clock.advance(120_000);
  t.equal(handedOver().length, moved, 'and then nothing moves');
});

t.test('three share from whatever one, two or three began with', async (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const { clock, start, shares, handedOver } = cluster(t, seed);
    start('a');
    await clock.advance(30_000);
    start('b');
    await clock.advance(seed * 15_000);
    start('c');
    await clock.advance(180_000);
    for (const share of shares()) t.ok(isFair(share, [0.25, 0.42]), `${share} of 24`);
    t.ok(handedOver().length <= 24, 'no more moves than sources');
  }
});

t.test('no source is handed over twice within a minute, whatever comes and goes', async (t) => {
  const { clock, events, start, handedOver } = cluster(t, 11);
  let running = [start('p0'), start('p1')];
  for (let round = 2; round < 20; round++) {
    await clock.advance(40_000);
    const [first, ...others] = running;
    if (running.length > 3) {
      await first?.stop();
      running = others;
    } else running = [...running, start(`p${round}`)];
  }
  t.ok(handedOver().length > 24, `${handedOver().length} hand-overs`);
  for (const [source, own] of Map.groupBy(handedOver(), (one) => one.source)) {
    const pauses = own.slice(1).map(({ at }, i) => at - (own[i]?.at ?? 0));
    const least = Math.min(...pauses);
    if (least < 60_000) t.fail(`${source} was handed over after ${least} ms`);
  }
  t.equal(mostAtOnce(events), 1);
});

t.test('a source that a process cannot prepare stays where it is, and others move', async (t) => {
  const { clock, start, shares, handedOver, store } = cluster(t, 5);
  start('a');
  await clock.advance(10_000);
  start('b', { ready: Number.POSITIVE_INFINITY });
  await clock.advance(180_000);
  t.strictSame(shares(), [24, 0]);
  t.strictSame(handedOver(), []);
  const tried = store.stoodBy.map(({ name }) => name);
  t.ok(tried.length >= 5, `${tried}`);
  t.equal(new Set(tried).size, tried.length, 'each was tried once');
});

t.test('a process takes only what it offers', async (t) => {
  const { clock, start, shares } = cluster(t, 7);
  start('a');
  await clock.advance(60_000);
  const b = start('b', { offered: names.slice(0, 5) });
  await clock.advance(60_000);
  t.strictSame(shares(), [19, 5]);
  t.strictSame(b.held().sort(), names.slice(0, 5));
});

t.test('when the holder dies the one that stands by goes on', async (t) => {
  const { clock, store, start } = cluster(t, 9);
  const a = start('a', { offered: ['s0', 's1', 's2'] });
  await clock.advance(60_000);
  const b = start('b', { offered: ['s0', 's1', 's2'], ready: 5_000 });
  while (store.stoodBy.length === 0) await clock.advance(100);
  const [{ name } = { name: '' }] = store.stoodBy;
  await a.stop();
  await clock.advance(1_000);
  t.ok(b.held().includes(name), 'before it was ready');
});

t.test('a process that ends hands everything over before, within its time', async (t) => {
  const { clock, began, events, start, shares, handedOver } = cluster(t, 13);
  let running = ['a', 'b', 'c'].map((id) => start(id));
  await clock.advance(120_000);
  // The last of them hands over again what has changed its process within the minute.
  for (const id of ['d', 'e', 'f']) {
    const [oldest, ...others] = running;
    const took = await oldest?.leave();
    t.ok(took !== undefined && took <= 6_000, `${took} ms`);
    running = [...others, start(id)];
    await clock.advance(15_000);
  }
  // What has changed its process while others ended may move again after a minute.
  await clock.advance(120_000);
  const gap = longestGap(events, clock.now() - began);
  t.ok(gap <= 250, `nothing waits for its next holder: ${gap} ms`);
  t.equal(mostAtOnce(events), 1);
  t.ok(
    events.every(({ what }) => what !== 'ends'),
    'nothing ended without another process',
  );
  t.equal(sum(shares()), 24);
  for (const share of shares()) t.ok(isFair(share, [0.25, 0.42]), `${share} of 24`);
  const moved = handedOver().length;
  await clock.advance(120_000);
  t.equal(handedOver().length, moved, 'and then nothing moves');
});

t.test('one that ends waits for nobody where all end, and six seconds at most', async (t) => {
  const { clock, start } = cluster(t, 17);
  const a = start('a');
  await clock.advance(10_000);
  t.equal(await a.leave(), 50, 'alone');
  const [b, c] = [start('b'), start('c', { ready: Number.POSITIVE_INFINITY })];
  await clock.advance(10_000);
  const took = await b.leave();
  t.ok(took > 5_900 && took <= 6_050, `the other one is not ready: ${took} ms`);
  await clock.advance(10_000);
  const d = start('d');
  await clock.advance(10_000);
  const [first, second] = [c.leave(), d.leave()];
  t.ok(Math.max(await first, await second) <= 6_100);
});

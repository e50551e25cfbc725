import t from 'tap';
import { LeasedWork } from '../../../actors/sources/with-lease.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

t.test('a source that is lost begins again once its first run has stopped', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const events: string[] = [];
  let stopped = () => {};
  const bus = { leases: () => memory };
  const context = { bus, clock, random: () => 0.5, log, process: 'feed-1' };
  const run = new LeasedWork('okx', context, {
    begin({ fence }) {
      events.push(`begins ${fence}`);
      return {
        stop: () =>
          new Promise<void>((resolve) => {
            events.push(`stops ${fence}`);
            stopped = () => {
              events.push(`has stopped ${fence}`);
              resolve();
            };
          }),
      };
    },
  });
  await clock.advance(500);
  await memory.release('okx', memory.holder('okx') ?? '');
  await clock.advance(30_000);
  t.strictSame(events, ['begins 1', 'stops 1']);
  stopped();
  await clock.advance(500);
  t.strictSame(events, ['begins 1', 'stops 1', 'has stopped 1', 'begins 2']);
  const end = run.stop();
  stopped();
  await clock.advance(1);
  stopped();
  await end;
});

t.test('a source that cannot begin is counted, free for others, and tried again', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const failedStarts = new Map<string, number>();
  const bus = { leases: () => memory };
  const context = { bus, clock, random: () => 0.5, log, process: 'feed-1', failedStarts };
  let broken = true;
  const run = new LeasedWork('okx', context, {
    begin() {
      if (broken) throw new Error('no room');
      return { stop: async () => {} };
    },
  });
  // A pause of 0.25 s, then of 1 and of 2 s.
  await clock.advance(250);
  t.strictSame(Object.fromEntries(failedStarts), { okx: 1 });
  t.equal(memory.holder('okx'), null);
  await clock.advance(3_000);
  t.strictSame(Object.fromEntries(failedStarts), { okx: 3 });
  broken = false;
  await clock.advance(4_000);
  t.not(memory.holder('okx'), null);
  t.strictSame(Object.fromEntries(failedStarts), { okx: 3 });
  await run.stop();
});

/** A process that may take work over, whose steps a test decides. */
function standingBy(clock: FakeClock, memory: MemoryStore) {
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const events: string[] = [];
  const failedStarts = new Map<string, number>();
  const bus = { leases: () => memory };
  const context = { bus, clock, random: () => 0.5, log, process: 'feed-2', failedStarts };
  const state = { isReady: false, isNearly: false, fault: '' };
  const faulty = (step: string) => {
    events.push(step);
    if (state.fault === step) throw new Error('no room');
  };
  const run = { stop: async () => void events.push('stops') };
  const leased = new LeasedWork('okx', context, {
    begin: () => run,
    standBy() {
      faulty('stands by');
      return {
        ...run,
        isReady: (isLate) => state.isReady || (state.isNearly && isLate),
        prepare: async () => faulty('prepares'),
        begin(fence) {
          faulty(`begins ${fence}`);
          return run;
        },
      };
    },
  });
  const takeOver = async (ms: number) => {
    const outcome = leased.takeOver();
    await clock.advance(ms);
    return outcome;
  };
  /** Who stands by, and whether it is ready. */
  const standby = async () => {
    const [found] = await memory.look(['okx']);
    return `${found?.standby} ${found?.isReady}`;
  };
  return { events, state, leased, takeOver, standby, failedStarts };
}

t.test('one that stands by begins when the holder has given the lease up', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  await memory.acquire('okx', 'feed-1/1', 60_000);
  const { events, state, leased, standby } = standingBy(clock, memory);
  const outcome = leased.takeOver();
  await clock.advance(5_000);
  t.strictSame([events, await standby()], [['stands by'], 'feed-2 false']);
  state.isReady = true;
  await clock.advance(10_000);
  t.strictSame(events, ['stands by', 'prepares'], 'the holder has it still');
  t.equal(await standby(), 'feed-2 true');
  await memory.release('okx', 'feed-1/1');
  await clock.advance(200);
  t.equal(await outcome, 'taken');
  t.strictSame(events.slice(2), ['begins 2']);
  t.strictSame([leased.isHeld, await standby()], [true, 'null false']);
  t.equal(await leased.takeOver(), 'refused', 'it has it already');
  await leased.stop();
  t.strictSame(events.slice(3), ['stops']);
});

t.test('one that is not ready, or whose holder does not end, gives up', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  await memory.acquire('okx', 'feed-1/1', 600_000);
  const { events, state, leased, takeOver, standby } = standingBy(clock, memory);
  t.equal(await takeOver(46_000), 'failed');
  t.strictSame(events.splice(0), ['stands by', 'stops']);
  t.equal(await standby(), 'null false');
  state.isReady = true;
  t.equal(await takeOver(0), 'refused', 'within the same minute');
  await clock.advance(60_000);
  t.equal(await takeOver(46_000), 'failed');
  t.strictSame(events, ['stands by', 'prepares', 'stops']);
  await leased.stop();
});

t.test('a fault on the way costs the attempt alone', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  await memory.acquire('okx', 'feed-1/1', 6_000_000);
  const { events, state, leased, takeOver, failedStarts } = standingBy(clock, memory);
  state.isReady = true;
  for (const [fault, steps] of [
    ['stands by', ['stands by']],
    ['prepares', ['stands by', 'prepares', 'stops']],
  ] as const) {
    state.fault = fault;
    t.equal(await takeOver(1_000), 'failed');
    t.strictSame(events.splice(0), steps);
    await clock.advance(60_000);
  }
  state.fault = 'begins 2';
  const outcome = leased.takeOver();
  await clock.advance(1_000);
  await memory.release('okx', 'feed-1/1');
  await clock.advance(200);
  t.equal(await outcome, 'failed');
  t.strictSame(events.splice(0), ['stands by', 'prepares', 'begins 2', 'stops']);
  t.strictSame(Object.fromEntries(failedStarts), { okx: 3 });
  t.equal(memory.holder('okx'), null, 'another process may have it');
  await leased.stop();
});

t.test(
  'what upstreams may not bring is waited for, less long for a holder that ends',
  async (t) => {
    for (const [isLeft, ms] of [
      [false, 5_000],
      [true, 2_500],
    ] as const) {
      const clock = new FakeClock();
      const memory = new MemoryStore(clock);
      await memory.acquire('okx', 'feed-1/1', 60_000);
      const { events, state, leased } = standingBy(clock, memory);
      state.isNearly = true;
      void leased.takeOver(isLeft);
      await clock.advance(ms - 1);
      t.strictSame(events, ['stands by']);
      await clock.advance(100);
      t.strictSame(events, ['stands by', 'prepares']);
      const ended = leased.stop();
      await clock.advance(1_000);
      await ended;
    }
  },
);

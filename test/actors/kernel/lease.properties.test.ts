import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { Cancel, Clock } from '../../../actors/kernel/clock.ts';
import { Lease, type LeaseStore } from '../../../actors/kernel/lease.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { property } from '../../support/property.ts';

/** The clock of a process that can be suspended: its timers, answers included, wait for it to go on. */
class Process implements Clock {
  readonly #clock: Clock;
  #waiting: (() => void)[] | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(ms: number, fn: () => void): Cancel {
    let cancelled = false;
    const run = () => void (cancelled || fn());
    const cancel = this.#clock.after(ms, () => (this.#waiting ? this.#waiting.push(run) : run()));
    return () => {
      cancelled = true;
      cancel();
    };
  }

  get isSuspended(): boolean {
    return this.#waiting !== null;
  }

  suspend(ms: number): void {
    if (this.#waiting) return;
    this.#waiting = [];
    this.#clock.after(ms, () => {
      const waiting = this.#waiting ?? [];
      this.#waiting = null;
      for (const run of waiting) run();
    });
  }
}

/** A store behind a network that delays, loses and fails requests and replies, up to twice the ttl. */
function far(store: LeaseStore, process: Process, world: Clock, random: () => number): LeaseStore {
  const delay = () => (random() < 0.7 ? random() * 100 : random() * 12_000);
  const answer = async <T>(call: () => Promise<T>, settled: PromiseWithResolvers<T>) => {
    const value = await call();
    const fate = random();
    if (fate < 0.1) return;
    process.after(delay(), () =>
      fate < 0.2 ? settled.reject(new Error('reset')) : settled.resolve(value),
    );
  };
  const travel = <T>(call: () => Promise<T>): Promise<T> => {
    const settled = Promise.withResolvers<T>();
    if (random() > 0.05) world.after(delay(), () => void answer(call, settled));
    return settled.promise;
  };
  return {
    acquire: (...args) => travel(() => store.acquire(...args)),
    renew: (...args) => travel(() => store.renew(...args)),
    release: (...args) => travel(() => store.release(...args)),
    standBy: (...args) => travel(() => store.standBy(...args)),
    look: (...args) => travel(() => store.look(...args)),
  };
}

interface Outcome {
  /** Fencing numbers in the order in which work began. */
  fences: number[];
  ended: number;
  /** How often work began while other work ran, in a process that was not suspended meanwhile. */
  both: number;
}

async function simulate(steps: readonly Step[], random: () => number): Promise<Outcome> {
  const world = new FakeClock();
  const store = new MemoryStore(world);
  const processes = Array.from({ length: 3 }, () => new Process(world));
  const outcome: Outcome = { fences: [], ended: 0, both: 0 };
  const running = new Set<Process>();
  for (const [i, clock] of processes.entries()) {
    const lease = new Lease({
      ...{ name: 'x', process: `p${i}`, clock, random },
      store: far(store, clock, world, random),
      note: () => {},
      holder: () => ({
        begin(fence) {
          outcome.fences.push(fence);
          if ([...running].some((other) => !other.isSuspended)) outcome.both++;
          running.add(clock);
        },
        stop() {
          outcome.ended++;
          running.delete(clock);
        },
      }),
    }).seek();
    const moves = async () => {
      await (random() < 0.5 ? lease.takeOver() : lease.handOver());
      clock.after(random() * 20_000, () => void moves());
    };
    clock.after(random() * 20_000, () => void moves());
  }
  for (const { wait, process, suspended } of steps) {
    await world.advance(wait);
    if (suspended > 0) processes[process]?.suspend(suspended);
  }
  return outcome;
}

/** Time goes on by up to a second, and now and then a process is suspended for up to twice the ttl. */
interface Step {
  wait: number;
  process: number;
  suspended: number;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    wait: fc.nat({ max: 1_000 }),
    process: fc.nat({ max: 2 }),
    suspended: fc.oneof(
      { weight: 30, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat({ max: 12_000 }) },
    ),
  }),
  { minLength: 60, maxLength: 120, size: 'max' },
);
/** What the network does, and when the processes try. */
const randoms = fc.noBias(fc.infiniteStream(fc.nat({ max: 2 ** 31 - 2 }).map((n) => n / 2 ** 31)));

t.test('over many adversarial schedules one works at a time, and fences only grow', async (t) => {
  let [begun, ended] = [0, 0];
  const runs = 120;
  const schedules = fc.tuple(steps, randoms);
  await property(
    t,
    schedules,
    async ([steps, randoms]) => {
      const outcome = await simulate(steps, () => Number(randoms.next().value));
      assert.equal(outcome.both, 0, 'two work');
      const sorted = [...new Set(outcome.fences)].sort((a, b) => a - b);
      assert.deepEqual(outcome.fences, sorted);
      begun += outcome.fences.length;
      ended += outcome.ended;
    },
    runs,
  );
  t.ok(begun > runs, `work began ${begun} times`);
  t.ok(ended > runs / 2, `work ended ${ended} times`);
});

import t from 'tap';
import type { Cancel, Clock } from '../../../actors/kernel/clock.ts';
import { type Contention, contend, type LeaseStore } from '../../../actors/kernel/lease.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

/** A small seeded generator (mulberry32): the same schedule for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

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

  after(ms: number, fn: () => void): Cancel {
    let cancelled = false;
    const run = () => void (cancelled || fn());
    const cancel = this.#clock.after(ms, () => (this.#waiting ? this.#waiting.push(run) : run()));
    return () => {
      cancelled = true;
      cancel();
    };
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
  };
}

async function simulate(seed: number): Promise<{ fences: number[]; lost: number; both: number }> {
  const random = seeded(seed);
  const world = new FakeClock();
  const store = new MemoryStore(world);
  const contenders: Contention[] = [];
  const processes = Array.from({ length: 3 }, () => new Process(world));
  const outcome = { fences: [] as number[], lost: 0, both: 0 };
  const check = () => {
    if (contenders.filter((contender) => contender.held).length > 1) outcome.both++;
  };
  for (const [i, clock] of processes.entries()) {
    contenders.push(
      contend({
        name: 'x',
        holder: `p${i}`,
        store: far(store, clock, world, random),
        clock,
        random,
        onGained: (fence) => {
          outcome.fences.push(fence);
          check();
        },
        onLost: () => {
          outcome.lost++;
          check();
        },
      }),
    );
  }
  for (let step = 0; step < 120; step++) {
    await world.advance(random() * 1_000);
    check();
    if (random() < 0.03) processes[Math.floor(random() * 3)]?.suspend(random() * 12_000);
  }
  return outcome;
}

t.test('over many adversarial schedules no two ever hold it, and fences only grow', async (t) => {
  let gained = 0;
  let lost = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const outcome = await simulate(seed);
    if (outcome.both > 0) t.fail(`seed ${seed}: held by two`);
    const growing = outcome.fences.every(
      (fence, i) => i === 0 || fence > (outcome.fences[i - 1] ?? 0),
    );
    if (!growing) t.fail(`seed ${seed}: fences ${outcome.fences}`);
    gained += outcome.fences.length;
    lost += outcome.lost;
  }
  t.ok(gained > 250, `${gained} terms began`);
  t.ok(lost > 200, `${lost} terms ended`);
});

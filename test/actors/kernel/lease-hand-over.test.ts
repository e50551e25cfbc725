/** Leases that are handed over, and those of a process that was held up. */
import t from 'tap';
import type { LeaseStore } from '../../../actors/kernel/lease-store.ts';
import { FakeClock } from '../../support/clock.ts';
import { leaseStage } from '../../support/lease-stage.ts';
import { MemoryStore } from '../../support/lease-store.ts';

const hang = <T>() => new Promise<T>(() => {});

/** A clock of a process that may be held up: timers that are due meanwhile run late, in their order. */
class HeldUpClock extends FakeClock {
  #wakes = 0;

  override now(): number {
    return Math.max(super.now(), this.#wakes);
  }

  override monotonic(): number {
    return this.now();
  }

  override after(ms: number, fn: () => void) {
    return super.after(ms + this.now() - super.now(), fn);
  }

  /** The process does nothing for so long. */
  async sleep(ms: number): Promise<void> {
    this.#wakes = super.now() + ms;
    await this.advance(ms);
  }
}

t.test('a process that was held up keeps what nobody has had since', async (t) => {
  const [clock, world] = [new HeldUpClock(), new FakeClock()];
  const store = new MemoryStore(world);
  const { log, join } = leaseStage();
  const lease = join('a', { clock, store, keep: 10_000 });
  const both = async (ms: number) => {
    await world.advance(ms);
    await clock.advance(ms);
  };
  await both(750);
  await world.advance(9_000);
  t.equal(store.holder('binance'), null, 'it has run out');
  await clock.sleep(9_000);
  t.match(lease, { held: true, fence: 1 });
  t.strictSame(log, ['a gained 1'], 'its work has gone on');
  t.match(store.holder('binance'), /^a/);
  await world.advance(7_000);
  t.equal(await store.acquire('binance', 'b/1', 60_000), 2);
  await world.advance(2_000);
  await clock.sleep(9_000);
  t.strictSame([lease.held, log], [false, ['a gained 1', 'a lost']], 'b has had it');
  await lease.stop();
});

t.test('without an answer the work goes on for as long as it may', async (t) => {
  const clock = new HeldUpClock();
  const { log, join } = leaseStage();
  const memory = new MemoryStore(clock);
  const store: LeaseStore = {
    acquire: (...args) => memory.acquire(...args),
    renew: hang,
    release: (...args) => memory.release(...args),
  };
  const lease = join('a', { clock, store, keep: 10_000 });
  await clock.advance(750);
  await clock.sleep(9_000);
  t.equal(lease.held, false, 'it is not sure');
  // It has ended 3,000 ms ago.
  await clock.advance(6_999);
  t.strictSame(log, ['a gained 1']);
  await clock.advance(1);
  t.strictSame(log, ['a gained 1', 'a lost']);
  await lease.stop();
});

t.test('work goes on while the store is away, and stays when it is back', async (t) => {
  const { clock, store, memory, log, join } = leaseStage({ keep: 30_000 });
  const lease = join('a');
  await clock.advance(750);
  const away = async () => {
    throw new Error('away');
  };
  store.renew = away;
  await clock.advance(20_000);
  t.strictSame([lease.held, lease.fence, log], [false, null, ['a gained 1']]);
  store.renew = (...args) => memory.renew(...args);
  await clock.advance(2_000);
  t.match(lease, { held: true, fence: 1 });
  store.renew = away;
  await clock.advance(7_000);
  await memory.acquire('binance', 'b/1', 60_000);
  store.renew = (...args) => memory.renew(...args);
  await clock.advance(2_000);
  t.strictSame([lease.held, log], [false, ['a gained 1', 'a lost']]);
  await lease.stop();
});

t.test('a hand-over: the work ends while the lease is held, then it is free', async (t) => {
  const ended = Promise.withResolvers<void>();
  const { clock, memory, log, join } = leaseStage({ onHandOver: () => ended.promise });
  const a = join('a');
  await clock.advance(750);
  t.equal(await memory.standBy('binance', 'b', { ttl: 60_000 }), true);
  const b = join('b');
  const c = join('c');
  const handed = a.handOver();
  await clock.advance(10_000);
  t.equal(a.held, true, 'it is renewed meanwhile');
  t.strictSame(log, ['a gained 1']);
  ended.resolve();
  await handed;
  await clock.advance(2_500);
  t.strictSame(log, ['a gained 1', 'a lost', 'b gained 2'], 'c does not stand by');
  await b.handOver();
  await clock.advance(2_500);
  t.equal([a, b, c].filter(({ held }) => held).length, 1, 'without a standby anybody has it');
  await a.handOver();
  await Promise.all([a, b, c].map((one) => one.stop()));
  t.equal(clock.pending, 0);
});

t.test('a hand-over whose work fails, and one without the lease', async (t) => {
  const fail = async () => {
    throw new Error('not in order');
  };
  const { clock, memory, log, errors, join } = leaseStage({ onHandOver: fail });
  const a = join('a');
  await a.handOver();
  await clock.advance(750);
  await a.handOver();
  t.strictSame([log, memory.holder('binance')], [['a gained 1', 'a lost'], null]);
  t.match(errors, [/not in order/]);
  await a.stop();
});

t.test('an attempt waits for its turn, and says whether the work has begun', async (t) => {
  const { clock, log, join } = leaseStage();
  const ended: boolean[] = [];
  const turns: (() => Promise<void>)[] = [];
  const turn = (attempt: () => Promise<boolean>) =>
    new Promise<void>((resolve) => {
      turns.push(async () => {
        ended.push(await attempt());
        resolve();
      });
    });
  const a = join('a', { turn });
  const b = join('b', { turn });
  await clock.advance(5_000);
  t.strictSame([log, turns.length], [[], 2]);
  for (const next of turns.splice(0)) await next();
  t.strictSame([log, ended], [['a gained 1'], [true, false]]);
  await clock.advance(5_000);
  const stopped = b.stop();
  for (const next of turns.splice(0)) await next();
  await stopped;
  t.strictSame(ended, [true, false, false], 'one that was stopped tries no more');
  await a.stop();
});

import { setTimeout as rest } from 'node:timers/promises';
import t from 'tap';
import { ServiceClock, systemClock, within } from '../../../actors/kernel/clock.ts';
import type { Holder } from '../../../actors/kernel/lease.ts';
import { leaseStage } from '../../support/lease-stage.ts';

const hang = <T>() => new Promise<T>(() => {});

t.test('gains within one pause, keeps the lease, releases it at stop', async (t) => {
  const { clock, memory, log, errors, join } = leaseStage();
  const lease = join('a');
  t.strictSame([lease.isHeld, log], [false, []]);
  await clock.advance(500);
  t.strictSame([lease.isHeld, log], [true, ['a begins']]);
  const other = join('b');
  await clock.advance(60_000);
  t.strictSame([memory.holder('binance'), log], ['a', ['a begins']]);
  await other.stop();
  await lease.stop();
  t.strictSame([lease.isHeld, memory.holder('binance')], [false, null]);
  t.strictSame([log, errors], [['a begins', 'a ends'], []]);
});

t.test('another process follows after a stop, a loss and a death', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const a = join('a');
  await clock.advance(1_000);
  const b = join('b', { store: { ...store, renew: hang, release: hang } });
  await clock.advance(20_000);
  t.strictSame(log, ['a begins']);
  await a.stop();
  await clock.advance(750);
  t.strictSame(log.splice(0), ['a begins', 'a ends', 'b begins']);
  const c = join('c');
  await clock.advance(7_000);
  t.strictSame(log.splice(0), ['b ends', 'c begins'], 'b cannot renew');
  store.renew = async () => false;
  await clock.advance(2_000);
  t.strictSame(log.slice(0, 1), ['c ends'], 'it has lost the lease, and does not release it');
  t.equal(memory.holder('binance'), 'c');
  await Promise.all([b.stop(), c.stop()]);
});

t.test('a renewal that hangs: one more try, then the work ends with the lease', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  const lease = join('a');
  await clock.advance(250);
  const { renew } = store;
  store.renew = () => {
    store.renew = renew;
    return hang();
  };
  await clock.advance(20_000);
  t.strictSame(log, ['a begins'], 'the second one came in time');
  store.renew = hang;
  store.acquire = async () => null;
  await clock.advance(8_000);
  t.strictSame(log, ['a begins', 'a ends']);
  t.match(errors[0], /its store did not answer in 2000 ms/);
  t.equal(memory.holder('binance'), null);
  await lease.stop();
});

t.test('life counts from before the call, of a grant and of a renewal', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const slowly = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    await new Promise<void>((resolve) => clock.after(1_900, resolve));
    return value;
  };
  store.acquire = (...args) => slowly(memory.acquire(...args));
  store.renew = (...args) => {
    store.renew = hang;
    return slowly(memory.renew(...args));
  };
  const lease = join('a');
  // Asked at 250 ms, renewed at 2,250.
  await clock.advance(8_249);
  t.strictSame(log, ['a begins']);
  await clock.advance(1);
  t.strictSame(log, ['a begins', 'a ends']);
  await lease.stop();
});

t.test('an attempt that hangs or fails is followed by another one', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  let n = 0;
  store.acquire = async (...args) => {
    n += 1;
    if (n === 1) throw new Error('connection reset');
    const fence = await memory.acquire(...args);
    return n === 2 ? hang() : fence;
  };
  const lease = join('a');
  await clock.advance(250 + 500 + 2_000);
  t.match(errors, [/connection reset/, /did not answer in 2000 ms/]);
  t.equal(memory.holder('binance'), 'a', 'it has the lease and does not know it');
  await clock.advance(500);
  t.strictSame(log, ['a begins']);
  await clock.advance(60_000);
  t.strictSame(log, ['a begins'], 'with the second number');
  await lease.stop();
});

t.test('stop while an attempt is under way releases what it brings', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const open = Promise.withResolvers<void>();
  store.acquire = async (...args) => {
    const fence = await memory.acquire(...args);
    await open.promise;
    return fence;
  };
  const lease = join('a');
  await clock.advance(250);
  const stopped = lease.stop();
  open.resolve();
  await stopped;
  t.strictSame([memory.holder('binance'), log], [null, []]);
});

t.test('stop waits no longer than the deadline for a store that hangs', async (t) => {
  const { clock, store, join } = leaseStage();
  const lease = join('a');
  await clock.advance(250);
  store.release = hang;
  const stopped = lease.stop();
  await clock.advance(2_000);
  await stopped;
  t.notOk(lease.isHeld);
});

t.test('work that does not begin leaves the lease to others, and is tried later', async (t) => {
  const { clock, memory, log, errors, join } = leaseStage();
  let broken = true;
  const holder = (): Holder => ({
    begin() {
      log.push('begins');
      if (broken) throw new Error('no room');
    },
    stop: () => void log.push('ends'),
  });
  const lease = join('a', { holder });
  await clock.advance(250);
  t.strictSame([log, memory.holder('binance')], [['begins', 'ends'], null]);
  t.match(errors, [/no room/]);
  broken = false;
  await clock.advance(29_999);
  t.equal(log.length, 2);
  await clock.advance(1);
  t.strictSame([log.slice(2), lease.isHeld], [['begins'], true]);
  await lease.stop();
});

t.test('the next work begins after the last one has ended', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  const ended = Promise.withResolvers<void>();
  const holder = (): Holder => ({
    begin: () => void log.push('begins'),
    stop: () => ended.promise,
  });
  const lease = join('a', { holder });
  await clock.advance(250);
  store.renew = async () => false;
  await clock.advance(60_000);
  t.strictSame(log, ['begins']);
  store.renew = (...args) => memory.renew(...args);
  ended.reject(new Error('disk is full'));
  await clock.advance(7_000);
  t.strictSame(log, ['begins', 'begins']);
  t.match(errors, [/it did not end in order: Error: disk is full/]);
  await lease.stop();
});

t.test('fenced work goes on until another process has had the lease', async (t) => {
  const { clock, store, memory, log, join } = leaseStage({ isFenced: true });
  const lease = join('a');
  await clock.advance(250);
  const away = async () => {
    throw new Error('away');
  };
  store.renew = away;
  await clock.advance(600_000);
  t.strictSame(log, ['a begins'], 'while the store is away');
  store.renew = (...args) => memory.renew(...args);
  await clock.advance(2_000);
  t.equal(memory.holder('binance'), 'a', 'nobody has had it');
  store.renew = away;
  await clock.advance(7_000);
  await memory.acquire('binance', 'b', 60_000);
  store.renew = (...args) => memory.renew(...args);
  await clock.advance(2_000);
  t.strictSame(log, ['a begins', 'a ends']);
  await lease.stop();
});

t.test('a hand-over: the work ends while the lease is held, then the standby has it', async (t) => {
  const { clock, memory, log, join } = leaseStage();
  const ended = Promise.withResolvers<void>();
  const a = join('a', { holder: () => ({ begin: () => {}, stop: () => ended.promise }) });
  await clock.advance(250);
  let isReady = false;
  const [b, c] = ['b', 'c'].map((process) =>
    join(process, {
      holder: () => ({
        isReady: () => isReady,
        begin: () => void log.push(`${process} begins`),
        stop: () => void log.push(`${process} ends`),
      }),
    }),
  );
  const seen = async () => {
    const [{ holder = '', standby = '', isReady = false } = {}] = await memory.look(['binance']);
    return `${holder} ${standby} ${isReady}`;
  };
  await b?.handOver();
  const taken = b?.takeOver();
  t.equal(await c?.takeOver(), false, 'one stands by');
  await clock.advance(5_000);
  t.equal(await seen(), 'a b false');
  isReady = true;
  await clock.advance(100);
  t.equal(await seen(), 'a b true');
  const handed = a.handOver();
  await clock.advance(7_000);
  t.equal(await seen(), 'a b true', 'it is renewed meanwhile');
  ended.resolve();
  await handed;
  await clock.advance(100);
  t.equal(await taken, true);
  t.strictSame([await seen(), log], ['b null false', ['b begins']]);
  t.equal(await b?.takeOver(), false, 'it has it already');
  await Promise.all([a, b, c].map((one) => one?.stop()));
  t.strictSame(log, ['b begins', 'b ends']);
});

t.test(
  'one that stands by gives up, at a fault at once, and begins where the holder dies',
  async (t) => {
    const { clock, memory, log, join } = leaseStage();
    await memory.acquire('binance', 'a', 30_000);
    let fault = '';
    const step = (name: string) => {
      log.push(name);
      if (fault === name) throw new Error('no room');
    };
    const holder = (): Holder => {
      step('made');
      return {
        isReady: () => {
          if (fault === 'asked') step(fault);
          return false;
        },
        begin: () => step('begins'),
        stop: () => step('ends'),
      };
    };
    const lease = join('b', { holder });
    const takeOver = async (ms: number) => {
      const outcome = lease.takeOver();
      await clock.advance(ms);
      return `${await outcome}: ${log.splice(0)}`;
    };
    t.equal(await takeOver(20_100), 'false: made,ends', 'it is not ready');
    fault = 'made';
    t.equal(await takeOver(0), 'false: made');
    fault = 'asked';
    t.equal(await takeOver(100), 'false: made,asked,ends');
    await clock.advance(1);
    const [{ standby = '' } = {}] = await memory.look(['binance']);
    t.equal(standby, null);
    fault = '';
    const outcome = lease.takeOver();
    await clock.advance(10_000);
    t.equal(await outcome, true, 'before it is ready');
    t.strictSame(log.splice(0), ['made', 'begins']);
    await lease.stop();
  },
);

t.test('a time that is lived again leaves processes their deadlines', async (t) => {
  // The six seconds of a lease would be six milliseconds.
  const clock = new ServiceClock();
  clock.replay({ from: 0, to: 1e12, began: Date.now() - 1_000, speed: 1_000 });
  const { promise: renewed, resolve } = Promise.withResolvers<boolean>();
  const { log, store, join } = leaseStage();
  const slowly = <T>(answer: T): Promise<T> => rest(50, answer);
  store.acquire = () => slowly(1);
  store.renew = () => {
    resolve(true);
    return slowly(true);
  };
  const lease = join('a', { clock });
  // Timers of the clock keep no process alive.
  const alive = setInterval(() => {}, 1_000);
  t.teardown(async () => {
    clearInterval(alive);
    await lease.stop();
  });
  await within(systemClock, 10_000, renewed);
  t.strictSame(log, ['a begins']);
});

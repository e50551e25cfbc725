import t from 'tap';
import { settle } from '../../support/clock.ts';
import { leaseStage } from '../../support/lease-stage.ts';

const hang = <T>() => new Promise<T>(() => {});

t.test('gains within one retry, renews at a third of the ttl, releases at stop', async (t) => {
  const { clock, memory, log, errors, join } = leaseStage();
  const lease = join('a');
  t.equal(lease.held, false);
  t.equal(lease.fence, null);
  await clock.advance(749);
  t.strictSame(memory.calls, []);
  await clock.advance(1);
  t.match(lease, { held: true, fence: 1 });
  await clock.advance(60_000);
  t.equal(memory.calls.filter((call) => call === 'renew').length, 30);
  t.equal(lease.held, true);
  const stopped = lease.stop();
  t.match(lease, { held: false, fence: null });
  t.equal(lease.stop(), stopped);
  await stopped;
  t.equal(memory.holder('binance'), null);
  t.strictSame(log, ['a gained 1', 'a lost']);
  t.strictSame(errors, []);
  t.equal(clock.pending, 0);
});

t.test('attempts spread: in [0, retry), then in [retry / 2, 3 retry / 2)', async (t) => {
  for (const [random, first, pause] of [
    [0, 0, 750],
    [0.999, 1_498.5, 2_248.5],
  ] as const) {
    const { clock, memory, store, join } = leaseStage({ random: () => random });
    store.acquire = async () => {
      memory.calls.push('acquire');
      return null;
    };
    const lease = join('a');
    await clock.advance(first);
    t.equal(memory.calls.length, 1);
    await clock.advance(pause - 1);
    t.equal(memory.calls.length, 1);
    await clock.advance(1);
    t.equal(memory.calls.length, 2);
    await lease.stop();
    t.equal(clock.pending, 0);
  }
});

t.test('another takes over after a stop and after a silence, with a larger fence', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const a = join('a');
  await clock.advance(1_000);
  const b = join('b', { store: { ...store, renew: hang, release: hang } });
  await clock.advance(20_000);
  t.strictSame([a.held, b.held], [true, false]);
  await a.stop();
  await clock.advance(2_000);
  t.match(b, { held: true, fence: 2 });
  const c = join('c');
  await clock.advance(7_000);
  t.match(c, { held: true, fence: 3 });
  t.strictSame(log, ['a gained 1', 'a lost', 'b gained 2', 'b lost', 'c gained 3']);
  t.match(memory.holder('binance'), /^c/);
  await Promise.all([b.stop(), c.stop()]);
  t.equal(memory.holder('binance'), null);
});

t.test('renew false is a loss at once; then it contends again', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const lease = join('a');
  await clock.advance(750);
  store.renew = async (name, holder) => {
    await memory.release(name, holder);
    return false;
  };
  await clock.advance(2_000);
  t.strictSame(log, ['a gained 1', 'a lost']);
  await clock.advance(1_500);
  t.strictSame(log, ['a gained 1', 'a lost', 'a gained 2']);
  await lease.stop();
});

t.test('a renewal that hangs: one more try, then given up at the end of its life', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  const lease = join('a');
  await clock.advance(750);
  store.renew = () => {
    memory.calls.push('renew');
    return hang();
  };
  await clock.advance(5_999);
  t.equal(lease.held, true);
  t.equal(memory.calls.filter((call) => call === 'renew').length, 2);
  await clock.advance(1);
  t.equal(lease.held, false);
  t.strictSame(log, ['a gained 1', 'a lost']);
  t.match(errors[0], /lease binance: renew was not answered in 2000 ms/);
  t.equal(memory.calls.at(-1), 'release');
  await lease.stop();
});

t.test('a renewal that is lost does no harm when the next one comes through', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  const lease = join('a');
  let n = 0;
  store.renew = (...args) => {
    n++;
    if (n % 4 === 1) return hang();
    if (n % 4 === 3) throw new Error('thrown, not rejected');
    return memory.renew(...args);
  };
  await clock.advance(60_000);
  t.strictSame(log, ['a gained 1']);
  t.match(errors, [/renew was not answered/, /thrown, not rejected/]);
  await lease.stop();
});

t.test('life counts from before the call: a slow grant is short, slow renewals too', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const slowly = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    await new Promise<void>((resolve) => clock.after(1_900, resolve));
    return value;
  };
  store.acquire = (...args) => slowly(memory.acquire(...args));
  store.renew = hang;
  const lease = join('a');
  await clock.advance(750 + 1_900);
  t.equal(lease.held, true);
  await clock.advance(6_000 - 1_900 - 1);
  t.equal(lease.held, true);
  await clock.advance(1);
  t.equal(lease.held, false);
  t.strictSame(log, ['a gained 1', 'a lost']);
  await lease.stop();
});

t.test('a renewal confirmed late is good for what is left, counted from its call', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const lease = join('a');
  store.renew = async (...args) => {
    store.renew = hang;
    const value = await memory.renew(...args);
    await new Promise<void>((resolve) => clock.after(1_900, resolve));
    return value;
  };
  await clock.advance(750 + 2_000 + 6_000 - 1);
  t.equal(lease.held, true);
  await clock.advance(1);
  t.equal(lease.held, false);
  t.strictSame(log, ['a gained 1', 'a lost']);
  await lease.stop();
});

t.test('an acquire that hangs or fails is tried again; a late grant is released', async (t) => {
  const { clock, store, memory, log, errors, join } = leaseStage();
  const held = Promise.withResolvers<void>();
  let n = 0;
  store.acquire = async (...args) => {
    n++;
    if (n === 1) throw new Error('connection reset');
    if (n > 2) return memory.acquire(...args);
    const fence = await memory.acquire(...args);
    await held.promise;
    return fence;
  };
  const lease = join('a');
  await clock.advance(750 + 1_500 + 2_000);
  t.match(errors, [/connection reset/, /acquire was not answered in 2000 ms/]);
  t.ok(memory.holder('binance'), 'the store thinks that the abandoned attempt holds it');
  held.resolve();
  await settle();
  t.equal(memory.holder('binance'), null);
  await clock.advance(1_500);
  t.strictSame(log, ['a gained 2']);
  t.equal(lease.fence, 2);
  await lease.stop();
});

t.test('a late release of an old attempt does not touch the lease held now', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const answers: (() => void)[] = [];
  let n = 0;
  store.acquire = (...args) => {
    if (++n > 1) return memory.acquire(...args);
    return new Promise((resolve) => answers.push(() => resolve(1)));
  };
  const lease = join('a');
  await clock.advance(10_000);
  t.equal(lease.held, true);
  answers[0]?.();
  await clock.advance(10_000);
  t.equal(memory.calls.includes('release'), true);
  t.strictSame(log, ['a gained 1']);
  await lease.stop();
});

t.test('stop while an acquire is under way releases what it brings', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  const open = Promise.withResolvers<void>();
  store.acquire = async (...args) => {
    const fence = await memory.acquire(...args);
    await open.promise;
    return fence;
  };
  const lease = join('a');
  await clock.advance(750);
  const stopped = lease.stop();
  open.resolve();
  await stopped;
  t.equal(memory.holder('binance'), null);
  t.strictSame(log, []);
  t.equal(clock.pending, 0);
});

t.test('stop never waits longer than the call deadline for a store that hangs', async (t) => {
  const { clock, store, join } = leaseStage();
  const lease = join('a');
  await clock.advance(750);
  store.release = hang;
  const stopped = lease.stop();
  await clock.advance(2_000);
  await stopped;
  t.equal(clock.pending, 0);
});

t.test('callbacks that throw are reported and stop nothing; bad input is refused', async (t) => {
  const errors: unknown[] = [];
  const fail = () => {
    throw new Error('callback');
  };
  const onError = (error: unknown) => {
    errors.push(error);
    fail();
  };
  const { clock, join } = leaseStage({ onLost: fail, onError });
  const lease = join('a');
  await clock.advance(20_000);
  t.equal(lease.held, true);
  await lease.stop();
  t.match(errors, [/callback/]);
  for (const wrong of [0, Number.NaN]) {
    t.throws(() => leaseStage({ retry: wrong }).join('a'), /retry must be more than 0 ms/);
  }
});

t.test('work that does not start gives its lease up, for others or for later', async (t) => {
  let broken = true;
  const begun: number[] = [];
  const onGained = () => {
    begun.push(clock.now() - began);
    if (broken) throw new Error('begin');
  };
  const { clock, memory, log, errors, join } = leaseStage();
  const began = clock.now();
  const lease = join('a', { onGained });
  // Pauses of 1.5 s, doubled after each failed start.
  await clock.advance(750 + 3_000 + 6_000);
  t.strictSame(begun, [750, 3_750, 9_750]);
  t.equal(lease.held, false);
  t.equal(memory.holder('binance'), null, 'it is free for another process');
  t.strictSame(log, ['a lost', 'a lost', 'a lost']);
  t.match(errors, [/begin/, /begin/, /begin/]);
  broken = false;
  await clock.advance(12_000);
  t.equal(lease.held, true, 'and taken again once the work starts');
  await lease.stop();
});

t.test('a lease ends by the clock, also where its timers run late', async (t) => {
  const { clock, store, memory, log, join } = leaseStage();
  let ahead = 0;
  const slow = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + ahead,
    after: clock.after.bind(clock),
  };
  store.acquire = async (...args) => {
    const fence = await memory.acquire(...args);
    ahead += fence === 1 ? 6_000 : 5_999;
    return fence;
  };
  const lease = join('a', { clock: slow });
  await clock.advance(750);
  t.strictSame([lease.held, memory.calls, log], [false, ['acquire', 'release'], []]);
  await clock.advance(1_500);
  t.match([lease.fence, memory.calls.at(-1)], [2, 'renew'], 'it is renewed at once');
  ahead += 5_999;
  t.equal(lease.fence, 2);
  ahead += 1;
  t.strictSame([lease.held, lease.fence], [false, null]);
  await lease.stop();
});

t.test('the work of a term has ended before the next one is sought', async (t) => {
  let ended = () => {};
  const ending = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { clock, store, memory, log, join } = leaseStage({ onLost: () => ending });
  const lease = join('a');
  await clock.advance(750);
  store.renew = async () => false;
  await clock.advance(2_000);
  memory.calls.length = 0;
  await clock.advance(60_000);
  t.strictSame(memory.calls, []);
  t.strictSame(log, ['a gained 1']);
  ended();
  await clock.advance(1_500);
  t.strictSame(memory.calls, ['acquire']);
  await clock.advance(6_000);
  t.strictSame(log, ['a gained 1', 'a gained 2']);
  await lease.stop();
});

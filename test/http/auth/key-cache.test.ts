import t from 'tap';
import { digestOf, generateKey } from '../../../http/auth/api-key.ts';
import { roomy } from '../../../http/auth/key-cache.ts';
import { times } from '../../../http/auth/key-records.ts';
import {
  badKey,
  keysUnavailable,
  providerUnavailable,
  storeUnavailable,
} from '../../../http/auth/refusals.ts';
import { settle } from '../../support/clock.ts';
import { world } from './cache-world.ts';

t.test('a key is looked up once, then answered at once with the same object', async (t) => {
  const { cache, state, add } = world();
  const key = add();
  const first = cache.get(key);
  t.ok(first instanceof Promise);
  t.same(await first, { account: 'alice', plan: 'free', key: 'id-0' });
  const hit = cache.get(key);
  t.notOk(hit instanceof Promise);
  t.equal(cache.get(key), hit);
  t.equal(cache.holds(key), true);
  t.equal(state.asked, 1);
});

t.test('a key in use is looked up again before its record is too old', async (t) => {
  const { cache, state, clock, add } = world();
  const key = add();
  await cache.get(key);
  for (let second = 0; second < 300; second++) {
    await clock.advance(1_000);
    t.notOk(cache.get(key) instanceof Promise, 'no request waits');
    await settle();
  }
  t.equal(state.asked, 1 + 37, 'every 8 s');
});

t.test(
  'without a look-up a record serves 30 s from when it was asked for, no longer',
  async (t) => {
    const { cache, state, clock, failures, add } = world();
    const key = add();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const slow = cache.get(key);
    await clock.advance(5_000);
    resolve();
    await slow;
    state.away = true;
    await clock.advance(times.life - 5_001);
    t.notOk(cache.get(key) instanceof Promise);
    await settle();
    t.equal(failures.length, 1);
    await clock.advance(1);
    t.equal(await cache.get(key), keysUnavailable, 'refused for now, and not as a bad key');
    t.equal(await cache.get(key), keysUnavailable);
    state.away = false;
    t.match(await cache.get(key), { account: 'alice' });
  },
);

t.test('failing refreshes pause between one another', async (t) => {
  const { cache, state, clock, add } = world();
  const key = add();
  await cache.get(key);
  state.away = true;
  await clock.advance(times.refresh);
  for (let i = 0; i < 100; i++) {
    void cache.get(key);
    await clock.advance(20);
  }
  t.equal(state.asked, 1 + 2, '100 requests in two seconds');
});

t.test('a revoked key is refused by the refresh, too', async (t) => {
  const { cache, clock, stored, add } = world();
  const key = add();
  await cache.get(key);
  stored.clear();
  await clock.advance(times.refresh);
  void cache.get(key);
  await settle();
  t.equal(cache.get(key), badKey);
});

t.test('unknown keys are remembered, within bounds and for a short time', async (t) => {
  const { cache, state, clock } = world({ records: 10, unknown: 3, open: 10, perAddress: 10 });
  const keys = Array.from({ length: 4 }, generateKey);
  for (const key of keys) t.equal(await cache.get(key), badKey);
  t.equal(state.asked, 4);
  t.equal(cache.get(keys[3] ?? ''), badKey, 'at once');
  t.ok(cache.get(keys[0] ?? '') instanceof Promise, 'the oldest of four is forgotten');
  await settle();
  await clock.advance(times.unknown);
  t.ok(cache.get(keys[3] ?? '') instanceof Promise);
});

t.test('no malformed text is looked up', async (t) => {
  const { cache, state } = world();
  for (const text of ['', 'x', `${generateKey()}x`, generateKey().slice(1), 'a'.repeat(100_000)]) {
    t.equal(cache.get(text), badKey);
  }
  t.equal(state.asked, 0);
});

t.test('the record unused for longest goes when there are too many', async (t) => {
  const { cache, clock, add } = world({ records: 3, unknown: 3, open: 10, perAddress: 10 });
  const [busy, idle, third, fourth] = [add('a'), add('b'), add('c'), add('d')];
  for (const key of [idle, busy, third]) await cache.get(key);
  await clock.advance(times.refresh);
  void cache.get(busy);
  await settle();
  t.equal(cache.size, 3);
  await cache.get(fourth);
  t.equal(cache.size, 3);
  t.notOk(cache.get(busy) instanceof Promise);
  t.ok(cache.get(idle) instanceof Promise);
});

t.test('look-ups that are open at once are bounded', async (t) => {
  const { cache, state, add } = world({ records: 10, unknown: 10, open: 2, perAddress: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const waiting = [cache.get(add()), cache.get(add())];
  t.equal(cache.get(add()), keysUnavailable);
  resolve();
  t.equal((await Promise.all(waiting)).filter((answer) => 'account' in answer).length, 2);
});

t.test('a change of an account drops its keys and no other', async (t) => {
  const { cache, stored, add } = world();
  const [one, two, other] = [add('alice'), add('alice'), add('bob')];
  for (const key of [one, two, other]) await cache.get(key);
  stored.delete(digestOf(one));
  cache.drop('alice');
  t.notOk(cache.get(other) instanceof Promise);
  t.equal(await cache.get(one), badKey);
  t.type(cache.get(two), Promise, 'each of them is looked up again');
  t.match(await cache.get(two), { account: 'alice' });
  const early = cache.get(add('carol'));
  cache.dropAll();
  await early;
  t.equal(cache.size, 0, 'nothing that was looked up before is kept');
});

t.test('the end of one key leaves the others of its account in memory', async (t) => {
  const { cache, stored, state, add } = world();
  const [one, two] = [add('alice'), add('alice')];
  for (const key of [one, two]) await cache.get(key);
  const id = stored.get(digestOf(one))?.id ?? '';
  stored.delete(digestOf(one));
  cache.drop('alice', id);
  state.away = true;
  t.notOk(cache.get(two) instanceof Promise, 'also while the store cannot be asked');
  state.away = false;
  t.equal(await cache.get(one), badKey);
});

t.test('a key that is not in memory waits some seconds for the store', async (t) => {
  const { cache, clock, state, failures, add } = world();
  const key = add();
  state.away = true;
  const answers = [cache.get(key), cache.get(key)];
  await clock.advance(times.patience - times.again - 1);
  t.ok(failures.length > 5, 'it is asked again and again');
  state.away = false;
  await clock.advance(times.again);
  for (const answer of answers) t.match(await answer, { account: 'alice' });
  t.equal(clock.pending, 0);
});

t.test('and no longer', async (t) => {
  const { cache, clock, state, add } = world({ records: 9, unknown: 9, open: 9, perAddress: 1 });
  state.away = true;
  const began = clock.now();
  let ended = 0;
  const answer = Promise.resolve(cache.get(add(), 'a')).finally(() => {
    ended = clock.now();
  });
  await clock.advance(times.patience / 2);
  t.equal(cache.get(add(), 'a'), keysUnavailable, 'what waits has its place');
  await clock.advance(times.patience / 2);
  t.equal(await answer, keysUnavailable);
  t.ok(ended - began <= times.patience && ended - began > times.patience - 2 * times.again);
  state.gate = new Promise(() => {});
  state.away = false;
  t.ok(cache.get(add(), 'a') instanceof Promise, 'and gives it back');
});

t.test('what was looked up before a change is not kept after it', async (t) => {
  const { cache, state, stored, add } = world();
  const key = add('alice');
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const early = cache.get(key);
  stored.clear();
  cache.drop('alice');
  resolve();
  t.match(await early, { account: 'alice' }, 'it was asked before');
  t.equal(cache.size, 0);
  t.equal(await cache.get(key), badKey);
});

t.test('after a change no request joins a look-up from before it', async (t) => {
  const { cache, state, stored, add } = world();
  const key = add('alice');
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const early = cache.get(key);
  stored.clear();
  cache.drop('alice');
  state.gate = Promise.resolve();
  t.equal(await cache.get(key), badKey, 'while the old look-up is still open');
  resolve();
  t.match(await early, { account: 'alice' });
  t.equal(cache.get(key), badKey);
});

t.test('every request with a valid key is a use, whichever look-up it waits for', async (t) => {
  const { cache, state, clock, uses, add } = world();
  const key = add();
  await Promise.all(Array.from({ length: 20 }, () => cache.get(key)));
  t.equal(state.asked, 1);
  t.equal(uses.length, 20);
  for (let second = 0; second < 100; second++) {
    await clock.advance(1_000);
    await cache.get(key);
    await settle();
  }
  t.ok(state.asked > 4, 'refreshes in the background');
  t.equal(uses.length, 120, 'are no uses');
  t.same(uses.at(-1), [digestOf(key), clock.now()]);
  state.away = true;
  await clock.advance(times.life);
  t.equal(await cache.get(key), keysUnavailable);
  const unknown = cache.get(generateKey());
  await clock.advance(times.patience);
  t.equal(await unknown, keysUnavailable);
  state.away = false;
  t.equal(await cache.get(generateKey()), badKey);
  t.equal(uses.length, 120, 'nor are refused requests');
});

t.test('a plan that the service does not have is the free one', async (t) => {
  const { cache, add } = world();
  t.match(await cache.get(add('alice', 'gold')), { plan: 'free' });
});

t.test('the usual bounds and times', async (t) => {
  t.strictSame(roomy, { records: 100_000, unknown: 10_000, open: 1_000, perAddress: 32 });
  const ages = { life: 30_000, refresh: 8_000, active: 30_000, idle: 60_000 };
  const ofFailures = { retry: 1_000, unknown: 10_000, patience: 5_000, again: 200 };
  t.strictSame(times, { ...ages, ...ofFailures });
  const waits = [keysUnavailable, providerUnavailable, storeUnavailable];
  t.strictSame(
    waits.map(({ retryAfter }) => retryAfter),
    [2, 2, 2],
  );
});

t.test('a stream asks whether its key holds, which is no use of the key', async (t) => {
  const { cache, clock, state, stored, uses, add } = world();
  const key = add();
  await cache.get(key);
  await clock.advance(times.refresh - 1);
  t.strictSame([cache.holds(key), state.asked], [true, 1]);
  await clock.advance(1);
  t.strictSame([cache.holds(key), state.asked], [true, 2], 'it is looked up again');
  await clock.advance(times.life - 1);
  state.away = true;
  t.equal(cache.holds(key), true);
  await clock.advance(1);
  t.type(cache.holds(key), Promise);
  t.equal(await cache.holds(key), true, 'while that cannot be known');
  state.away = false;
  t.equal(await cache.holds(key), true);
  await clock.advance(-1);
  stored.clear();
  t.equal(await cache.holds(key), false, 'the clock was set back, and the key is gone');
  t.equal(await cache.holds('x'), false);
  t.equal(uses.length, 1);
});

t.test(
  'keys in memory are looked up again while invented keys fill the room of first look-ups',
  async (t) => {
    const { cache, state, clock, add } = world({
      records: 10,
      unknown: 10,
      open: 2,
      perAddress: 10,
    });
    const key = add();
    await cache.get(key);
    await clock.advance(times.life);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const invented = [cache.get(generateKey()), cache.get(generateKey())];
    t.equal(cache.get(generateKey()), keysUnavailable, 'no room for a third');
    const expired = cache.get(key);
    t.ok(expired instanceof Promise);
    const ticket = cache.byDigest(digestOf(key));
    resolve();
    t.match(await expired, { account: 'alice' });
    t.match(await ticket, { caller: { account: 'alice' } });
    t.strictSame(await Promise.all(invented), [badKey, badKey]);
  },
);

t.test('whenever Redis goes away, a key in use goes on for 20 to 30 s', async (t) => {
  const lives = new Set<number>();
  for (let outage = 0; outage < 60; outage++) {
    const { cache, clock, state, add } = world();
    const key = add();
    await cache.get(key);
    let confirmed = 0;
    for (let second = 1; second <= outage; second++) {
      await clock.advance(1_000);
      const before = state.asked;
      await cache.confirm();
      if (state.asked > before) confirmed = second;
      if (second % 29 === 0) await cache.get(key);
    }
    state.away = true;
    let lived = 0;
    while (!(cache.get(key) instanceof Promise)) {
      await clock.advance(1_000);
      void cache.confirm();
      lived += 1;
    }
    t.equal(outage + lived, confirmed + 30, 'to 30 s after it was confirmed');
    lives.add(lived);
  }
  t.strictSame([Math.min(...lives), Math.max(...lives)], [23, 30]);
});

t.test(
  'records in use are confirmed in bounded steps; those that are not, are dropped',
  async (t) => {
    const { cache, clock, state, stored, add } = world();
    const [busy, idle, revoked] = [add('a'), add('b'), add('c')];
    const others = Array.from({ length: 600 }, () => add('d'));
    for (const key of [busy, idle, revoked, ...others]) await cache.get(key);
    stored.delete(digestOf(revoked));
    await clock.advance(times.refresh);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    state.asked = 0;
    const confirming = cache.confirm();
    await cache.confirm();
    t.equal(state.asked, 500, 'one step at a time');
    resolve();
    await confirming;
    t.equal(state.asked, 603, 'all of them');
    t.equal(cache.get(revoked), badKey);
    await clock.advance(times.active);
    state.asked = 0;
    await cache.confirm();
    t.equal(state.asked, 0, 'none is in use any more');
    await cache.get(busy);
    await clock.advance(times.idle - times.active - times.refresh);
    await cache.confirm();
    t.equal(cache.size, 1);
  },
);

t.test('one address cannot fill the room for keys that are not known', async (t) => {
  const { cache, state, add } = world({ records: 10, unknown: 10, open: 5, perAddress: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const mine = add();
  await cache.get(mine, 'a');
  state.gate = promise;
  const [first, second] = [generateKey(), generateKey()];
  const waiting = [cache.get(first, 'a'), cache.get(second, 'a'), cache.get(first, 'a')];
  t.equal(cache.get(generateKey(), 'a'), keysUnavailable);
  t.equal(cache.room.hold('a', 1), false, 'nor for a ticket');
  t.match(cache.get(mine, 'a'), { account: 'alice' }, 'known ones come first');
  const good = add('bob');
  const other = cache.get(good, 'b');
  t.type(other, Promise, 'another address has room');
  t.equal(cache.room.hold('c', 1), true);
  t.equal(cache.room.hold('d', 1), true);
  t.equal(cache.get(add(), 'e'), keysUnavailable, 'all of it is taken');
  resolve();
  t.match(await other, { account: 'bob' });
  t.same(await Promise.all(waiting), [badKey, badKey, badKey]);
  for (const address of ['c', 'd']) cache.room.release(address, 1);
  t.match(await cache.get(add('carol'), 'a'), { account: 'carol' }, 'places are free again');
});

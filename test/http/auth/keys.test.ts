import t, { type Test } from 'tap';
import { systemClock } from '../../../actors/kernel/clock.ts';
import { digestOf, isKeyOf } from '../../../http/auth/api-key.ts';
import { KeyStore } from '../../../http/auth/key-store.ts';
import * as refused from '../../../http/auth/refusals.ts';
import { creationLife, daysKept, mostReplaced } from '../../../http/auth/scripts.ts';
import { errors, isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { redisOf } from '../../support/redis.ts';
import { caller, granted, join, newKey, rawClient } from './world.ts';

const alice = caller('alice');
const bob = caller('bob');
const paying = caller('carol', 'pro');

async function world(t: Test, clock = new FakeClock(Date.now())) {
  const redis = await redisOf(t);
  return { redis, ...join(t, redis, { deaf: true, clock }), raw: rawClient(t, redis) };
}

t.test('a key is made, listed and revoked', async (t) => {
  const { auth, clock, raw } = await world(t);
  const made = granted(await auth.keys.create(alice, '  my bot \n', ''));
  const { id, key, prefix } = made;
  t.ok(isKeyOf('live', key ?? ''));
  t.equal(prefix, key?.slice(0, 12));
  const created_at = clock.now();
  const live = { kind: 'live', paths: null };
  t.same(made, { id, name: 'my bot', prefix, ...live, key, created_at });
  const listed = {
    id,
    name: 'my bot',
    prefix,
    ...live,
    created_at,
    last_used_at: null,
    requests_today: 0,
    ends_at: null,
    plan: 'free',
    status: 'active',
    revoked: false,
    revoked_at: null,
  };
  t.strictSame(await auth.keys.list(alice), [listed]);
  t.same(await auth.keys.list({ ...alice, plan: 'pro' }), [{ ...listed, plan: 'pro' }]);
  const limits = { requests_per_minute: 60, api_keys: 5, connections: 60 };
  t.same(await auth.keys.profile(alice), {
    id: 'alice',
    plan: 'free',
    rate_limit: 60,
    limits,
    key_count: 1,
    created_at: null,
  });
  t.same(await auth.keys.profile({ ...paying, email: 'c@example.com' }), {
    id: 'carol',
    email: 'c@example.com',
    plan: 'pro',
    rate_limit: 600,
    limits: { requests_per_minute: 600, api_keys: null, connections: 600 },
    key_count: 0,
    created_at: null,
  });
  t.same(await auth.keys.revoke(alice, id.toUpperCase()), { id });
  const revoked = { status: 'revoked', revoked: true, revoked_at: clock.now() };
  t.same(await auth.keys.list(alice), [{ ...listed, ...revoked }]);
  t.match(await auth.keys.profile(alice), { key_count: 0 });
  t.equal(await auth.keys.revoke(alice, id), refused.noSuchKey, 'once only');
  const names = (await raw.keys('auth:*')).sort();
  const kept = ['auth:changes', 'auth:marker', 'auth:revoked:alice', 'auth:writes'];
  t.same(names, kept, 'no trace of the key itself');
});

t.test('a ticket works once, and its stream ends with its key', async (t) => {
  const { auth, raw, clock } = await world(t);
  const { id, key } = granted(await auth.keys.create(alice, 'page', ''));
  const { ticket, expires_at } = granted(await auth.keys.sessions.ticket({ ...alice, key: id }));
  t.strictSame([ticket.length, expires_at], [32, clock.now() + 60_000]);
  t.equal(await auth.keys.sessions.ticket(alice), refused.badKey, 'only for a caller with a key');
  t.ok((await raw.pttl((await raw.keys('auth:ticket:*'))[0] ?? '')) > 50_000);
  const found = await auth.gate.byTicket(ticket);
  if (isApiError(found)) throw new Error(found.message);
  t.match(found.caller, { account: 'alice', key: id });
  t.equal(await auth.gate.byTicket(ticket), refused.badTicket);
  t.equal(await auth.gate.byKey(found.key), found.caller, 'for this process only');
  t.equal(await auth.gate.holds(found.key), true);
  const { ticket: late } = granted(await auth.keys.sessions.ticket({ ...alice, key: id }));
  await auth.keys.revoke(alice, id);
  t.equal(await auth.gate.holds(found.key), false);
  t.equal(await auth.gate.holds(key ?? ''), false);
  t.equal(await auth.gate.byTicket(late), refused.badTicket);
});

t.test('revoked keys keep their uses, and the newest hundred of an account are kept', async (t) => {
  const { auth, clock } = await world(t, new FakeClock(Date.UTC(2026, 4, 7, 23, 59, 59)));
  const { id, key } = granted(await auth.keys.create(paying, '<b>"é👩‍🔬"</b>', ''));
  const used = clock.now();
  for (let i = 0; i < 2; i++) await auth.gate.byKey(key ?? '');
  t.match(await auth.keys.list(paying), [{ requests_today: 2, last_used_at: used }]);
  await auth.gate.byKey(key ?? '');
  await clock.advance(999);
  granted(await auth.keys.revoke(paying, id));
  const row = { name: '<b>"é👩‍🔬"</b>', revoked: true, revoked_at: clock.now() };
  t.match(await auth.keys.list(paying), [{ ...row, requests_today: 3, last_used_at: used }]);
  for (let i = 1; i <= 100; i++) {
    await clock.advance(1);
    if (i === 1) t.match(await auth.keys.list(paying), [{ requests_today: 0, last_used_at: used }]);
    const made = granted(await auth.keys.create(paying, `key ${i}`, ''));
    granted(await auth.keys.revoke(paying, made.id));
  }
  await clock.advance(1);
  const kept = granted(await auth.keys.create(paying, 'kept', ''));
  const listed = granted(await auth.keys.list(paying));
  t.equal(listed.length, 101);
  t.notOk(
    listed.some((each) => each.id === id),
    'the oldest has gone',
  );
  t.match(listed[0], { name: 'key 1', revoked: true });
  t.match(listed[100], { id: kept.id, revoked: false, revoked_at: null });
  t.same(await auth.keys.list(alice), [], 'others see nothing of it');
});

t.test('what is stored holds no key', async (t) => {
  const { auth, raw } = await world(t);
  const key = await newKey(auth, alice);
  const names = await raw.keys('auth:*');
  const rows = await Promise.all(
    names.map(async (name) =>
      (await raw.type(name)) === 'hash' ? raw.hgetall(name) : raw.get(name),
    ),
  );
  const text = JSON.stringify([names, rows]);
  t.ok(text.includes(key.slice(0, 12)), 'the prefix is there');
  t.notOk(text.includes(key.slice(12)), 'the rest is not');
});

t.test('names', async (t) => {
  const { auth } = await world(t);
  const bad = ['', '   ', 'x'.repeat(65), 'a\0b', 'a\nb', 'a\u2028b', '\u202eabc', '\ud800'];
  for (const [i, name] of bad.entries()) {
    t.equal(await auth.keys.create(paying, name, ''), refused.badName, `bad name ${i}`);
  }
  const good = ['x', 'x'.repeat(64), ` ${'é'.repeat(64)} `, '👩‍🔬'.repeat(21), '<b>"quoted"</b>'];
  for (const name of good) {
    t.match(await auth.keys.create(paying, name, ''), { name: name.trim() });
  }
  const listed = granted(await auth.keys.list(paying)).map(({ name }) => name);
  t.same(listed.sort(), good.map((name) => name.trim()).sort());
});

t.test('the sixth active key of a free account is refused, however many ask at once', async (t) => {
  const { auth, redis } = await world(t);
  const other = join(t, redis, { deaf: true });
  const creations = Array.from({ length: 20 }, (_, i) =>
    (i % 2 ? auth : other.auth).keys.create(alice, `key ${i}`, ''),
  );
  const outcomes = await Promise.all(creations);
  const made = outcomes.filter((outcome) => !isApiError(outcome));
  t.equal(made.length, 5);
  const refusals = outcomes.filter(isApiError);
  t.equal(refusals.length, 15);
  for (const refusal of refusals) t.same(refusal, refused.tooManyKeys(5));
  t.match(refused.tooManyKeys(5), { error: 'forbidden', message: /5 active/ });
  t.equal(granted(await auth.keys.list(alice)).length, 5);
  t.match(await auth.keys.create(bob, 'mine', ''), { name: 'mine' }, 'others have their own five');
  const [{ id } = { id: '' }] = granted(await auth.keys.list(alice));
  granted(await auth.keys.revoke(alice, id));
  t.match(
    await auth.keys.create(alice, 'again', ''),
    { name: 'again' },
    'a revoked one counts not',
  );
  for (let i = 0; i < 8; i++) t.match(await auth.keys.create(paying, `${i}`, ''), { name: `${i}` });
});

t.test('a key is replaced, and both work until the old one ends', async (t) => {
  const { auth, raw, clock } = await world(t);
  const paths = ['/v1/bars'];
  const old = granted(await auth.keys.createLink(alice, { name: 'sheet', paths }, ''));
  for (let i = 0; i < 4; i++) await newKey(auth, alice);
  const overlap = 3_600_000;
  const rotate = (id: string, retry = '') => auth.keys.rotate(alice, { id, overlap }, retry);
  const made = granted(await rotate(old.id, 'again'));
  const same = { name: 'sheet', kind: 'link', paths };
  const replaces = { id: old.id, ends_at: clock.now() + overlap };
  t.match(made, { ...same, key: /^tm_link_/, replaces }, 'also where the plan allows no other key');
  t.match(await rotate(old.id, 'again'), { id: made.id, key: null, replaces });
  t.equal(await rotate(old.id), refused.endsAlready, 'once');
  t.equal(await auth.keys.rotate(bob, { id: made.id, overlap }, ''), refused.noSuchKey);
  for (const { key } of [old, made]) {
    t.match(await auth.gate.byLink(key ?? ''), { account: 'alice', link: paths });
  }
  t.match(await auth.keys.profile(alice), { key_count: 5 }, 'the old one does not count');
  t.same(await auth.keys.create(alice, 'sixth', ''), refused.tooManyKeys(5));
  const ends = granted(await auth.keys.list(alice)).map(({ ends_at }) => ends_at);
  t.same(ends.toSorted(), [...Array(5).fill(null), replaces.ends_at].toSorted());

  // Redis forgets it at its end; its own clock is not ours.
  const names = await raw.keys('auth:key:*');
  const lives = await Promise.all(names.map((name) => raw.pttl(name)));
  const at = lives.findIndex((life) => life > 0);
  t.ok((lives[at] ?? 0) > overlap - 60_000 && (lives[at] ?? 0) <= overlap, `${lives[at]} ms`);
  t.equal(lives.filter((life) => life > 0).length, 1);
  await raw.del(names[at] ?? '');
  t.equal(granted(await auth.keys.list(alice)).length, 5, 'and it leaves the list');
  t.equal(await auth.keys.revoke(alice, old.id), refused.noSuchKey);
  granted(await auth.keys.list(alice));

  let { id } = granted(await auth.keys.create(bob, 'often', ''));
  for (let i = 0; i < mostReplaced; i++) {
    ({ id } = granted(await auth.keys.rotate(bob, { id, overlap }, '')));
  }
  t.equal(await auth.keys.rotate(bob, { id, overlap }, ''), refused.tooManyReplaced);
});

t.test('a key of another account cannot be revoked, nor one that is not there', async (t) => {
  const { auth } = await world(t);
  const { id, key } = granted(await auth.keys.create(alice, 'mine', ''));
  t.equal(await auth.keys.revoke(bob, id), refused.noSuchKey);
  t.match(await auth.gate.byKey(key ?? ''), { account: 'alice' });
  const strange = [
    '',
    'x',
    '../alice',
    '00000000-0000-4000-8000-000000000000',
    `${id}0`,
    'a'.repeat(999),
  ];
  for (const other of strange) t.equal(await auth.keys.revoke(alice, other), refused.noSuchKey);
});

t.test('accounts with strange names stay apart', async (t) => {
  const { auth } = await world(t);
  const names = ['a', 'a:b', 'auth0|5f7c', 'a b', 'ä', '{x}', 'x'.repeat(255), 'a\0b', '*'];
  for (const name of names) await newKey(auth, caller(name), 'one');
  for (const name of names) {
    t.equal(
      granted(await auth.keys.list(caller(name))).length,
      1,
      JSON.stringify(name.slice(0, 9)),
    );
  }
});

t.test('an idempotency key makes a retry harmless', async (t) => {
  const { auth, raw, book } = await world(t);
  const first = granted(await auth.keys.create(alice, 'bot', 'retry-1'));
  const again = granted(await auth.keys.create(alice, ' bot', 'retry-1'));
  t.same(again, { ...first, key: null }, 'the same key, without its text');
  t.equal(await auth.keys.create(alice, 'other', 'retry-1'), refused.idempotencyMismatch);
  t.equal(errors[refused.idempotencyMismatch.error].status, 422);
  const elsewhere = granted(await auth.keys.create(bob, 'bot', 'retry-1'));
  t.not(elsewhere.id, first.id, 'another account has its own');
  t.ok(elsewhere.key);
  const racing = Array.from({ length: 20 }, () => auth.keys.create(alice, 'race', '"retry-2"'));
  const raced = (await Promise.all(racing)).map(granted);
  t.equal(new Set(raced.map(({ id }) => id)).size, 1);
  t.equal(raced.filter(({ key }) => key !== null).length, 1, 'one answer has the key');
  t.equal(book.text.split('API key created').length - 1, 3, 'each is logged once');
  t.equal(granted(await auth.keys.list(alice)).length, 2);
  granted(await auth.keys.revoke(alice, first.id));
  t.match(await auth.keys.create(alice, 'bot', 'retry-1'), { id: first.id, key: null });
  const active = granted(await auth.keys.list(alice)).filter(({ revoked }) => !revoked);
  t.equal(active.length, 1, 'a revoked key is not made again');
  for (const bad of ['x'.repeat(256), 'é', 'a\tb']) {
    t.equal(await auth.keys.create(alice, 'bot', bad), refused.badIdempotencyKey);
  }
  for (const name of await raw.keys('auth:creation:*')) {
    const life = await raw.pttl(name);
    t.ok(life > 0 && life <= creationLife, 'it is forgotten after a day');
    t.notOk(name.includes('retry'), 'its text is not stored');
  }
});

t.test('a creation that failed for the limit may be repeated', async (t) => {
  const { auth } = await world(t);
  for (let i = 0; i < 5; i++) await newKey(auth, alice);
  t.same(await auth.keys.create(alice, 'sixth', 'k'), refused.tooManyKeys(5));
  const [{ id } = { id: '' }] = granted(await auth.keys.list(alice));
  granted(await auth.keys.revoke(alice, id));
  t.ok(granted(await auth.keys.create(alice, 'sixth', 'k')).key);
});

t.test('days are kept for a month', async (t) => {
  const { auth, redis, raw, clock, book } = await world(t);
  const store = new KeyStore(redis.url, { name: 'test', clock: systemClock, log: book.log });
  t.teardown(() => store.close());
  const digest = digestOf(await newKey(auth, alice));
  const today = clock.now();
  const use = (days: number, count: number) =>
    store.touch(new Map([[digest, { at: today - days * 86_400_000, count }]]));
  for (const days of [40, 30, 29, 0, 0, 29]) await use(days, days + 1);
  const { keys, timestamps } = granted(await auth.keys.history(alice, daysKept));
  t.strictSame(
    keys.map(({ name, requests }) => [name, requests]),
    [['test', [60, ...Array(28).fill(0), 2]]],
  );
  t.equal(timestamps.at(-1), today - (today % 86_400_000));
  const kept = (await raw.hkeys(`auth:key:${digest}`)).filter((field) => /^d\d/.test(field));
  t.equal(kept.length, 2, 'older days are forgotten');
});

t.test('a record without its fields is an error, and a key of no plan is free', async (t) => {
  const { redis, raw, book } = await world(t);
  const store = new KeyStore(redis.url, { name: 'test', clock: systemClock, log: book.log });
  t.teardown(() => store.close());
  await raw.hset('auth:key:d', { id: 'i', account: '' });
  await t.rejects(store.find('d'), /unreadable/);
  await raw.hset('auth:key:d', { id: '', account: 'a' });
  await t.rejects(store.find('d'), /unreadable/);
  await raw.hset('auth:key:d', { id: 'i' });
  t.strictSame(await store.find('d'), {
    id: 'i',
    account: 'a',
    plan: 'free',
    paths: undefined,
    until: undefined,
  });
  t.equal(await store.find('other'), null);
  await raw.hset('auth:keys:a', { i: 'd' });
  for (const field of ['created', 'prefix', 'name']) {
    await t.rejects(store.list('a'), /unreadable/, `without its ${field}`);
    await raw.hset('auth:key:d', { [field]: '7' });
  }
  const row = {
    id: 'i',
    name: '7',
    prefix: '7',
    created: 7,
    use: null,
    until: null,
    revoked: null,
    paths: null,
  };
  t.strictSame(await store.list('a'), [row]);
  await raw.hset('auth:account:a', { created: '9' });
  t.strictSame(await store.account('a'), { keys: 1, created: 9 });
});

t.test('with Redis away every operation answers with that error', async (t) => {
  const { auth, redis } = await world(t);
  await redis.kill();
  const id = '00000000-0000-4000-8000-000000000000';
  t.equal(await auth.keys.create(alice, 'x', ''), refused.storeUnavailable);
  t.equal(await auth.keys.list(alice), refused.storeUnavailable);
  t.equal(await auth.keys.profile(alice), refused.storeUnavailable);
  t.equal(await auth.keys.revoke(alice, id), refused.revocationUnconfirmed);
});

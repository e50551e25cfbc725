import t from 'tap';
import { digestOf, generateKey } from '../../../http/auth/api-key.ts';
import { times } from '../../../http/auth/key-records.ts';
import { badKey, badTicket, keysUnavailable, noProvider } from '../../../http/auth/refusals.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import {
  caller,
  granted,
  join,
  newKey,
  rawClient,
  sign,
  signingKey,
  startProvider,
} from './world.ts';

const alice = caller('alice');
const onDisk = { args: ['--appendonly', 'yes', '--appendfsync', 'always'] };

t.test('a revocation reaches every process through the stream', async (t) => {
  const redis = await redisOf(t);
  const [one, two, three] = [join(t, redis), join(t, redis), join(t, redis)];
  const members = [one, two, three];
  await Promise.all(members.map(({ following }) => following));
  const key = await newKey(one.auth, alice);
  const kept = await newKey(one.auth, alice);
  const others = await newKey(one.auth, caller('bob'));
  for (const { auth } of members) {
    for (const text of [key, kept, others]) {
      t.match(await auth.gate.byKey(text), { plan: 'free' });
      t.notOk(auth.gate.byKey(text) instanceof Promise, 'in memory');
    }
  }
  // The first change that a process hears of empties its memory: it cannot know what it missed before.
  const first = await newKey(one.auth, caller('carol'));
  const [{ id: firstId } = { id: '' }] = granted(await one.auth.keys.list(caller('carol')));
  granted(await one.auth.keys.revoke(caller('carol'), firstId));
  await until(() => members.every(({ heard }) => heard.length === 1), 'all heard of it');
  for (const { auth } of members) {
    t.equal(await auth.gate.byKey(first), badKey);
    for (const text of [key, kept, others]) await auth.gate.byKey(text);
  }
  const [{ id } = { id: '' }] = granted(await two.auth.keys.list(alice));
  granted(await two.auth.keys.revoke(alice, id));
  t.equal(await two.auth.gate.byKey(key), badKey, 'at once where it was revoked');
  await until(() => members.every(({ heard }) => heard.length === 2), 'all heard of it');
  for (const { auth } of members) {
    t.notOk(auth.gate.byKey(others) instanceof Promise, 'other accounts stay in memory');
    t.equal(await auth.gate.byKey(key), badKey);
    t.match(await auth.gate.byKey(kept), { account: 'alice' });
  }
});

t.test('changes that were missed empty the memory; repeated ones do not', async (t) => {
  const redis = await redisOf(t);
  const { auth } = join(t, redis, { deaf: true });
  const key = await newKey(auth, alice);
  const inMemory = async (number: number, account: string) => {
    await auth.gate.byKey(key);
    auth.changed({ number, account });
    return !(auth.gate.byKey(key) instanceof Promise);
  };
  t.equal(await inMemory(5, 'bob'), false, 'the first');
  t.equal(await inMemory(5, 'bob'), true, 'the same again');
  t.equal(await inMemory(6, 'bob'), true, 'the next');
  t.equal(await inMemory(7, 'alice'), false, 'the next, of this account');
  t.equal(await inMemory(9, 'bob'), false, 'one was missed');
  t.equal(await inMemory(8, 'bob'), false, 'out of order');
  t.equal(await inMemory(1, 'bob'), false, 'Redis began anew');
});

t.test('the topic’s last values do not grow', async (t) => {
  const redis = await redisOf(t);
  const one = join(t, redis);
  await one.following;
  for (let i = 0; i < 20; i++) {
    const { id } = granted(await one.auth.keys.create(caller(`account-${i}`), 'x', ''));
    granted(await one.auth.keys.revoke(caller(`account-${i}`), id));
  }
  await until(() => one.heard.at(-1)?.number === 20, 'the last change came');
  const raw = rawClient(t, redis);
  t.equal(await raw.hlen('last:accounts'), 1);
  const left = (await raw.keys('auth:*')).filter((name) => !name.startsWith('auth:revoked:'));
  t.same(
    left.sort(),
    ['auth:changes', 'auth:marker', 'auth:writes'],
    'and nothing but their lists is left of revoked keys',
  );
});

t.test('with the stream cut, 30 s bound a revoked key even when Redis stops', async (t) => {
  const redis = await redisOf(t, onDisk);
  const here = join(t, redis);
  const deaf = join(t, redis, { deaf: true });
  const { id, key } = granted(await here.auth.keys.create(alice, 'doomed', ''));
  const text = key ?? '';
  t.match(await deaf.auth.gate.byKey(text), { account: 'alice' });
  await deaf.clock.advance(1_000);
  granted(await here.auth.keys.revoke(alice, id));
  await redis.kill();
  t.match(deaf.auth.gate.byKey(text), { account: 'alice' }, 'it cannot know');
  await deaf.clock.advance(times.life - 1_001);
  t.match(deaf.auth.gate.byKey(text), { account: 'alice' }, 'after 29.999 s');
  await deaf.clock.advance(1);
  t.equal(await deaf.auth.gate.byKey(text), keysUnavailable, 'after 30 s: 503, not data');
  t.equal(deaf.auth.size(), 1);
  t.notMatch(deaf.book.text, /may lose API keys/);
  const logged = async (wait: number) => {
    await deaf.clock.advance(wait);
    t.equal(await deaf.auth.gate.byKey(text), keysUnavailable);
    t.equal(await deaf.auth.gate.byTicket('a'.repeat(32)), keysUnavailable);
    t.equal(await deaf.auth.gate.byTicket('x'), badTicket, 'its form is checked first');
    return deaf.book.text.split('cannot be looked up').length - 1;
  };
  const before = await logged(0);
  let lines = before;
  for (let i = 0; i < 3; i++) {
    const now = await logged(10_000);
    t.ok(now - lines <= 1, 'at most a line in ten seconds');
    lines = now;
  }
  t.ok(lines > before, 'and some');
  await redis.restart();
  await until(
    async () => (await deaf.auth.gate.byKey(text)) === badKey,
    'it is refused for good once Redis is back',
  );
  t.pass();
});

t.test('a key in use is confirmed in the background: it outlives Redis by 20 s', async (t) => {
  const redis = await redisOf(t);
  const raw = rawClient(t, redis);
  const { auth, clock } = join(t, redis);
  const key = await newKey(auth, alice);
  const lookUps = async () =>
    Number(/cmdstat_hmget:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  await auth.gate.byKey(key);
  const before = await lookUps();
  await clock.advance(9_000);
  await until(async () => (await lookUps()) > before, 'it is looked up again');
  // Its answer comes after that of the background, on the same connection.
  t.equal(await auth.gate.byKey(generateKey()), badKey);
  await redis.kill();
  await clock.advance(21_100);
  t.match(auth.gate.byKey(key), { account: 'alice' }, 'longer than 30 s after its first look-up');
  await clock.advance(9_000);
  t.equal(await auth.gate.byKey(key), keysUnavailable);
});

t.test('a frozen Redis makes no request wait beyond the deadline and the patience', async (t) => {
  const redis = await redisOf(t);
  const { auth, clock, book } = join(t, redis);
  const key = await newKey(auth, alice);
  await auth.gate.byKey(key);
  redis.freeze();
  t.teardown(() => redis.thaw());
  t.notOk(auth.gate.byKey(key) instanceof Promise, 'what is in memory serves');
  const answers = Array.from({ length: 20 }, () => auth.gate.byKey(generateKey()));
  const passing = setInterval(() => void clock.advance(100), 50);
  t.teardown(() => clearInterval(passing));
  for (const answer of await Promise.all(answers)) t.equal(answer, keysUnavailable);
  clearInterval(passing);
  t.equal(book.text.split('cannot be looked up').length - 1, 1, 'logged once');
  await clock.advance(times.life);
  redis.thaw();
  await until(async () => 'account' in (await auth.gate.byKey(key)), 'it is found again');
  t.pass();
});

t.test('keys and tickets that are not known share a bound of each address', async (t) => {
  const redis = await redisOf(t);
  const { auth } = join(t, redis);
  const key = await newKey(auth, alice);
  const ticket = granted(await auth.keys.sessions.ticket({ ...alice, key: 'none' }));
  redis.freeze();
  t.teardown(() => redis.thaw());
  const keys = Array.from({ length: 16 }, () =>
    auth.gate.byKey(generateKey(), '2001:db8:0:1::/64'),
  );
  const tickets = Array.from({ length: 16 }, () =>
    auth.gate.byTicket(ticket.ticket, '2001:db8:0:1::/64'),
  );
  t.equal(auth.gate.byKey(key, '2001:db8:0:1::/64'), keysUnavailable, 'at once');
  t.equal(await auth.gate.byTicket(ticket.ticket, '2001:db8:0:1::/64'), keysUnavailable);
  const other = auth.gate.byKey(key, '192.0.2.1');
  redis.thaw();
  t.match(await other, { account: 'alice' }, 'others are not affected');
  t.ok((await Promise.all(keys)).every((found) => found === badKey));
  t.ok((await Promise.all(tickets)).every((found) => found === badTicket));
  t.match(await auth.gate.byKey(key, '2001:db8:0:1::/64'), { account: 'alice' });
});

t.test('the plan of the newest token holds, everywhere and at once', async (t) => {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const [one, two] = [join(t, redis, { provider }), join(t, redis, { provider })];
  await Promise.all([one.following, two.following]);
  const now = one.clock.now();
  const bearer = async (iat: number, plan?: string) =>
    `Bearer ${await sign(signer, now, { iat: Math.floor(now / 1000) + iat, plan })}`;
  const free = await bearer(0);
  const who = granted(await one.auth.gate.byBearer(free));
  const ends = (Math.floor(now / 1000) + 3_600) * 1000;
  t.same(who, { account: 'alice', plan: 'free', key: null, until: ends });
  const key = await newKey(one.auth, who);
  for (const { auth } of [one, two]) t.match(await auth.gate.byKey(key), { plan: 'free' });

  t.match(await one.auth.gate.byBearer(await bearer(10, 'pro')), { plan: 'pro' });
  await until(() => two.heard.length === 1, 'the other process heard of it');
  for (const { auth } of [one, two]) t.match(await auth.gate.byKey(key), { plan: 'pro' });
  t.match(await two.auth.gate.byBearer(free), { plan: 'pro' }, 'an older token changes nothing');
  t.match(await one.auth.gate.byBearer(await bearer(20, 'pro')), { plan: 'pro' });
  t.match(await one.auth.gate.byBearer(await bearer(15, 'free')), { plan: 'pro' });

  const silent = `Bearer ${await sign(signer, now, { iat: now / 1000 + 25 })}`;
  t.match(await two.auth.gate.byBearer(silent), { plan: 'pro' }, 'nor one that states none');
  t.match(await one.auth.gate.byKey(key), { plan: 'pro' });

  t.match(
    await two.auth.gate.byBearer(await bearer(30, 'free')),
    { plan: 'free' },
    'a newer one does',
  );
  await until(() => one.heard.length === 2, 'the first process heard of it');
  t.match(await one.auth.gate.byKey(key), { plan: 'free' });
  const email = 'alice@example.com';
  const stated = `Bearer ${await sign(signer, now, { plan: 'pro', email })}`;
  t.same(await one.auth.gate.byBearer(stated), { ...who, email });
  await settle();
  t.strictSame([one.heard.length, two.heard.length], [2, 2]);
  await redis.kill();
  t.same(await one.auth.gate.byBearer(stated), { ...who, plan: 'pro', email });
  t.match(one.book.text, /cannot be looked up/);
});

t.test('requests of a day are counted over all processes', async (t) => {
  const redis = await redisOf(t);
  const evening = Date.UTC(2026, 4, 7, 23, 55);
  const midnight = Date.UTC(2026, 4, 8);
  const clock = new FakeClock(evening);
  const members = [join(t, redis, { clock }), join(t, redis, { clock })] as const;
  const [one, two] = members;
  const key = await newKey(one.auth, alice);
  const listed = async () => {
    const [found] = granted(await one.auth.keys.list(alice));
    return [found?.requests_today, found?.last_used_at];
  };
  t.same(await listed(), [0, null]);
  for (let i = 0; i < 700; i++) {
    for (const { auth } of members) await auth.gate.byKey(key);
  }
  t.same(await listed(), [700, evening], 'the process that answers has told its own');
  await clock.advance(10_000);
  await until(async () => (await listed())[0] === 1_400, 'the other within ten seconds');

  await clock.advance(midnight - 5_000 - clock.now());
  for (const { auth } of members) await auth.gate.byKey(key);
  t.same((await listed())[0], 1_401, 'just before midnight');
  await clock.advance(5_000);
  t.same(await listed(), [0, midnight - 5_000], 'a new day');
  await one.auth.gate.byKey(key);
  await one.auth.gate.byKey(key);
  t.same((await listed())[0], 2);
  await two.auth.stop();
  t.same(await listed(), [2, clock.now()], 'what came late belongs to the day before');
  const days = granted(await one.auth.keys.history(alice, 2));
  t.strictSame(days.timestamps, [Date.UTC(2026, 4, 7), midnight]);
  t.match(days.keys, [{ name: 'test', requests: [1_402, 2] }], 'and is in the days that are kept');
});

t.test('no use brings a revoked key back, nor an older time', async (t) => {
  const redis = await redisOf(t);
  const one = join(t, redis);
  const two = join(t, redis, { deaf: true });
  const key = await newKey(one.auth, alice);
  await two.auth.gate.byKey(key);
  await one.clock.advance(5_000);
  await one.auth.gate.byKey(key);
  const late = one.clock.now();
  await one.auth.stop();
  await two.auth.stop();
  const raw = rawClient(t, redis);
  const row = `auth:key:${digestOf(key)}`;
  t.equal(Number(await raw.hget(row, 'used')), late);

  const three = join(t, redis, { deaf: true });
  await three.auth.gate.byKey(key);
  const four = join(t, redis, { deaf: true });
  const [{ id } = { id: '' }] = granted(await four.auth.keys.list(alice));
  granted(await four.auth.keys.revoke(alice, id));
  await three.auth.stop();
  t.equal(await raw.exists(row), 0);
});

t.test('without a provider every token is refused; a ticket works once', async (t) => {
  const redis = await redisOf(t);
  const { auth, book } = join(t, redis);
  t.equal(await auth.gate.byBearer('Bearer a.b.c'), noProvider);
  const { id } = granted(await auth.keys.create(alice, 'page', ''));
  const { ticket } = granted(await auth.keys.sessions.ticket({ ...alice, key: id }));
  const found = await auth.gate.byTicket(ticket);
  t.match(found, { caller: { account: 'alice', key: id } });
  t.equal('key' in found && (await auth.gate.holds(found.key)), true);
  t.equal(await auth.gate.byTicket(ticket), badTicket);
  await until(() => book.text !== '', 'something is logged');
  t.match(book.text, /may lose API keys.*appendonly is off/s);
});

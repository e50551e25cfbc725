import t from 'tap';
import { Plans } from '../../../config/plans.ts';
import type { Allowance } from '../../../http/quota/allowance.ts';
import { quotaLines } from '../../../http/wire/form.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { alice, memoryQuota, quotaStage } from '../../support/quota.ts';

const key = 'k1';
const subject = 'account:alice';

const linesOf = (one: Allowance) => quotaLines(one.state(false));

t.test('requests are admitted from blocks that are fetched ahead', async (t) => {
  const { bucket, settled, clock } = quotaStage();
  t.type(bucket().take(key), Promise, 'the first asks Redis');
  await settle();
  t.strictSame(settled(), ['1-0+0?']);
  const asked: string[] = [];
  for (let i = 0; i < 40; i++) {
    t.equal(bucket().take(key), true, 'the others do not wait');
    await settle();
    for (const line of settled()) asked.push(line.replace('1-0+0 k1', String(i)));
  }
  t.equal(asked.join(' '), '1:2 5:4 9:4 13:4 16:3 19:3 22:3 25:3 28:3 30:2 32:2 34:2 36:2 38:2');
  t.match(
    linesOf(bucket()),
    /\r\nratelimit: "default";r=19;t=60\r\nratelimit-policy: "default";q=60;w=60\r\n/,
  );
  await clock.advance(59_001);
  t.match(linesOf(bucket()), /^\r\nx-ratelimit-after: 1\r\n.*r=19;t=1\r\n.*\r\nretry-after: 1$/s);
});

t.test('the limit, and the window after', async (t) => {
  const { request, bucket, clock, settled, store } = quotaStage();
  const first = bucket();
  t.strictSame([await request(100), first.epoch], [60, 2]);
  await settle();
  t.equal(settled().length, 33, 'each block, and one question whether others have returned some');
  t.equal(bucket().take(key), false, 'a refusal is given at once');
  t.match(linesOf(bucket()), /\r\nratelimit: "default";r=0;t=60\r/);
  await settle();
  t.strictSame(settled(), [], 'and does not ask Redis');
  await clock.advance(59_999);
  t.equal(await bucket().take(key), false);
  await clock.advance(1);
  t.match(linesOf(bucket()), /\r\nratelimit: "default";r=60;t=60\r/);
  t.equal(await request(61), 60);
  t.equal(store.reserved(subject), 60);
});

t.test('headers state whole seconds, rounded up, and at least one', async (t) => {
  const { bucket, clock } = quotaStage();
  const first = bucket();
  await first.take(key);
  const seconds: number[] = [];
  for (const ms of [0, 1, 998, 1, 18_000, 1_000, 39_000, 998, 1]) {
    await clock.advance(ms);
    seconds.push(first.state(false).seconds);
  }
  t.strictSame(seconds, [60, 60, 60, 59, 41, 40, 1, 1, 1]);
  await clock.advance(1);
  t.equal(first.state(false).seconds, 60, 'no window is open');
  t.equal(first.state(true).seconds, 60, 'as at the request');
});

t.test('a block ends with its window', async (t) => {
  const { bucket, clock, settled, request } = quotaStage();
  const first = bucket();
  await first.take(key);
  await clock.advance(56_000);
  t.equal(await request(1), 1);
  await clock.advance(4_000);
  settled();
  await first.settle(true);
  t.strictSame(settled(), ['0-0+0?'], 'nothing of it is returned or reported afterwards');
  t.match(linesOf(first), /r=60;t=60\r/);
  t.type(first.take(key), Promise);
  await settle();
  t.strictSame([settled(), first.epoch], [['1-0+0?'], 5]);
  await clock.advance(60_000);
  t.type(first.take(key), Promise);
  t.strictSame(settled(), ['1-0+0?'], 'the uses of the other window are forgotten');
});

t.test('after a slow answer a block is spent before the window may have ended', async (t) => {
  const { bucket, clock, store } = quotaStage();
  const first = bucket();
  store.state = 'slow';
  void first.take(key);
  await clock.advance(56_000);
  void first.take(key);
  await clock.advance(3_999);
  t.match(linesOf(first), /r=58;t=1\r/);
  t.equal(first.take(key), true);
  await clock.advance(1);
  store.state = 'away';
  const taken = first.take(key);
  t.type(taken, Promise, 'it asks Redis');
  t.equal(await taken, true, 'and decides alone without Redis');
  t.match(linesOf(first), /r=56;t=1\r/);
});

t.test('many at once', async (t) => {
  const { bucket, settled } = quotaStage();
  const taken = await Promise.all(Array.from({ length: 100 }, () => bucket().take(key)));
  t.equal(taken.filter(Boolean).length, 60);
  t.strictSame(settled(), ['1-0+0?', '98-0+0 k1:2'], 'those who wait share a reservation');
});

t.test('an idle process returns its reserved requests', async (t) => {
  const { request, store, quota, clock, settled } = quotaStage();
  t.match(await quota.usage(alice), { used: 0, resetIn: null });
  t.match(linesOf(quota.account(alice)), /r=60;t=60\r/, 'no window is open');
  await request(2);
  await clock.advance(4_999);
  t.ok(store.reserved(subject) > 2, 'not at once');
  await clock.advance(1);
  t.equal(store.reserved(subject), 2);
  t.same(await quota.usage(alice), {
    used: 2,
    resetIn: 55_000,
    keys: new Map([[key, 2]]),
    limit: 60,
    remaining: 58,
  });
  settled();
  await clock.advance(20_000);
  t.strictSame(settled(), [], 'without uses there is nothing to report');
  t.equal(await request(100), 58, 'and can be had again');

  const other = memoryQuota(clock);
  await other.quota.account(alice).take(key);
  const reserved = other.store.reserved(subject);
  t.ok(reserved > 1);
  await other.quota.usage(alice);
  t.equal(other.store.reserved(subject), reserved, 'a question about the use returns nothing');
  await other.quota.close();
  t.equal(other.store.reserved(subject), 1, 'so does that of a process that ends');
});

t.test('the use is had for one wait for Redis', async (t) => {
  const { request, quota, clock, store } = quotaStage();
  await request(3);
  await settle();
  store.state = 'slow';
  const usage = quota.usage(alice);
  await clock.advance(500);
  const found = await Promise.race([usage, settle()]);
  t.match(found, { used: 3, remaining: 57 });
});

t.test('a busy process reports its uses every 5 seconds', async (t) => {
  const { quota, clock, settled } = quotaStage();
  const pro = quota.account({ ...alice, plan: 'pro' });
  for (let i = 0; i < 5; i++) {
    await pro.take(key);
    await clock.advance(i < 4 ? 1_000 : 999);
  }
  t.strictSame(settled(), ['1-0+0?']);
  await clock.advance(1);
  t.strictSame(settled(), ['0-0+0 k1:5']);
  const asked: number[] = [];
  for (let left = 32; left > 5; left--) {
    t.equal(pro.take(key), true);
    await settle();
    if (settled().length > 0) asked.push(left);
  }
  t.strictSame(asked, [9], 'a report does not change when the next block is fetched');
});

t.test('a refused process learns what others give back', async (t) => {
  const { bucket, store, clock, request } = quotaStage();
  await request(61);
  await settle();
  const settlement = {
    number: 0,
    subject,
    limit: 60,
    want: 0,
    window: '',
    owed: 0,
    used: new Map(),
  };
  await store.settle({ ...settlement, back: 3 });
  t.equal(bucket().take(key), false);
  await clock.advance(1_000);
  t.equal(bucket().take(key), false, 'asks, without waiting for it');
  await settle();
  t.equal(await request(5), 3);
});

t.test('refunds', async (t) => {
  const { bucket, request, quota, clock, settled } = quotaStage();
  await request(60);
  const first = bucket();
  const { epoch } = first;
  first.refund(key, epoch);
  t.equal(first.take(key), true);
  t.equal(first.take(key), false);
  t.equal(settled().at(-1), '1-0+0 k1:2', 'nothing is owed');
  t.equal((await quota.usage(alice))?.used, 60);
  await clock.advance(60_000);
  while (await first.take(key));
  first.refund(key, epoch);
  t.equal(first.take(key), false, 'not in another window than they were admitted in');
});

t.test('a refund while the next window begins is not counted in that', async (t) => {
  const { bucket, clock, store, request } = quotaStage();
  const first = bucket();
  t.equal(await request(60), 60);
  const { epoch } = first;
  await clock.advance(59_700);
  store.state = 'slow';
  t.equal(first.take(key), false);
  first.refund(key, epoch);
  await clock.advance(600);
  store.state = 'up';
  await first.settle(true);
  t.equal(
    (await store.usage(subject)).used,
    0,
    'of the window that began when the answer was made',
  );
});

t.test('a plan that changes', async (t) => {
  const { request, quota } = quotaStage();
  t.equal(await request(70), 60);
  const pro = { ...alice, plan: 'pro' } as const;
  let admitted = 0;
  for (let i = 0; i < 700; i++) if (await quota.account(pro).take(key)) admitted += 1;
  t.equal(admitted, 540);
  const bob = { ...pro, account: 'bob' };
  for (let i = 0; i < 70; i++) await quota.account(bob).take(key);
  const left = /r=(\d+);/.exec(linesOf(quota.account({ ...bob, plan: 'free' })))?.[1];
  t.equal(left, '37', 'only the block that is reserved already');
});

t.test('a link key has a quota of its own within that of its account', async (t) => {
  const { quota, clock } = quotaStage();
  const account = { ...alice, plan: 'pro' };
  const of = (name: string) => quota.account({ ...account, key: name, link: ['/v1/bars'] });
  const most = async (name: string) => {
    let count = 0;
    while (await of(name).take(name)) count += 1;
    return count;
  };
  t.strictSame([await most('l1'), of('l1').limit, of('l1').state(false).remaining], [60, 60, 0]);
  const all = quota.account(account);
  t.equal(all.state(false).remaining, 540, 'what it was used for counts in its account');
  for (let i = 0; i < 500; i++) await all.take(key);
  t.strictSame([await most('l2'), of('l2').limit], [40, 600], 'the account has no more');
  const refunded = of('l2');
  refunded.refund('l2', refunded.epoch);
  t.equal(all.state(false).remaining, 1);
  t.equal((await quota.usage(account))?.keys.get('l2'), 39);
  t.equal(await all.take(key), true);
  await clock.advance(60_000);
  refunded.refund('l2', 0);
  t.equal(await of('l2').take('l2'), true, 'a window after');
});

t.test('connections and subscriptions of a plan', async (t) => {
  const limits = (plans?: Plans) => {
    const { quota } = memoryQuota(new FakeClock(), plans);
    return [quota.connections(alice), quota.subscriptions(alice)];
  };
  t.strictSame(limits(), [60, 500]);
  const free = { name: 'free', requestsPerMinute: 7, keys: null, connections: null } as const;
  t.strictSame(limits(new Plans([free])), [Infinity, Infinity], 'no limit');
});

t.test('plans that the operator sets, and one without a limit', async (t) => {
  const clock = new FakeClock();
  const limits = { keys: null, connections: null };
  const plans = new Plans([
    { name: 'team', requestsPerMinute: 7, ...limits },
    { name: 'free', requestsPerMinute: null, ...limits },
  ]);
  const { quota, store } = memoryQuota(clock, plans);
  const admitted = async (plan: string) => {
    let count = 0;
    for (let i = 0; i < 100; i++) if (await quota.account({ ...alice, plan }).take(key)) count += 1;
    return count;
  };
  t.equal(await admitted('team'), 7);
  t.equal(await admitted('free'), 100);
  t.equal(await admitted('team'), 0, 'the window is still there after a change of the plan');
  const { length } = store.settled;
  for (let i = 0; i < 100; i++) t.equal(quota.address('192.0.2.1').take(''), true);
  t.equal(store.settled.length, length, 'clients without an account have what free allows');
  t.match(quota.peek('192.0.2.1'), /x-ratelimit-after: 0/);
});

t.test('an address has what the plan free allows now', async (t) => {
  const limited = (requestsPerMinute: number) =>
    new Plans([{ name: 'free', requestsPerMinute, keys: null, connections: null }]);
  let plans = limited(7);
  const changing = Object.assign(new Plans(), { of: (name: string | null) => plans.of(name) });
  const { quota } = memoryQuota(new FakeClock(), changing);
  const read = () => [quota.address('192.0.2.1').limit, /q=(\d+)/.exec(quota.peek('a'))?.[1]];
  t.strictSame(read(), [7, '7']);
  plans = limited(9);
  t.strictSame(read(), [9, '9']);
});

t.test('accounts that are idle cost no memory', async (t) => {
  const { quota, bucket, request, clock } = quotaStage();
  await request(1);
  const first = bucket();
  await clock.advance(30_000);
  t.equal(bucket(), first);
  await clock.advance(32_000);
  t.not(bucket(), first);
  const address = quota.address('192.0.2.1');
  await address.take('');
  t.match(quota.peek('192.0.2.1'), /r=59;/);
  t.match(quota.peek('192.0.2.2'), /r=60;t=60\r/, 'peeking opens no window');
  const one = quota.address('flood-0');
  for (let i = 1; i <= 50_000; i++) quota.address(`flood-${i}`);
  t.not(quota.address('flood-0'), one, 'the oldest go when there are too many');
});

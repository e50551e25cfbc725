/** Quotas while Redis is away. */
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { Outage } from '../../../http/quota/outage.ts';
import { createQuota } from '../../../http/quota/quota.ts';
import { createQuotaStore } from '../../../http/quota/store.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { alice, quotaStage } from '../../support/quota.ts';
import { redisOf } from '../../support/redis.ts';

const key = 'k1';
const subject = 'account:alice';

t.test('a process that ends waits for Redis half a second', async (t) => {
  const { quota, clock, store, bucket } = quotaStage();
  await bucket().take(key);
  store.state = 'silent';
  let closed = false;
  void quota.close().then(() => {
    closed = true;
  });
  await clock.advance(499);
  t.equal(closed, false);
  await clock.advance(1);
  t.equal(closed, true);
  await clock.advance(2_000);
  t.equal(clock.pending, 0, 'no timer is left');
});

t.test('Redis goes away', async (t) => {
  const { request, bucket, store, clock, lines, quota } = quotaStage();
  t.equal(await request(10), 10);
  store.state = 'away';
  t.equal(await request(100), 50, 'what was left counts as its own');
  t.equal(bucket().take(key), false);
  t.equal(await quota.usage(alice), null);
  await clock.advance(60_000);
  t.equal(await request(100), 60, 'and the whole limit in every further window');
  t.strictSame(lines, ['quotas: Redis is away, each process counts alone'], 'logged once');

  await clock.advance(60_000);
  t.equal(await request(20), 20);
  await clock.advance(1_000);
  t.equal(await request(2), 2, 'a second attempt fails');
  const first = bucket();
  first.refund(key, first.epoch);
  store.state = 'up';
  await clock.advance(1_000);
  t.equal(await request(100), 39, 'what was admitted alone is reported afterwards');
  t.equal(store.reserved(subject), 60);
  t.equal((await quota.usage(alice))?.used, 60);
  t.equal(lines[1], 'quotas: Redis is back');
});

t.test('Redis is away for a part of a window', async (t) => {
  const { request, bucket, store, clock, settled } = quotaStage();
  await request(10);
  await settle();
  store.state = 'away';
  settled();
  await request(20);
  const alone = bucket().epoch;
  store.state = 'up';
  await clock.advance(1_000);
  t.equal(await request(1), 1);
  t.strictSame(settled(), ['1-0+0 k1:4', '1-0+18? k1:24'], 'two of the twenty were reserved');
  t.equal(bucket().epoch, alone + 1);
  t.equal(await request(100), 29);
  t.equal(store.reserved(subject), 60);
});

t.test('a block that could not be returned is spent', async (t) => {
  const { request, store, clock } = quotaStage();
  await request(2);
  store.state = 'away';
  await clock.advance(5_000);
  t.equal(await request(100), 58);
});

t.test('one caller a second tries Redis again, whichever account it is of', async (t) => {
  const { quota, bucket, store, clock } = quotaStage();
  store.state = 'away';
  await bucket().take(key);
  await clock.advance(1_000);
  store.state = 'silent';
  const { length } = store.settled;
  const others = ['bob', 'carol'].map((account) => quota.account({ ...alice, account }).take(key));
  const [first, second] = others;
  t.type(first, Promise, 'it waits for an answer');
  t.equal(second, true, 'the other is admitted at once');
  t.equal(store.settled.length, length + 1);
  await clock.advance(2_000);
  t.equal(await first, true);
});

t.test('an outage: logged at its beginning and end, tried again each second', async (t) => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const outage = new Outage({ info: write, warn: write, error: write }, () => clock.now());
  const on = () => outage.on(clock.now());
  outage.end();
  t.same([on(), lines.length], [false, 0], 'there is none');
  outage.begin('away');
  t.equal(on(), true);
  await clock.advance(999);
  t.equal(on(), true);
  await clock.advance(1);
  t.same([on(), on()], [false, true], 'one caller tries again');
  await clock.advance(999);
  t.equal(on(), true);
  outage.begin('still away');
  await clock.advance(1);
  t.equal(on(), true, 'a second after it has failed');
  await clock.advance(999);
  t.equal(on(), false);
  outage.end();
  outage.end();
  t.same([on(), lines.length], [false, 2]);
});

t.test('a block of a window that Redis has lost is given back', async (t) => {
  const { request, store, clock } = quotaStage();
  await request(2);
  store.clear();
  await clock.advance(6_000);
  t.equal(await request(61), 60);
});

t.test('Redis does not answer', async (t) => {
  const { bucket, store, clock, lines, request } = quotaStage();
  store.state = 'silent';
  const taken = bucket().take(key);
  let answer: boolean | undefined;
  void Promise.resolve(taken).then((admitted) => {
    answer = admitted;
  });
  await clock.advance(1_999);
  t.equal(answer, undefined);
  await clock.advance(1);
  t.equal(answer, true, 'waited for no longer than the deadline');
  t.equal(lines.length, 1);
  for (let i = 0; i < 59; i++) t.equal(bucket().take(key), true, 'the others do not wait');
  t.equal(await request(1), 0);
});

t.test(
  'a real Redis that is stopped for a while: nothing reserved is lost or counted twice',
  async (t) => {
    const redis = await redisOf(t);
    const store = createQuotaStore({ url: redis.url, name: 'test' });
    t.teardown(() => store.close());
    const clock = new FakeClock();
    const quota = createQuota({ store, clock, log: silent });
    const account = quota.account(alice);
    const request = () => account.take(key);
    t.equal(await request(), true, 'one of a block of four');
    t.equal(request(), true);
    redis.freeze();
    t.equal(request(), true, 'and the next block is asked for');
    await clock.advance(2_000);
    redis.thaw();
    t.equal(request(), true, 'the last of the block');
    await clock.advance(1_000);
    let admitted = 4;
    while (await request()) {
      admitted += 1;
      const usage = await quota.usage(alice);
      t.equal(usage?.used, admitted);
      t.equal(usage?.remaining, 60 - admitted);
    }
    t.equal(admitted, 60, 'as many as the plan has');
    t.match(await quota.usage(alice), { used: 60, remaining: 0 });
  },
);

/** Windows whose latest settlements Redis has lost, as a replica that lagged when it was promoted. */
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createQuotaStore, type Settlement } from '../../../http/quota/store.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const subject = 'account:alice';
const key = `quota:${subject}`;

const uses = (count: number) => new Map([['k1', count]]);

/** A Redis, and processes with their quotas on it; `settle` numbers the settlements of a process. */
async function stage(t: Test) {
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  const raw = new Redis(redis.url.replace('unix://', ''));
  t.teardown(() => raw.disconnect());
  const join = () => {
    const store = createQuotaStore({ url: redis.url, name: 'quota' });
    t.teardown(() => store.close());
    let number = 0;
    const settle = (more: Partial<Settlement> = {}) =>
      store.settle({
        ...{
          number: ++number,
          subject,
          limit: 600,
          want: 0,
          window: '',
          back: 0,
          owed: 0,
          used: new Map(),
        },
        ...more,
      });
    return { ...store, settle };
  };
  /** Puts the window back to what it was; `null` for none. */
  const rollBack = async (state: Record<string, string> | null) => {
    const left = await raw.pttl(key);
    await raw.del(key);
    if (state === null) return;
    await raw.hset(key, state);
    await raw.pexpire(key, left);
  };
  return { raw, join, rollBack };
}

t.test('the process that has stated it states it again, once', async (t) => {
  const { raw, join, rollBack } = await stage(t);
  const [one, other] = [join(), join()];
  const { window = '' } = (await one.settle({ want: 100 })) ?? {};
  await one.settle({ window, used: uses(30) });
  await other.settle({ want: 50, window });
  const early = await raw.hgetall(key);
  await one.settle({ window, want: 60, used: uses(40) });
  await one.settle({ window, back: 10, used: uses(5) });
  const whole = await raw.hgetall(key);
  t.match(whole, { reserved: '200', used: '75', 'key:k1': '75' });
  await rollBack(early);
  t.equal((await one.usage(subject)).used, 30, 'it is lost');
  t.match(await other.settle({ window }), { rest: 450 }, 'another process has lost nothing');
  t.match(await one.settle({ window }), { rest: 400, window });
  t.match(await one.usage(subject), { used: 75, keys: uses(75) });
  await one.settle({ window, used: uses(1) });
  t.equal((await one.usage(subject)).used, 76, 'not again');
});

t.test('a window that is gone is opened again with its end', async (t) => {
  const { raw, join, rollBack } = await stage(t);
  const one = join();
  const { window = '' } = (await one.settle({ want: 100 })) ?? {};
  await one.settle({ window, used: uses(70) });
  const end = await raw.pexpiretime(key);
  await rollBack(null);
  t.match(await one.settle({ window, used: uses(2) }), { window, rest: 500 });
  t.equal((await one.usage(subject)).used, 72);
  t.ok(Math.abs((await raw.pexpiretime(key)) - end) <= 1, 'the same end, to the millisecond');
});

t.test('where another process has opened a window since, it counts in that', async (t) => {
  const { join, rollBack } = await stage(t);
  const [one, other] = [join(), join()];
  const { window = '' } = (await one.settle({ want: 100 })) ?? {};
  await one.settle({ window, used: uses(70) });
  await rollBack(null);
  const next = await other.settle({ want: 50 });
  t.match(await one.settle({ window }), { window: next?.window, rest: 450 });
  t.equal((await one.usage(subject)).used, 70);
  t.match(await one.settle({ window: next?.window ?? '' }), { rest: 450 }, 'once');
});

t.test('after a connection all of it is stated again, without a request', async (t) => {
  const { raw, join, rollBack } = await stage(t);
  const one = join();
  const { window = '' } = (await one.settle({ want: 100 })) ?? {};
  const early = await raw.hgetall(key);
  await one.settle({ window, used: uses(70) });
  await rollBack(early);
  await raw.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await until(async () => (await raw.hget(key, 'used')) === '70', 'it is stated again');
  t.match(await raw.hgetall(key), { reserved: '100', 'key:k1': '70' });
});

t.test('a settlement without an answer is lost as well, and undone', async (t) => {
  const { raw, join, rollBack } = await stage(t);
  const one = join();
  const { window = '' } = (await one.settle({ want: 100 })) ?? {};
  const early = await raw.hgetall(key);
  await one.settle({ window, used: uses(70) });
  const lost = {
    number: 3,
    subject,
    limit: 600,
    want: 40,
    window,
    back: 5,
    owed: 0,
    used: uses(9),
  };
  await rollBack(early);
  t.equal(await one.undo(lost), false, 'it was not carried out');
  t.match(await raw.hgetall(key), { reserved: '95', used: '70' }, 'five were returned');
  await rollBack(early);
  t.match(await one.settle({ number: 4, window }), { rest: 505 });
  t.equal((await one.usage(subject)).used, 70);
});

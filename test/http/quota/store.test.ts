import t from 'tap';
import { createQuotaStore, type Settlement } from '../../../http/quota/store.ts';
import { redisOf } from '../../support/redis.ts';

let number = 0;

const settlement = (more: Partial<Settlement> = {}): Settlement => ({
  number: ++number,
  subject: 'account:alice',
  limit: 60,
  want: 1,
  window: '',
  back: 0,
  owed: 0,
  used: new Map(),
  ...more,
});

t.test('windows in Redis', async (t) => {
  const redis = await redisOf(t);
  const store = createQuotaStore({ url: redis.url, name: 'test' });
  t.teardown(() => store.close());

  t.equal(await store.settle(settlement({ want: 0 })), null, 'nothing opens a window');
  t.same(await store.usage('account:alice'), { used: 0, resetIn: null, keys: new Map() });

  const first = await store.settle(settlement());
  t.match(first, { granted: 4, rest: 56 }, 'a sixteenth, rounded up');
  const { window = '', resetIn = 0 } = first ?? {};
  t.match(window, /^\d{10}\.\d+$/);
  t.ok(resetIn > 50_000 && resetIn <= 60_000);
  t.match(await store.settle(settlement({ want: 20, window })), { granted: 20, rest: 36, window });
  t.match(await store.settle(settlement({ subject: 'account:bob' })), { granted: 4 });

  const used = new Map([
    ['k1', 3],
    ['', 2],
  ]);
  const told = await store.settle(settlement({ want: 0, window, back: 4, used }));
  t.match(told, { granted: 0, rest: 40, window });
  const usage = await store.usage('account:alice');
  t.equal(usage.used, 5);
  t.strictSame([...usage.keys], [['k1', 3]], 'uses without a key are of none');
  t.ok((usage.resetIn ?? 0) > 50_000);

  const other = await store.settle(settlement({ want: 0, window: 'gone', back: 9, owed: 9, used }));
  t.match(other, { rest: 40 }, 'what belongs to another window changes nothing');
  t.equal((await store.usage('account:alice')).used, 5);
  t.match(await store.settle(settlement({ owed: 30, want: 90 })), { granted: 10, rest: 0 });
  t.match(await store.settle(settlement({ owed: 30, want: 1 })), { granted: 0, rest: 0 });
  t.match(await store.settle(settlement({ limit: 600 })), { granted: 32 }, 'a larger plan');
});

t.test('a window ends by itself, and Redis that is away is an error', async (t) => {
  const redis = await redisOf(t);
  const store = createQuotaStore({ url: redis.url, name: 'test', length: 20 });
  t.teardown(() => store.close());
  const first = await store.settle(settlement({ want: 60 }));
  let next = first;
  while (next?.window === first?.window) next = await store.settle(settlement());
  t.match(next, { granted: 4, rest: 56 });
  await redis.kill();
  await t.rejects(store.settle(settlement()));
  await t.rejects(store.usage('account:alice'));
});

t.test('a settlement without an answer: returned once, and not carried out later', async (t) => {
  const redis = await redisOf(t);
  const store = createQuotaStore({ url: redis.url, name: 'test' });
  t.teardown(() => store.close());
  t.equal(await store.undo(settlement()), false, 'Redis has come back empty');
  const { window = '' } = (await store.settle(settlement({ want: 10 }))) ?? {};
  const carriedOut = settlement({ want: 20, window, used: new Map([['k1', 3]]) });
  t.match(await store.settle(carriedOut), { granted: 20, rest: 30 });
  t.equal(await store.undo(carriedOut), true);
  t.equal(await store.undo(carriedOut), true, 'the answer to that was lost, too');
  t.match(await store.settle(settlement({ want: 0, window })), { rest: 50 });

  const late = settlement({ want: 5, window, back: 4, used: new Map([['k1', 6]]) });
  t.equal(await store.undo(late), false);
  t.equal(await store.settle(late), null, 'Redis reads it afterwards');
  t.match(await store.settle(settlement({ want: 0, window })), { rest: 54 }, 'four were returned');
  t.equal((await store.usage('account:alice')).used, 3);
});

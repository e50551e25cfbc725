import t from 'tap';
import { type FailureCode, failed, type Result, success } from '../../../actors/failure.ts';
import {
  type Fetched,
  QueryCache,
  type QueryCacheOptions,
  roughSize,
} from '../../../actors/queries/query-cache.ts';
import { FakeClock } from '../../support/clock.ts';

const life = 1_000;

function stage(options: Partial<QueryCacheOptions<string>> = {}) {
  const clock = new FakeClock();
  const cache = new QueryCache<string>({
    clock,
    entries: 100,
    bytes: 1e6,
    sizeOf: (value) => value.length,
    ...options,
  });
  const state = {
    calls: 0,
    failure: null as FailureCode | null,
    more: {} as Partial<Fetched<string>>,
  };
  const fetch = async (): Promise<Result<Fetched<string>>> => {
    const [call, now] = [++state.calls, clock.now()];
    if (state.failure) return failed(state.failure, 'x');
    return success({ value: `v${call}`, received: now, until: now + life, ...state.more });
  };
  const load = async (key = 'k', account = '') => {
    const outcome = await cache.load(key, account, fetch);
    if (!outcome.ok) return outcome.failure.code;
    return outcome.value.stale ? `${outcome.value.value} stale` : outcome.value.value;
  };
  return { clock, cache, state, fetch, load };
}

t.test('a value is reused until it is no longer fresh', async (t) => {
  const { clock, cache, state, load } = stage();
  t.equal(cache.get('k'), null);
  t.equal(await load(), 'v1');
  await clock.advance(life - 1);
  t.equal(await load(), 'v1');
  t.match(cache.get('k'), { ok: true, value: { value: 'v1' } });
  t.equal(await load('other'), 'v2', 'keys are apart');
  t.strictSame([cache.has('k'), cache.has('unknown')], [true, false]);
  await clock.advance(1);
  t.strictSame([cache.has('k'), cache.get('k')], [false, null]);
  t.equal(await load(), 'v3');
  t.equal(state.calls, 3);
});

t.test('a value that is stale on arrival is not cached', async (t) => {
  const { cache, clock, state, load } = stage();
  state.more = { until: clock.now() };
  t.same([await load(), await load()], ['v1', 'v2']);
  t.equal(cache.counts().entries, 0);
  state.failure = 'timeout';
  t.equal(await load(), 'timeout', 'nor given while the source fails');
});

t.test('equal questions share a call, whichever accounts ask, and its result', async (t) => {
  const { state, cache, load } = stage();
  const accounts = Array.from({ length: 100 }, (_, i) => `a${i}`);
  const found = await Promise.all(['a0', ...accounts].map((account) => load('k', account)));
  t.same(new Set(found), new Set(['v1']));
  t.equal(await load('k', 'later'), 'v1');
  t.equal(state.calls, 1);
  t.match(cache.counts(), { hits: 1, joined: 100, loaded: 1 }, 'each is counted');
  state.failure = 'timeout';
  t.same(await Promise.all([load('x', 'a'), load('x', 'b')]), ['timeout', 'timeout']);
  t.equal(state.calls, 2, 'and its failure');
});

t.test('an account whose share is used up limits no other', async (t) => {
  const { clock, state, cache } = stage();
  const asked: string[] = [];
  const load = (account: string) =>
    cache.load('k', account, async () => {
      asked.push(account);
      const now = clock.now();
      if (account === 'full') return failed('over_budget', 'the share of this account');
      const part = account === 'part' ? { own: true as const } : {};
      return success({ value: account, received: now, until: now + life, ...part });
    });
  const textOf = (found: Awaited<ReturnType<typeof load>>) =>
    found.ok ? found.value.value : found.failure.code;
  const all = await Promise.all(['full', 'b', 'full', 'b'].map(load));
  t.same(all.map(textOf), ['over_budget', 'b', 'over_budget', 'b']);
  t.same(asked.splice(0), ['full', 'b'], 'each account once');
  t.equal(textOf(await load('full')), 'b', 'out of the cache');
  await clock.advance(life);
  t.same((await Promise.all(['part', 'c'].map(load))).map(textOf), ['part', 'c']);
  t.equal(state.calls, 0);
});

t.test('an answer cut by the share of an account is cached for that account only', async (t) => {
  const { state, load } = stage();
  state.more = { own: true };
  t.equal(await load('k', 'a'), 'v1');
  state.more = {};
  t.equal(await load('k', 'a'), 'v1');
  t.equal(await load('k', 'b'), 'v2');
});

t.test('while the source fails the last value is served stale for ten lifetimes', async (t) => {
  const { clock, cache, state, load } = stage();
  await load();
  state.failure = 'unavailable';
  await clock.advance(life);
  t.equal(await load(), 'v1 stale');
  t.match(cache.get('k'), { value: { stale: true, until: clock.now() + life } });
  t.equal(await load(), 'v1 stale');
  t.equal(state.calls, 2, 'the source is left alone for a life');
  await clock.advance(9 * life - 1);
  t.equal(await load(), 'v1 stale');
  await clock.advance(1);
  t.equal(await load(), 'unavailable', 'its time is over');
  t.match(cache.counts(), { failed: 3, stale: 2 });
  state.failure = null;
  t.equal(await load(), 'v5');
});

t.test('the source of a long-lived value is asked again after five seconds', async (t) => {
  const { clock, state, load } = stage();
  state.more = { until: clock.now() + 60_000 };
  await load();
  await clock.advance(60_000);
  state.failure = 'network';
  await load();
  await clock.advance(4_999);
  await load();
  t.equal(state.calls, 2);
  await clock.advance(1);
  t.equal(await load(), 'v1 stale');
  t.equal(state.calls, 3);
});

t.test('failures are not cached, except an unknown instrument, which is an answer', async (t) => {
  const { clock, state, load } = stage();
  state.failure = 'timeout';
  t.same([await load(), await load()], ['timeout', 'timeout']);
  t.equal(state.calls, 2);
  state.failure = null;
  await load();
  await clock.advance(life);
  state.failure = 'refused';
  t.equal(await load(), 'refused', 'no stale value instead');
  state.failure = 'unknown_instrument';
  t.equal(await load(), 'v3 stale', 'a source that has just known it');
  await clock.advance(10 * life);
  t.equal(await load(), 'unknown_instrument');
  state.failure = null;
  await clock.advance(29_999);
  t.equal(await load(), 'unknown_instrument');
  await clock.advance(1);
  t.match(await load(), /^v\d$/);
});

t.test('a stale reply of the source is served no longer than it states', async (t) => {
  const { clock, state, load } = stage();
  state.more = { stale: true };
  t.equal(await load(), 'v1 stale');
  state.failure = 'timeout';
  await clock.advance(life);
  t.equal(await load(), 'timeout');
  const front = stage({ staleLives: 0 });
  await front.load();
  await front.clock.advance(life);
  front.state.failure = 'timeout';
  t.equal(await front.load(), 'timeout', 'a cache may do without');
});

t.test('entries and bytes are bounded; the least recently asked entry makes room', async (t) => {
  const { cache, load } = stage({ entries: 3 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) await load(key);
  t.same(
    [...cache.values()].map(({ key }) => key),
    ['c', 'a', 'd'],
  );
  t.match(cache.counts(), { entries: 3, evicted: 1 });

  const exact = stage({ bytes: 402, sizeOf: () => 200 });
  await exact.load('a');
  t.match(exact.cache.counts(), { entries: 1, bytes: 402, evicted: 0 });
  const small = stage({ bytes: 1_000, sizeOf: (value) => (value === 'v4' ? 900 : 200) });
  for (const key of ['a', 'b']) await small.load(key);
  const each = small.cache.counts().bytes / 2;
  t.equal(each, 402, 'the value, the key and what an entry costs');
  await small.load('c');
  t.match(small.cache.counts(), { entries: 2, bytes: 804, evicted: 1 });
  t.equal(await small.load('big'), 'v4');
  t.match(small.cache.counts(), { entries: 2, bytes: 804 }, 'what is larger than all is not kept');
  for (let i = 0; i < 5; i++) await small.load('c');
  t.match(small.cache.counts(), { entries: 2, bytes: 804 });
});

t.test('a refresh does not count as a question of a client', async (t) => {
  const { clock, cache, fetch, load } = stage();
  await load();
  const asked = clock.now();
  await clock.advance(500);
  await cache.refresh('k', '', fetch, asked);
  t.match([...cache.values()], [{ key: 'k', value: 'v2', until: clock.now() + life, asked }]);
  await load();
  await cache.refresh('k', '', fetch, asked);
  t.equal([...cache.values()][0]?.asked, clock.now(), 'and takes no question back');
});

t.test('a fetch that rejects leaves nothing behind', async (t) => {
  const { cache, load } = stage();
  await t.rejects(
    cache.load('k', '', () => Promise.reject(new Error('a bug'))),
    /a bug/,
  );
  t.equal(await load(), 'v1');
});

t.test('about the bytes of a value', async (t) => {
  const values = ['ab', 7, null, new Uint8Array(10), [1, 2, 3], { a: 1, b: { c: 'ab' } }];
  t.same(values.map(roughSize), [20, 8, 8, 74, 64, 116]);
  const bytesOf = async (options: Partial<QueryCacheOptions<string>>) => {
    const cache = new QueryCache<string>({
      clock: new FakeClock(),
      entries: 9,
      bytes: 1e6,
      ...options,
    });
    await cache.load('k', '', async () => success({ value: 'value', received: 0, until: 1e15 }));
    return cache.counts().bytes;
  };
  t.equal((await bytesOf({})) - (await bytesOf({ sizeOf: () => 0 })), roughSize('value'));
});

import t from 'tap';
import type { QueryOptions } from '../../../actors/bus/bus.ts';
import { failed, type Result } from '../../../actors/failure.ts';
import type { Reply } from '../../../actors/topics/index.ts';
import { JsonText } from '../../../http/answers/json-text.ts';
import { FrontQueries, markStale, type QuestionOf } from '../../../http/answers/queries.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { apiError, isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { queryBus } from '../../support/queries.ts';

const life = 1_000;

function setup() {
  const clock = new FakeClock();
  const asked: string[] = [];
  const accounts: (string | undefined)[] = [];
  const state = {
    result: null as Result<never> | null,
    more: {} as Partial<Reply<unknown>>,
    gate: Promise.resolve(),
    failing: '',
  };
  const bus = queryBus(async ({ source, name }, { account }: QueryOptions) => {
    asked.push(`${source} ${name}`);
    accounts.push(account);
    const { result } = state;
    await state.gate;
    if (result) return result;
    if (source === state.failing) return failed('timeout', 'no answer');
    const value = { market: 'X', bids: [], asks: [], timestamp: asked.length };
    const now = clock.now();
    return { ok: true, value: { value, received: now, until: now + life, ...state.more } };
  });
  const queries = new FrontQueries({ bus, clock, random: () => 0.5 });
  const bookOf = (market: string): QuestionOf<'orderBook'> => ({
    source: 'okx',
    name: 'orderBook',
    params: { market, depth: 5 },
    what: `the order book of ${market}`,
    data: ({ timestamp }) => ({ timestamp }),
  });
  const read = (question = bookOf('X'), account = 'a') => queries.read(question, account);
  return { clock, asked, accounts, state, queries, bookOf, read };
}

const dataOf = (answer: unknown) => {
  if (!(answer instanceof Snapshot)) throw new Error('no snapshot');
  return JSON.parse(answer.at(1e12).toString()).data;
};

t.test(
  'an answer is given again, as bytes and at once, until its reply is not fresh',
  async (t) => {
    const { clock, asked, read, bookOf } = setup();
    const first = await read();
    t.same(dataOf(first), { timestamp: 1 });
    await clock.advance(life - 1);
    t.equal(read(), first, 'without a promise');
    t.not(await read(bookOf('Y')), first);
    t.not(await read({ ...bookOf('X'), variant: 'v1' }), first, 'each form has its own');
    t.not(await read({ ...bookOf('X'), source: 'gate' }), first);
    await clock.advance(1);
    t.type(read(), Promise);
    t.same(asked, [...Array(3).fill('okx orderBook'), 'gate orderBook', 'okx orderBook']);
  },
);

t.test('a hundred accounts with one question make one query', async (t) => {
  const { accounts, read, bookOf } = setup();
  const all = await Promise.all(Array.from({ length: 100 }, (_, i) => read(bookOf('X'), `a${i}`)));
  t.equal(new Set(all).size, 1, 'the same bytes');
  t.same(accounts, ['a0'], 'which names the account of the first');
});

t.test('an account whose share is used up limits no other', async (t) => {
  const { state, accounts, read, bookOf } = setup();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  state.result = failed('over_budget', 'the share of a', { retryAfter: 7_100 });
  const first = [read(), read()];
  state.result = null;
  const second = read(bookOf('X'), 'b');
  t.same(accounts, ['a']);
  gate.resolve();
  for (const one of first) t.match(await one, { error: 'overloaded', retryAfter: 8 });
  const answer = await second;
  t.ok(answer instanceof Snapshot);
  t.same(accounts, ['a', 'b'], 'b asks by itself');
  t.equal(read(bookOf('X'), 'c'), answer);
});

t.test('an answer that is stale on arrival is not reused', async (t) => {
  const { clock, asked, state, read } = setup();
  state.more = { until: clock.now() };
  t.same([dataOf(await read()), dataOf(await read())], [{ timestamp: 1 }, { timestamp: 2 }]);
  t.equal(asked.length, 2);
});

t.test('an answer that lasts longer than its replies', async (t) => {
  const { clock, asked, state, read, bookOf } = setup();
  const question = {
    ...bookOf('X'),
    sameQueryElsewhere: [{ source: 'gate', params: { market: 'X', depth: 5 } }],
  };
  const slow = { ...question, cacheFor: 10 * life };
  const first = await read(slow);
  await clock.advance(10 * life - 1);
  t.equal(read(slow), first);
  await clock.advance(1);
  t.not(await read(slow), first);
  t.equal(asked.length, 4);
  for (const [name, change] of Object.entries({
    failed: { failing: 'gate' },
    stale: { more: { stale: true } },
  })) {
    Object.assign(state, { failing: '', more: {} }, change);
    await clock.advance(10 * life);
    const before = asked.length;
    await read(slow);
    await clock.advance(life);
    await read(slow);
    t.equal(asked.length, before + 4, `not where a reply is ${name}`);
  }
});

t.test('a stale reply says so', async (t) => {
  const { state, read, bookOf } = setup();
  state.more = { stale: true };
  t.same(dataOf(await read()), { timestamp: 1, stale: true });
  t.equal(dataOf(await read({ ...bookOf('Y'), data: () => 'text' })), 'text');
});

t.test(
  "a failure becomes a public error without the upstream's words, and is not kept",
  async (t) => {
    const { asked, state, read, bookOf } = setup();
    const cases = [
      [failed('timeout', 'GET secret.example/x'), 'upstream_failed'],
      [failed('shape', '<html>'), 'upstream_failed'],
      [failed('over_budget', 'too many'), 'overloaded'],
      [failed('stopped', 'stopping'), 'overloaded'],
      [failed('unanswered', 'nothing answered for secret'), 'overloaded'],
      [failed('breaker_open', 'GET secret.example/x'), 'overloaded'],
      [failed('redis_away', 'not asked: secret'), 'store_unavailable'],
      [failed('unknown_instrument', 'GET secret.example/x'), 'unknown_symbol'],
    ] as const;
    for (const [result, code] of cases) {
      state.result = result;
      const error = await read();
      if (!isApiError(error)) throw new Error('an error was expected');
      t.equal(error.error, code);
      t.notMatch(error.message, /secret|html/);
    }
    t.equal(asked.length, cases.length);
    t.match(await read(), { error: 'unknown_symbol', message: /the order book of X/ });
    t.equal(asked.length, cases.length, 'but that a symbol is unknown');
    const failure = () => apiError('portfolio_failed');
    state.result = failed('timeout', 'x');
    t.match(await read({ ...bookOf('Y'), failure }), { error: 'portfolio_failed' });
  },
);

t.test('what cannot do without a reply fails as that has, and is not kept', async (t) => {
  const { state, asked, read, bookOf } = setup();
  state.failing = 'gate';
  const question = {
    ...bookOf('X'),
    sameQueryElsewhere: [{ source: 'gate', params: { market: 'X', depth: 5 } }],
    data: (_: unknown, [other]: readonly unknown[]) => other ?? apiError('upstream_failed'),
  };
  const failure = { error: 'upstream_failed', message: /order book.*\(timeout\)/ };
  t.match(await read(question), failure);
  await read(question);
  t.equal(asked.length, 4);
  state.failing = 'okx';
  t.match(await read(question), failure, 'nor without its own reply');
});

t.test('a reply that means an error is kept like an answer', async (t) => {
  const { asked, read, bookOf } = setup();
  const question = { ...bookOf('X'), data: () => apiError('not_enough_data') };
  t.match(await read(question), { error: 'not_enough_data' });
  t.match(read(question), { error: 'not_enough_data' });
  t.equal(asked.length, 1);
});

t.test('the answers kept are bounded, the least recently asked goes first', async (t) => {
  const { asked, queries, read, bookOf, clock } = setup();
  for (const market of ['A', 'B', 'C']) await read(bookOf(market));
  await read(bookOf('A'));
  await Promise.all(Array.from({ length: 9_998 }, (_, i) => read(bookOf(`D${i}`))));
  t.notOk(read(bookOf('A')) instanceof Promise);
  t.type(read(bookOf('B')), Promise, 'it made room');
  t.equal(asked.length, 10_002);
  t.match(queries.counts(), { entries: 10_000, evicted: 1, hits: 2 });
  const answer = await read(bookOf('A'));
  t.ok(answer instanceof Snapshot);
  if (answer instanceof Snapshot) t.equal(queries.known(answer.kept, clock.now()), answer);
  t.equal(queries.counts().hits, 4, 'those given again without a question as well');
  const text = markStale(new JsonText<object>('{"a":1}'));
  t.equal(String(Object(text).text), '{"stale":true,"a":1}');
});

t.test('answers of 64 MiB in all are kept, and not of a byte more', async (t) => {
  const { queries, bookOf } = setup();
  const read = (form: string, length: number) =>
    queries.read(
      { ...bookOf('X'), variant: form, data: () => new JsonText('1'.repeat(length)) },
      'a',
    );
  await read('a', 1);
  const room = 64 * 2 ** 20 - queries.counts().bytes + 1;
  await read('b', room + 1);
  t.equal(queries.counts().entries, 1);
  await read('b', room);
  t.match(queries.counts(), { entries: 1, bytes: 64 * 2 ** 20 });
});

t.test('a query asked of several sources at once: null for one that fails', async (t) => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const bus = queryBus(async ({ source }) => {
    asked.push(source);
    if (source === 'htx') return failed('timeout', 'late');
    const value = { market: 'X', bids: [], asks: [], timestamp: asked.length };
    const now = clock.now();
    return { ok: true, value: { value, received: now, until: now + (source === 'okx' ? 9 : 5) } };
  });
  const queries = new FrontQueries({ bus, clock, random: () => 0.5 });
  const params = { market: 'X', depth: 5 };
  const read = (others: string[]) =>
    queries.read<'orderBook'>(
      {
        source: 'okx',
        name: 'orderBook',
        params,
        what: 'the order books',
        sameQueryElsewhere: others.map((source) => ({ source, params })),
        data: ({ timestamp }, replies) => [timestamp, ...replies.map((r) => r?.timestamp ?? null)],
      },
      'a',
    );
  t.strictSame(dataOf(await read(['bybit', 'htx'])), [1, 2, null]);
  await read(['bybit', 'htx']);
  t.equal(asked.length, 6, 'an answer that lacks one is not given again');
  t.strictSame(dataOf(await read(['bybit'])), [7, 8], 'other sources are another question');
  await clock.advance(4);
  await read(['bybit']);
  t.equal(asked.length, 8, 'fresh');
  await clock.advance(1);
  await read(['bybit']);
  t.equal(asked.length, 10, 'until the first of the replies is not fresh');
});

t.test('queries of other names beside one, and an answer without it', async (t) => {
  const { clock, asked, queries, state } = setup();
  state.result = failed('timeout', 'no answer');
  const params = { market: 'X', depth: 5 };
  const bars = { market: 'X', interval: '1h' as const, limit: 1 };
  const question: QuestionOf<'orderBook'> = {
    source: 'okx',
    name: 'orderBook',
    params,
    what: 'the order book',
    otherQueries: { candles: [{ source: 'gate', params: bars }] },
    data: ({ timestamp }, _, { candles = [] }) => [timestamp, candles.map((one) => one?.market)],
    onPartialFailure: (_, { candles = [] }) => candles.map((one) => one?.market),
  };
  const read = () => queries.read<'orderBook'>(question, 'a');
  t.match(await read(), { error: 'upstream_failed' }, 'nothing answered');
  state.result = null;
  t.strictSame(dataOf(await read()), [4, ['X']]);
  t.strictSame(asked.slice(2), ['okx orderBook', 'gate candles']);
  await clock.advance(life);
  state.failing = 'okx';
  t.strictSame(dataOf(await read()), ['X']);
  await read();
  t.equal(asked.length, 8, 'an answer that lacks one is not given again');
});

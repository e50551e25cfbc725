/** Answers to queries that are given again without their question being made. */
import t, { type Test } from 'tap';
import { success } from '../../../actors/failure.ts';
import * as s from '../../../actors/topics/schema.ts';
import { FrontQueries, type QuestionOf } from '../../../http/answers/queries.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import type { Caller, Gate } from '../../../http/auth/caller.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, startServer } from '../../support/http.ts';
import { queryBus } from '../../support/queries.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';

const symbol = { type: 'string', description: 'The asset', default: 'BTC' } as const;
const limit = { type: 'integer', description: 'Rows', default: 2 } as const;
const answer = s.object({ points: s.list(s.object({ time: s.integer(), of: s.string() })) });

/** A server with one row that a source answers, whose replies live for `life` ms. */
async function stage(t: Test, life = 10_000) {
  const clock = new FakeClock();
  const { quota } = memoryQuota(clock);
  const callers = new Map<string, Caller>([['good', alice]]);
  const byKey: Gate['byKey'] = (key) => gateOf(Object.fromEntries(callers)).byKey(key);
  const counts = { questions: 0, calls: 0 };
  const state: { stale?: true; contract: string } = { contract: 'BTCUSDT' };
  const bus = queryBus(({ source }) => {
    const [received, value] = [clock.now() - 2_500, { source, calls: ++counts.calls }];
    return success({
      value,
      received,
      until: clock.now() + life,
      ...(state.stale && { stale: true }),
    });
  });
  const query = (values: { symbol?: unknown; limit?: unknown }) => {
    counts.questions += 1;
    return {
      source: 'okx',
      name: 'orderBook',
      params: { market: `${values.symbol} ${state.contract}`, depth: Number(values.limit) },
      what: 'the book',
      data: () => ({ points: [{ time: counts.calls, of: `${values.symbol} ${state.contract}` }] }),
    } as const;
  };
  const server = await startServer(
    t,
    [
      echo({
        path: '/v1/asked',
        access: 'key',
        params: { symbol, limit },
        answer,
        from: { query },
      }),
    ],
    {
      clock,
      quota,
      gate: { ...gateOf({}), byKey },
      queries: new FrontQueries({ bus, clock, random: () => 0.5 }),
    },
  );
  const get = (query = '', headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    call(`${server.url}/v1/asked${query}`, {
      method,
      headers: { 'x-api-key': 'good', ...headers },
    });
  /** Asks until the answer is known without a question. */
  const warm = async (query = '') => {
    await get(query);
    await get(query);
    counts.questions = 0;
    return get(query);
  };
  return { clock, get, warm, counts, state, callers };
}

t.test('a URL that was asked before needs no question, for a second', async (t) => {
  const { clock, get, warm, counts, state } = await stage(t);
  const known = await warm('?limit=3');
  t.match([known.status, counts.questions, known.headers.age], [200, 0, '2']);
  t.match(JSON.parse(known.text), { data: { points: [{ time: 1, of: 'BTC BTCUSDT' }] } });
  await clock.advance(600);
  const older = await get('?limit=3');
  t.match([older.headers.age, counts.questions], ['3', 0], 'its age grows');
  t.match(JSON.parse(older.text), { timestamp: clock.now(), as_of: clock.now() - 3_100 });
  state.contract = 'XBTUSD';
  await clock.advance(400);
  t.match((await get('?limit=3')).text, /XBTUSD/, 'what the question is made of has changed');
});

t.test('it is given no longer than it is fresh', async (t) => {
  const { clock, get, warm, counts, state } = await stage(t, 100);
  t.match([(await warm()).status, counts.calls], [200, 1]);
  await clock.advance(99);
  t.match((await get()).text, /"time":1/);
  state.stale = true;
  await clock.advance(1);
  t.match((await get()).text, /"stale":true/);
  t.match([counts.calls, JSON.parse((await get()).text).data], [2, { stale: true }]);
});

t.test('parameters in another order, unknown ones, and other values', async (t) => {
  const { get, warm, counts } = await stage(t);
  await warm('?symbol=ETH&limit=5');
  const turned = await get('?limit=5&symbol=ETH');
  t.match(turned.text, /ETH/);
  t.equal(counts.calls, 1, 'the same question');
  const unknown = await warm('?symbol=ETH&limit=5&colour=red');
  t.match([counts.questions, unknown.headers['ignored-parameters']], [0, 'colour']);
  t.equal((await get('?symbol=ETH&limit=5')).headers['ignored-parameters'], undefined);
  const strict = { prefer: 'handling=strict' };
  t.equal((await get('?symbol=ETH&limit=5&colour=red', strict)).status, 400);
  t.match((await get('?symbol=SOL&limit=5')).text, /SOL/);
  t.equal((await get('?symbol=ETH&limit=x')).status, 400);
});

t.test('tags, HEAD, CSV and compression', async (t) => {
  const { get, warm, counts } = await stage(t);
  const { headers, text } = await warm();
  const same = await get('', { 'if-none-match': String(headers.etag) });
  t.match([same.status, same.text, same.headers.age], [304, '', '2']);
  t.equal(same.headers.ratelimit, headers.ratelimit, 'it is not counted');
  const head = await get('', {}, 'HEAD');
  t.match([head.status, head.text, head.headers['content-length']], [200, '', `${text.length}`]);
  const csv = await get('', { accept: 'text/csv' });
  t.match([csv.text, csv.headers.age], ['time,of\r\n1,BTC BTCUSDT\r\n', '2']);
  t.match([csv.headers.vary, headers.vary], ['accept', 'accept']);
  t.equal((await get()).text, text);
  t.equal(counts.questions, 0);
});

t.test('its age is held against max_age at every request', async (t) => {
  const { clock, get, warm, counts } = await stage(t);
  t.equal((await warm('?max_age=2600')).status, 200);
  await clock.advance(100);
  t.equal((await get('?max_age=2600')).status, 200);
  await clock.advance(1);
  const old = await get('?max_age=2600');
  t.match([old.status, counts.questions], [503, 0]);
  t.match(JSON.parse(old.text), { code: 'too_old' });
});

t.test('every request is admitted and counted by itself', async (t) => {
  const { get, warm, callers, counts } = await stage(t);
  const left = async () => Number(/r=(\d+)/.exec(String((await get()).headers.ratelimit))?.[1]);
  await warm();
  const before = await left();
  t.match([await left(), await left()], [before - 1, before - 2]);
  t.equal((await get('', { 'x-api-key': '' })).status, 401);
  for (let i = before - 3; i > 0; i--) await get();
  t.match((await get()).headers, { ratelimit: '"default";r=0;t=60', 'retry-after': '60' });
  t.equal((await get()).status, 429);
  callers.set('other', { ...alice, account: 'bob', key: 'k2' });
  t.match(await get('', { 'x-api-key': 'other' }), {
    status: 200,
    headers: { ratelimit: '"default";r=59;t=60' },
  });
  callers.clear();
  t.equal((await get('', { 'x-api-key': 'other' })).status, 401, 'revoked');
  t.equal(counts.questions, 0);
});

t.test('their number and their bytes are bounded', async (t) => {
  const clock = new FakeClock();
  const bus = queryBus(() => success({ value: null, received: 1, until: 2 * clock.now() }));
  const queries = new FrontQueries({ bus, clock, random: () => 0.5 });
  const envelope = snapshotOf('', 1).length;
  /** Whether an answer of so many bytes is given again; `name` tells them apart. */
  const isKept = async (name: string, bytes: number) => {
    const question: QuestionOf<'orderBook'> = {
      source: 'okx',
      name: 'orderBook',
      params: { market: name, depth: 1 },
      what: 'the book',
      data: () => 'x'.repeat(bytes - envelope),
    };
    await queries.read(question, '');
    const answer = await queries.read(question, '');
    return !isApiError(answer) && queries.known(answer.kept, clock.now()) === answer;
  };
  t.ok(await isKept('a', 20 * 2 ** 20));
  t.ok(await isKept('a', 20 * 2 ** 20), 'one that is kept is not kept twice');
  t.notOk(await isKept('b', 12 * 2 ** 20 + 1), '32 MiB in all');
  t.ok(await isKept('c', 12 * 2 ** 20));
  await clock.advance(999);
  t.notOk(await isKept('d', 1_000));
  await clock.advance(1);
  t.ok(await isKept('d', 1_000), 'all have gone after a second');
  for (let i = 1; i < 10_000; i++) await isKept(`${i}`, 100);
  t.notOk(await isKept('e', 100), '10,000 of them');
  const found = snapshotOf(1);
  const kept = { answer: found, from: 5, until: 7 };
  const times = [4, 5, 6, 7].map((now) => queries.known(kept, now));
  t.strictSame(times, [null, found, found, null], 'nor before it was made: a clock was set back');
});

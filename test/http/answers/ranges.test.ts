/** Ranges of histories: the oldest rows from `from` on, and the way to the next ones. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { CandleParams } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { questionOf } from '../../../http/answers/queries.ts';
import { isPaged, paged, pageOf, withNextIn } from '../../../http/answers/ranges.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { kit, params } from '../../../http/routes/kit.ts';
import { onDemandRoutes } from '../../../http/routes/on-demand.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { noMarkets } from '../../support/market-names.ts';
import { property } from '../../support/property.ts';
import { fresh, frontQueries, queryBus } from '../../support/queries.ts';

const hour = 3_600_000;
const now = 1_790_000_000_000 - (1_790_000_000_000 % hour) + 1;

t.test('the page of a question', async (t) => {
  const of = (values: object, step: number | 'interval' = 'interval') =>
    pageOf({ ...values }, { now, params: { from: { step } } });
  t.equal(of({ limit: 5 }), null, 'the newest rows');
  t.equal(of({ limit: 5, to: 7 }), null);
  const from = 100 * hour;
  t.strictSame(of({ from, limit: 5, interval: '1h' }), { to: 104 * hour, end: now });
  t.strictSame(
    of({ from: from + 1, limit: 5, interval: '1h', to: 1_000 * hour }),
    { to: 105 * hour, end: 1_000 * hour },
    'rows begin at whole hours',
  );
  t.match(of({ from, limit: 5, interval: '1h', to: 102 * hour }), { to: 102 * hour });
  t.match(of({ from: now - hour, limit: 5, interval: '1h', to: now + hour }), {
    to: now,
    end: now,
  });
  t.match(of({ from: 0, limit: 3 }, hour), { to: 2 * hour });
  const months = of({ from: Date.UTC(2017, 7), limit: 100, interval: '1M' });
  t.ok((months?.to ?? 0) < Date.UTC(2017, 7 + 100), 'no more months than the page has rows');
  t.throws(() => of({ from: 0, limit: 3 }), /without a step/, 'no step is taken for granted');
  t.throws(() => pageOf({ from: 0, limit: 3 }, { now, params: { from: {} } }), /without a step/);
});

t.test('where the next page begins', async (t) => {
  const page = { to: 20, end: 30 };
  const reply = { points: [], market: 'X', reached: 24 };
  const nextOf = async (name: 'candles' | 'series', more: object = {}, reached: object = reply) => {
    const question = {
      source: 'x',
      name,
      params: {},
      what: 'it',
      data: () => ({ points: [] }),
      ...more,
    } as unknown as Parameters<typeof paged>[0];
    return Reflect.get(Object(paged(question, page).data(reached as never, [], {})), 'next');
  };
  t.equal(await nextOf('candles'), 25, 'after what the exchange has looked for');
  t.equal(await nextOf('candles', {}, { ...reply, reached: 30 }), undefined, 'the range has ended');
  t.equal(await nextOf('candles', {}, { points: [] }), undefined, 'the exchange has no more');
  t.equal(
    await nextOf('candles', { sameQueryElsewhere: [] }),
    21,
    'several exchanges have a stretch in common',
  );
  t.equal(await nextOf('series'), 21, 'after a stretch, however many rows it has');
});

t.test('the last page of a range is not that of a longer range', async (t) => {
  const clock = new FakeClock(now);
  const queries = frontQueries(
    queryBus(() => fresh({ rows: [] }, clock, hour)),
    clock,
  );
  const ask = async (end: number) => {
    const question = questionOf({
      source: 'history',
      name: 'series',
      params: { series: 'open-interest', keys: ['BTC'], step: '1h', to: 20, limit: 5 },
      what: 'it',
      data: () => ({ points: [] }),
    });
    const answer = await queries.read(paged(question, { to: 20, end }), 'a');
    return answer instanceof Snapshot ? JSON.parse(answer.dataText) : answer;
  };
  t.strictSame(await ask(20), { points: [] });
  t.strictSame(await ask(30), { points: [], next: 21 });
});

t.test('an answer whose question is about no range has no next page', async (t) => {
  const clock = new FakeClock(now);
  const queries = frontQueries(
    queryBus(() => fresh({ rows: [] }, clock, hour)),
    clock,
  );
  const ranking = kit.queried({
    path: '/v1/ranking',
    summary: 'A ranking, or rows of a range',
    params: params.rangeParams(5, 10, hour),
    answer: s.object({ items: s.list(s.object({})) }),
    query: ({ limit }) =>
      questionOf({
        source: 'history',
        name: 'series',
        params: { series: 'open-interest', keys: ['BTC'], step: '1h', limit },
        what: 'it',
        data: () => ({ items: [] }),
      }),
  });
  const server = await startServer(t, [ranking], { clock, queries });
  const { text } = await call(`${server.url}/v1/ranking?from=${now - 90 * hour}&limit=7`);
  t.strictSame(JSON.parse(text).data, { items: [] });
});

t.test('the description states it', async (t) => {
  const paged = withNextIn(s.object({ points: s.list(s.object({ timestamp: s.integer() })) }));
  t.match(paged, { properties: { next: { type: 'integer' } } });
  t.match(
    withNextIn(s.either(s.object({ bars: s.list(s.integer()) }), s.object({ a: s.integer() }))),
    { anyOf: [{ properties: { next: {} } }, { properties: { next: undefined } }] },
  );
});

t.test('a walk over the pages finds every row of a range once, and in order', async (t) => {
  const clock = new FakeClock(now);
  const first = Math.floor(now / hour) * hour - 100 * hour;
  /** Hours that have a candle. */
  let times: number[] = [];
  const bar = { open: 1, high: 2, low: 1, close: 2, volume: 3, turnover: 6, closed: true };
  /** As a source answers: the first rows from a time on, or as many as lie in twenty hours. */
  const bus = queryBus(({ params }) => {
    const { from, to = now, limit } = params as CandleParams;
    const inside = times.filter((time) => time >= (from ?? 0) && time <= to);
    const end = from === undefined ? now : from + 20 * hour;
    const found = from === undefined ? inside.slice(-limit) : inside.slice(0, limit);
    const candles = found.filter((time) => time <= end).map((timestamp) => ({ timestamp, ...bar }));
    const reached = candles.length === limit ? candles.at(-1)?.timestamp : end;
    const isOver = from === undefined || (candles.length < limit && end >= to);
    const about = { market: 'X', kind: 'spot', quote: 'USDT', received: now };
    return fresh({ ...about, candles, ...(isOver ? {} : { reached }) }, clock);
  });
  const rows = onDemandRoutes({
    markets: noMarkets(),
    prices: { marketFor: () => null },
    candleIntervals: new Map([['okx', ['1h']]]),
    exchanges: { orderBook: [], candles: ['okx'], loans: [] },
  });
  t.ok(rows.every(isPaged));
  const server = await startServer(t, rows, { clock, queries: frontQueries(bus, clock) });
  const get = async (query: string) =>
    JSON.parse((await call(`${server.url}/v1/bars?symbol=BTC&exchange=okx&${query}`)).text);
  /** The times of all pages from a first one on. */
  const walk = async (from: number, to: number, limit: number) => {
    const found: number[] = [];
    for (let begin: number | undefined = from; begin !== undefined; ) {
      const { data } = await get(`from=${begin}&to=${to}&limit=${limit}`);
      assert.ok(data.bars.length <= limit);
      found.push(...data.bars.map(({ timestamp }: { timestamp: number }) => timestamp));
      begin = data.next;
    }
    return found;
  };
  const candles = fc.array(fc.boolean(), { minLength: 101, maxLength: 101 });
  const begins = fc.integer({ min: first - 20 * hour, max: now });
  const lengths = fc.nat({ max: 60 * hour });
  const asked = fc.tuple(candles, begins, lengths, fc.integer({ min: 1, max: 40 }));
  const check = async ([has, from, length, limit]: [boolean[], number, number, number]) => {
    times = has.flatMap((one, at) => (one ? [first + at * hour] : []));
    const wanted = times.filter((time) => time >= from && time <= from + length);
    assert.deepEqual(await walk(from, from + length, limit), wanted);
  };
  await property(t, asked, check, 40);
  times = [first, first + hour];
  const newest = await get('limit=3');
  t.strictSame([newest.data.bars.at(-1).timestamp, newest.data.next], [times.at(-1), undefined]);
  const seconds = Math.floor(now / 1_000);
  for (const name of ['from', 'to']) {
    const { status, message } = await get(`${name}=${seconds}`);
    t.strictSame(
      [status, message],
      ['error', `${name} must be Unix milliseconds: ${seconds} is in seconds`],
    );
  }
});

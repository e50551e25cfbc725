/** Ranges of histories: the oldest rows from `from` on, and the way to the next ones. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { CandleParams } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { isPaged, nextOf, pageOf, withNextIn } from '../../../http/answers/ranges.ts';
import { onDemandRoutes } from '../../../http/routes/on-demand.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { noMarkets } from '../../support/market-names.ts';
import { property } from '../../support/property.ts';
import { fresh, frontQueries, queryBus } from '../../support/queries.ts';

const hour = 3_600_000;
const now = 1_790_000_000_000 - (1_790_000_000_000 % hour) + 1;

t.test('the page of a question', async (t) => {
  const of = (values: object, spacing?: number) => pageOf({ ...values }, { now, spacing });
  t.equal(of({ limit: 5 }), null, 'the newest rows');
  t.equal(of({ limit: 5, to: 7 }), null);
  const from = 100 * hour;
  t.strictSame(of({ from, limit: 5, interval: '1h' }), { limit: 5, to: 104 * hour, end: now });
  t.strictSame(
    of({ from: from + 1, limit: 5, interval: '1h', to: 1_000 * hour }),
    { limit: 5, to: 105 * hour, end: 1_000 * hour },
    'rows begin at whole hours',
  );
  t.match(of({ from, limit: 5, interval: '1h', to: 102 * hour }), { to: 102 * hour });
  t.match(of({ from: now - hour, limit: 5, interval: '1h', to: now + hour }), {
    to: now,
    end: now,
  });
  t.match(of({ from: 0, limit: 3 }), { to: 16 * hour }, 'fundings are 8 hours apart');
  t.match(of({ from: 0, limit: 3 }, hour), { to: 2 * hour });
});

t.test('where the next page begins', async (t) => {
  const page = { limit: 2, to: 20, end: 30 };
  const rows = (...times: number[]) => times.map((timestamp) => ({ timestamp }));
  t.equal(nextOf({ points: rows(10, 15) }, page), 16, 'after the last row of a full page');
  t.equal(nextOf({ bars: rows(10) }, page), 21, 'after a page with gaps');
  t.equal(nextOf({ points: [] }, page), 21);
  t.equal(nextOf({ points: rows(10, 20) }, { ...page, end: 20 }), null, 'the range has ended');
  t.equal(nextOf({ points: [] }, { ...page, to: 30 }), null);
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
  /** As an exchange answers: the newest rows up to `to`, of which those of the page are given. */
  const bus = queryBus(({ params }) => {
    const { from = 0, to = now, limit } = params as CandleParams;
    const inside = times.filter((time) => time >= from && time <= to).slice(-limit);
    const candles = inside.map((timestamp) => ({ timestamp, ...bar }));
    return fresh({ market: 'X', kind: 'spot', quote: 'USDT', candles, received: now }, clock);
  });
  const rows = onDemandRoutes({
    markets: noMarkets(),
    prices: { marketFor: () => null },
    candleIntervals: new Map([['okx', ['1h']]]),
    exchanges: { orderBook: [], candles: ['okx'], loans: [] },
  });
  t.ok(rows.every(isPaged));
  const server = await startServer(rows, { clock, queries: frontQueries(bus, clock) });
  t.teardown(server.end);
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

/** Candles from a time on, of exchanges that answer in different ways: every one once, in order, and nothing is taken for the end. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { candlesQuery } from '../../../../actors/sources/queries/candles.ts';
import type { CandleAsk, CandleQuery } from '../../../../actors/sources/queries/forms.ts';
import { type Interval, intervals } from '../../../../actors/topics/index.ts';
import { instrument as instrumentOf } from '../../../support/makers.ts';
import { property } from '../../../support/property.ts';

const { '1h': hour, '1d': day } = intervals;
const now = Date.UTC(2026, 5, 15, 12, 34);
/** Where the market begins: the first day of a month. */
const begin = Date.UTC(2026, 4, 1);
const monthOf = (time: number): number => Date.UTC(2026, new Date(time).getUTCMonth());

type Way = 'forward' | 'newest' | 'range' | 'span';

/** An exchange with candles of an hour at these times, and what it is asked. */
function exchange(
  way: Way,
  times: readonly number[],
  page: number,
  { isLong = false, cap = page, ranged = false, kept = 0 } = {},
) {
  const asks: CandleAsk[] = [];
  /** Opening times of the length that is asked for. */
  const timesOf = (interval: string) => {
    if (interval === '1h') return times.filter((at) => at >= kept);
    const openOf = interval === '1M' ? monthOf : (at: number) => at - (at % day);
    return [...new Set(times.map(openOf))];
  };
  const listed = (ask: CandleAsk): number[] => {
    const { limit, before = now, from, interval } = ask;
    const times = timesOf(interval);
    const step = interval === '1M' ? 31 * day : interval === '1d' ? day : hour;
    if (from !== undefined) return times.filter((at) => at >= from).slice(0, Math.min(limit, page));
    const older = times.filter((at) => at < before);
    if (way === 'newest') return older.slice(-Math.min(limit, page, cap));
    // A range, of which one sort of exchange gives no more than three days.
    const reach = way === 'span' ? Math.min(limit * step, 3 * day) : limit * step;
    return older.filter((at) => at >= before - reach).slice(-cap);
  };
  const query: CandleQuery = {
    intervals: isLong ? { '1h': '1h', '1d': '1d', '1M': '1M' } : { '1h': '1h' },
    page,
    ...(way === 'forward' && { forward: ['all'] }),
    ...(way === 'span' && { span: { all: 3 * day } }),
    ...(ranged && { ranged: ['all'] }),
    request(ask) {
      asks.push(ask);
      return { api: 'rest', path: '/', query: {} };
    },
    parse(body) {
      const at = typeof body === 'number' ? asks[body] : undefined;
      assert.ok(at);
      return listed(at).map((timestamp) => ({
        ...{ timestamp, open: 10, high: 12, low: 9, close: 11, volume: 1, turnover: null },
      }));
    },
  };
  return { asks, query };
}

const instrument = instrumentOf({ market: 'X', kind: 'spot', symbol: 'X' });

interface Question {
  interval: Interval;
  limit: number;
  from?: number;
  to?: number;
}

/** The answer to a question through all steps, as `queries.ts` takes them. */
function answerOf(made: ReturnType<typeof exchange>, question: Question) {
  const query = candlesQuery(made.query);
  const asked = { market: 'X', part: 'all', instrument, now, ...question };
  const whole = { ...asked, ...query.page?.(asked) };
  const pages = [];
  let requests = query.requests(whole);
  while (requests.length > 0) {
    pages.push(query.parse([made.asks.length - 1], whole, now));
    assert.ok(pages.length < 1_000, 'it ends');
    requests = query.more?.(asked, pages) ?? [];
  }
  const found = query.whole(pages, asked);
  return query.slice?.(found, question as never) ?? found;
}

t.test(
  'the first candles of an exchange that counts from a time on, however far back it is asked',
  async (t) => {
    const made = exchange('forward', [begin, begin + hour, begin + 2 * hour], 100);
    const { candles, reached } = answerOf(made, { interval: '1h', limit: 1, from: 0 });
    t.strictSame([candles.map(({ timestamp }) => timestamp), reached], [[begin], begin]);
    t.match(made.asks, [{ from: 0, limit: 1, before: undefined }], 'one request');
  },
);

t.test('candles beside the grid are found from the very time at which one opens', async (t) => {
  const first = begin + 28 * 60_000 + 14_789;
  const times = Array.from({ length: 60 }, (_, i) => first + i * hour);
  const made = exchange('forward', times, 10);
  const found: number[] = [];
  // As ccxt pages: each question begins one interval after the last candle.
  for (let from = first; found.length < times.length; from = (found.at(-1) ?? 0) + hour) {
    const { candles } = answerOf(made, { interval: '1h', limit: 7, from });
    assert.ok(candles.length > 0);
    found.push(...candles.map(({ timestamp }) => timestamp));
  }
  t.strictSame(found, times);
});

t.test('a page that is short says how far it has looked; the last one does not', async (t) => {
  const made = exchange('newest', [begin, begin + hour], 100);
  const early = answerOf(made, { interval: '1h', limit: 5, from: begin - 5 * hour });
  t.strictSame([early.candles, early.reached], [[], begin - 1]);
  const last = answerOf(made, { interval: '1h', limit: 1_000, from: now - 10 * day });
  t.strictSame([last.candles, last.reached], [[], undefined]);
});

t.test('where an exchange counts back, the first candles are found by longer ones', async (t) => {
  const first = begin + 13 * day + 7 * hour;
  const times = [first, first + hour, first + 2 * hour];
  for (const way of ['newest', 'range'] as const) {
    const made = exchange(way, times, 300, { isLong: true });
    const { candles, reached } = answerOf(made, { interval: '1h', limit: 10, from: 0 });
    t.strictSame(
      candles.map(({ timestamp }) => timestamp),
      times,
      way,
    );
    t.equal(reached, begin + 13 * day + 10 * hour - 1, 'the rest follows');
    t.strictSame(
      made.asks.slice(0, 6).map(({ interval }) => interval),
      ['1h', '1M', '1M', '1d', '1d', '1h'],
      'whether a page is short is asked again',
    );
    const none = answerOf(made, { interval: '1h', limit: 9, from: 0, to: begin - 1 });
    t.strictSame([none.candles, none.reached], [[], undefined], 'a range before the first');
  }
});

t.test('without days, by the longest hours that there are', async (t) => {
  const made = exchange('newest', [begin], 1_000);
  const query = { ...made.query, intervals: { '1m': '1m', '4h': '4h', '1h': '1h' } };
  const asked = { interval: '1m', limit: 100, from: begin - 90 * day } as const;
  t.equal(answerOf({ ...made, query }, asked).reached, begin + 100 * 60_000 - 1);
  t.strictSame([...new Set(made.asks.map(({ interval }) => interval))], ['1m', '4h', '1h']);
});

t.test('a day made of hours is there though its first hour is not', async (t) => {
  const times = Array.from({ length: 71 }, (_, i) => begin + (i + 1) * hour);
  for (const way of ['forward', 'newest'] as const) {
    const { candles } = answerOf(exchange(way, times, 10), {
      interval: '1d',
      limit: 2,
      from: begin,
    });
    t.strictSame(
      candles.map(({ timestamp, volume }) => [timestamp, volume]),
      [
        [begin, 23],
        [begin + day, 24],
      ],
      way,
    );
  }
});

t.test(
  'a walk over pages finds every candle once, in whatever way the exchange answers',
  async (t) => {
    const hours = Math.floor((now - begin) / hour) + 1;
    const questions = fc.record({
      way: fc.constantFrom<Way>('forward', 'newest', 'range', 'span'),
      has: fc.array(fc.boolean(), { minLength: hours, maxLength: hours }),
      // Some days without any candle.
      gap: fc.tuple(fc.nat(hours), fc.nat(200)),
      page: fc.integer({ min: 5, max: 150 }),
      limit: fc.integer({ min: 20, max: 400 }),
      from: fc.integer({ min: begin - 10 * day, max: now }),
      length: fc.nat(40 * day),
      isLong: fc.boolean(),
      // It may give fewer rows than its documentation says.
      cap: fc.integer({ min: 5, max: 150 }),
    });
    await property(
      t,
      questions,
      async ({ way, has, gap: [start, length], isLong, cap, ...asked }) => {
        const times = has.flatMap((one, i) =>
          one && !(i >= start && i < start + length) ? [begin + i * hour] : [],
        );
        const to = Math.min(now, asked.from + asked.length);
        const made = exchange(way, times, asked.page, { isLong, cap });
        const found: number[] = [];
        for (let from: number | undefined = asked.from; from !== undefined && from <= to; ) {
          const reply = answerOf(made, { interval: '1h', limit: asked.limit, from, to });
          assert.ok(reply.candles.length <= asked.limit);
          found.push(...reply.candles.map(({ timestamp }) => timestamp));
          from = reply.reached === undefined ? undefined : reply.reached + 1;
        }
        assert.deepEqual(
          found,
          times.filter((time) => time >= asked.from && time <= to),
        );
      },
    );
  },
);

const hoursFrom = (start: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => start + i * hour);

t.test('the newest candles lie on both sides of a stretch without any', async (t) => {
  const old = hoursFrom(begin + day, 5);
  const recent = hoursFrom(begin + 44 * day, 3);
  const made = exchange('range', [...old, ...recent], 100, { isLong: true, ranged: true });
  const timesOf = (question: Omit<Question, 'interval'>) =>
    answerOf(made, { interval: '1h', ...question }).candles.map(({ timestamp }) => timestamp);
  t.same(timesOf({ limit: 99 }), [...old, ...recent], 'of 43 days');
  t.same(timesOf({ limit: 7, to: begin + 30 * day }), old, 'a range that ends within it');
  t.same(timesOf({ limit: 7, to: begin }), [], 'before the first one');
});

t.test('candles that are kept for a while alone end the search', async (t) => {
  const times = [...hoursFrom(begin, 24 * 20), ...hoursFrom(begin + 42 * day, 30)];
  const kept = begin + 40 * day;
  const made = exchange('range', times, 100, { isLong: true, ranged: true, kept });
  const { candles } = answerOf(made, { interval: '1h', limit: 99 });
  t.same(
    candles.map(({ timestamp }) => timestamp),
    times.slice(-30),
  );
  t.ok(made.asks.length <= 8, `${made.asks.length} requests`);
});

t.test(
  'what an exchange refuses as too old is not asked for, and the answer has what it keeps',
  async (t) => {
    const times = hoursFrom(begin, 24 * 45 + 13);
    const made = exchange('range', times, 60, { isLong: true, ranged: true });
    const kept = 72;
    const oldest = Math.floor(now / hour) * hour - (kept - 1) * hour;
    const query: CandleQuery = {
      ...made.query,
      kept,
      parse(body, of) {
        const { interval, limit, before = now } = made.asks[Number(body)] ?? {};
        if (interval === '1h') t.ok(before - Number(limit) * hour >= oldest, 'it is not refused');
        return made.query.parse(body, of);
      },
    };
    const answer = (question: Omit<Question, 'interval'>) =>
      answerOf({ ...made, query }, { interval: '1h', ...question });
    const timesOf = (question: Omit<Question, 'interval'>) =>
      answer(question).candles.map(({ timestamp }) => timestamp);
    const there = times.filter((time) => time >= oldest);
    t.same(timesOf({ limit: 99 }), there, 'the newest, of which more are wanted');
    t.same(timesOf({ limit: 99, to: now - 30 * hour }), there.slice(0, -30), 'up to a time');
    t.same(timesOf({ limit: 9, to: begin + 5 * day }), [], 'up to a time before');
    t.same(timesOf({ limit: 9, from: begin + 5 * day }), there.slice(0, 9), 'from a time on');
    t.equal(answer({ limit: 9, from: begin }).reached, there[8], 'the rest follows');
    t.same(timesOf({ limit: 9, from: begin, to: begin + day }), [], 'a range before');
  },
);

t.test('backwards every candle is there once, whatever is missing between them', async (t) => {
  const values = fc.record({
    limit: fc.integer({ min: 1, max: 120 }),
    stretches: fc.array(fc.record({ run: fc.integer({ min: 1, max: 40 }), gap: fc.nat(300) }), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  await property(t, values, async ({ limit, stretches }) => {
    let at = begin;
    const times = stretches.flatMap(({ run, gap }) => {
      const found = hoursFrom(at, run);
      at += (run + gap) * hour;
      return found;
    });
    const past = times.filter((time) => time < now - hour);
    const made = exchange('range', past, 100, { isLong: true, ranged: true });
    const { candles } = answerOf(made, { interval: '1h', limit });
    assert.deepEqual(
      candles.map(({ timestamp }) => timestamp),
      past.slice(-limit),
    );
  });
});

import t from 'tap';
import { historyQuery } from '../../../../actors/sources/queries/history-query.ts';
import type { HistoryParams, Instrument } from '../../../../actors/topics/index.ts';

type Params = HistoryParams & { interval: string };

const hour = 3_600_000;
const start = 1_750_003_200_000;
const point = (at: number, value = 1) => ({ timestamp: at, value });
const instrument = { market: 'A' } as Instrument;

/** A history of up to 3 rows a page, or 10, with a step of an hour but for `1d`. */
function historyOf(thinned: boolean, forward = false) {
  const seen: unknown[] = [];
  const query = historyQuery<Params, ReturnType<typeof point>, string>(
    {
      ttl: 60_000,
      page: 3,
      most: 10,
      thinned,
      forward: () => forward,
      step: ({ interval }) => (interval === '1d' ? null : hour),
      requests: (_, span) => {
        seen.push(span);
        return ['request'];
      },
      parse: ([body]) => body as ReturnType<typeof point>[],
    },
    ({ value }) => !Number.isNaN(value),
  );
  const asking = (limit: number, more: { interval?: string; from?: number; to?: number } = {}) => ({
    market: 'A',
    interval: '1h',
    limit,
    part: 'linear',
    instrument,
    now: start,
    ...more,
  });
  return { query, asking, seen };
}

t.test('one page for every limit, and for all times of one interval', async (t) => {
  const { query, asking } = historyOf(false);
  const page = (...asked: Parameters<typeof asking>) => query.page(asking(...asked));
  const rest = { market: 'A', interval: '1h', part: 'linear' };
  t.match(page(1), { ...rest, limit: 3, to: undefined, from: undefined, now: undefined });
  t.strictSame(
    [1, 3, 4, 10].map((limit) => page(limit)?.limit),
    [3, 3, 10, 10],
  );
  const to = (at: number) => page(1, { to: at })?.to;
  t.strictSame([start - 1, start, start + 1].map(to), [start - hour, undefined, undefined]);
  t.equal(to(start - hour), start - hour);
  t.equal(page(1, { interval: '1d' }), null, 'there is no such history');
  t.match(page(2, { interval: '2h' }), { interval: '2h', limit: 3 });
});

t.test('the range that is asked for', async (t) => {
  const { query, asking, seen } = historyOf(false);
  t.strictSame(query.requests(asking(5)), ['request']);
  query.requests(asking(5, { to: start }));
  t.strictSame(seen, [
    { limit: 5, range: null },
    { limit: 5, range: { start: start - 4 * hour - 1, end: start } },
  ]);
});

t.test('of an exchange that gives the first rows from a time on, these', async (t) => {
  const { query, asking, seen } = historyOf(false, true);
  const ask = (more: { from?: number; to?: number }) =>
    query.requests({ ...asking(2, more), ...query.page(asking(2, more)), now: start });
  ask({ from: 0 });
  ask({ from: 5, to: 4 * hour + 1 });
  ask({ from: start - 1, to: start - 1 });
  ask({ to: hour });
  t.strictSame(seen, [
    { limit: 3, range: { start: 0, end: start } },
    { limit: 3, range: { start: 5, end: 4 * hour } },
    { limit: 3, range: { start: start - 1, end: start - 1 } },
    { limit: 3, range: { start: 0, end: hour } },
  ]);
});

t.test('rows that can be used, ascending; those of the answer', async (t) => {
  const { query, asking } = historyOf(false);
  const [a, b, c] = [point(start), point(start + hour), point(start + 2 * hour)];
  const bad = point(start + 3 * hour, Number.NaN);
  const parsed = query.parse([[c, a, bad, b, { ...b, value: 2 }]], asking(3));
  t.strictSame(parsed, { market: 'A', points: [a, { ...b, value: 2 }, c] });
  t.throws(() => query.parse([[bad, bad, a]], asking(3)), { name: 'ShapeError' });
  const points = [a, b, c];
  const of = (limit: number, more = {}) =>
    query.slice({ market: 'A', points }, asking(limit, more)).points;
  t.strictSame([of(2), of(9)], [[b, c], points]);
  t.strictSame(of(9, { from: b.timestamp, to: b.timestamp }), [b]);
  t.strictSame(of(9, { from: b.timestamp + 1 }), [c]);
  t.strictSame(of(9, { interval: '2h' }), points);
});

t.test('where an exchange has no rows of 2h, every second one of 1h stands for them', async (t) => {
  const { query, asking } = historyOf(true);
  t.match(query.page(asking(2, { interval: '2h' })), { interval: '1h', limit: 10 });
  t.match(query.page(asking(1, { interval: '2h' })), { interval: '1h', limit: 3 });
  t.match(query.page(asking(2)), { interval: '1h', limit: 3 });
  const points = [0, 1, 2, 3].map((at) => point(start + at * hour));
  const even = points.filter(({ timestamp }) => timestamp % (2 * hour) === 0);
  const of = (interval: string) =>
    query.slice({ market: 'A', points }, asking(9, { interval })).points;
  t.strictSame([of('2h'), of('1h')], [even, points]);
  t.equal(even.length, 2);
});

t.test(
  'an empty page of a time before there were markets leads to the first of these',
  async (t) => {
    const { query, asking } = historyOf(false);
    const asked = asking(3, { from: 0 });
    const { points, reached } = query.parse([[]], {
      ...asked,
      ...query.page(asked),
      now: start,
    });
    t.strictSame([points, reached], [[], Date.UTC(2009, 0) - 1]);
  },
);

t.test(
  'a walk from a time on finds every row, also where they were closer together than they are now',
  async (t) => {
    /** Every eight hours, then every hour; the exchange knows the newest rows up to an end, at most a hundred. */
    const begun = start - 400 * hour;
    const times = Array.from({ length: 401 }, (_, i) => begun + i * hour).filter(
      (time, i) => i >= 200 || time % (8 * hour) === 0,
    );
    for (const hours of [1, 8]) {
      const asked: { limit: number; end: number }[] = [];
      const query = historyQuery<HistoryParams, ReturnType<typeof point>, number>(
        {
          ...{ ttl: 1, page: 100, least: hour },
          step: () => hours * hour,
          requests(_, { limit, range }) {
            asked.push({ limit, end: range?.end ?? start });
            return [asked.length - 1];
          },
          parse: ([body]) => body as ReturnType<typeof point>[],
        },
        () => true,
      );
      const found: number[] = [];
      let pages = 0;
      for (let from: number | undefined = begun - 30 * hour; from !== undefined; pages += 1) {
        const question = { market: 'A', limit: 60, from };
        const listed = { part: 'linear', instrument, now: start };
        const whole = { ...question, ...query.page({ ...question, ...listed }), ...listed };
        query.requests(whole);
        const { limit = 0, end = 0 } = asked.at(-1) ?? {};
        const rows = times.filter((time) => time <= end).slice(-limit);
        const { points, reached } = query.slice(
          query.parse([rows.map((at) => point(at))], whole),
          question,
        );
        found.push(...points.map(({ timestamp }) => timestamp));
        from = reached === undefined || pages > 20 ? undefined : reached + 1;
      }
      t.strictSame(found, times, `${hours} hours as its list states them`);
      t.ok(pages < 12, `${pages} pages`);
    }
  },
);

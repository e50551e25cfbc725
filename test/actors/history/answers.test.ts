/** Questions about recorded series: their bounds, the life of a reply, what is made of stored rows; and rows that are sent. */
import t, { type Test } from 'tap';
import { type AnswerOptions, SeriesAnswers } from '../../../actors/history/answers.ts';
import { recordRows } from '../../../actors/history/record.ts';
import { begunName } from '../../../actors/history/recorder.ts';
import { funding } from '../../../actors/history/series/funding.ts';
import { liquidationFeeds, liquidations } from '../../../actors/history/series/liquidations.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { marketIndicators } from '../../../actors/history/series/sent.ts';
import { takerFlow } from '../../../actors/history/series/taker-flow.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { StoreError } from '../../../actors/history/store.ts';
import type { RecordedAtParams, RecordedParams } from '../../../actors/topics/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { writing } from '../../support/events.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const step = 5 * minute;
/** A full hour. */
const start = 1_800_000_000_000;
const series = [openInterest, funding, liquidations, liquidationFeeds, marketIndicators, takerFlow];
const key = 'binance/stable/BTC';

function stage(t: Test, more: Partial<AnswerOptions> = {}, now = start + 2 * hour) {
  const clock = new FakeClock(now);
  const store = new SqliteStore(':memory:', series);
  t.teardown(() => store.close());
  const answers = new SeriesAnswers({ series, store, clock, ...more });
  const record = recordRows({ series, store, clock });
  const ask = (params: Partial<RecordedParams> = {}) =>
    answers.series({ series: 'open-interest', keys: [key], step: '5m', limit: 100, ...params });
  const at = (params: Partial<RecordedAtParams> = {}) =>
    answers.at({ series: 'open-interest', step: '5m', times: [start], ...params });
  const rowsOf = async (params: Partial<RecordedParams> = {}) => {
    const reply = await ask(params);
    if (!reply.ok) throw new Error(reply.failure.message);
    return reply.value.value.rows;
  };
  /** Writes values of minutes since `start`; those of open interest are units. */
  const write = async (
    minutes: readonly number[],
    { of = key, length = step, backfilled = false } = {},
  ) => {
    const rows = minutes.map((at) => [of, start + at * minute, at, 10 * at] as const);
    await store.write({ writes: [writing(openInterest, length, rows, { backfilled })] });
  };
  return { clock, store, answers, record, ask, at, rowsOf, write };
}

t.test('the bounds of a question', async (t) => {
  const { ask, at } = stage(t);
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
  const times = (count: number) => Array.from({ length: count }, () => start);
  const asked: [boolean, () => Promise<{ ok: boolean }>][] = [
    [true, () => ask({ keys: keys(64), limit: 10_000 })],
    [true, () => ask({ keys: keys(1), limit: 1, step: '1h' })],
    [true, () => ask({ step: '15m' })],
    [false, () => ask({ keys: [] })],
    [false, () => ask({ keys: keys(65) })],
    [false, () => ask({ limit: 0 })],
    [false, () => ask({ limit: 10_001 })],
    [false, () => ask({ series: 'funding', step: '5m' })],
    [false, () => ask({ series: 'footprint' })],
    [true, () => at({ times: times(32), carry: 12 })],
    [true, () => at({ carry: 0 })],
    [false, () => at({ times: [] })],
    [false, () => at({ times: times(33) })],
    [false, () => at({ carry: -1 })],
    [false, () => at({ carry: 13 })],
    [false, () => at({ step: '15m' })],
    [false, () => at({ series: 'footprint' })],
  ];
  const found = await Promise.all(asked.map(([, run]) => run()));
  t.strictSame(
    found.map(({ ok }) => ok),
    asked.map(([isAllowed]) => isAllowed),
  );
});

t.test('a reply holds until the next step, or for as long as its series says', async (t) => {
  const { clock, ask } = stage(t, {}, start + 1_999);
  const life = async (params: Partial<RecordedParams> = {}) => {
    const reply = await ask(params);
    return reply.ok ? reply.value.until - start : null;
  };
  t.equal(await life(), 2_000);
  await clock.advance(1);
  t.equal(await life(), minute + 2_000);
  t.equal(
    await life({ step: '1h' }),
    minute + 2_000,
    'the running hour changes with the finest step',
  );
  t.equal(await life({ series: 'liquidations', step: '1m' }), 12_000);
  t.equal(await life({ series: 'market-indicators', step: '1h' }), 2_000);
});

t.test('equal questions share one reply', async (t) => {
  const { answers, write, clock } = stage(t);
  const params = { series: 'open-interest', keys: [key], step: '5m', limit: 2 } as const;
  const times = { series: 'open-interest', step: '5m', times: [start] } as const;
  const read = () =>
    Promise.all([answers.answers.series({ ...params }), answers.answers.seriesAt({ ...times })]);
  const [first, table] = await read();
  await write([0, 5]);
  const again = await read();
  t.equal(again[0], first);
  t.equal(again[1], table);
  await clock.advance(step);
  t.not((await read())[0], first);
});

t.test('rows: the newest ones, of a stored step or a multiple of it', async (t) => {
  const { store, write, rowsOf } = stage(t);
  await write([0, 5, 10, 20, 25]);
  await write([15], { backfilled: true });
  const [all] = await rowsOf();
  t.strictSame(all?.columns, { base: [0, 5, 10, 15, 20, 25], usd: [0, 50, 100, 150, 200, 250] });
  const [two] = await rowsOf({ limit: 2, to: start + 26 * minute });
  t.match(two, {
    times: [start + 20 * minute, start + 25 * minute],
    columns: { base: [20, 25] },
    coverage: { expected: 2, present: 2, complete: true, backfilled: false },
  });
  const [quarters] = await rowsOf({ step: '15m', from: start + 1, to: start + hour });
  t.match(quarters, { times: [start + 15 * minute], columns: { base: [25] } });
  const [from] = await rowsOf({ from: start + 6 * minute, to: start + 15 * minute });
  t.match(from, {
    times: [start + 10 * minute, start + 15 * minute],
    coverage: { from: start + 10 * minute, to: start + 15 * minute, backfilled: true },
  });
  t.equal(from?.recorded_from, start + 2 * hour, 'not recorded yet: now');
  await store.write({ writes: [], positions: [{ name: begunName(openInterest), to: '77' }] });
  t.equal((await rowsOf())[0]?.recorded_from, 77);
});

t.test('coverage: 95 % of the steps that have ended', async (t) => {
  const { write, rowsOf, clock } = stage(t, {}, start + 200 * minute);
  const twenty = Array.from({ length: 40 }, (_, at) => at * 5);
  await write(twenty.slice(1));
  const coverage = async (params: Partial<RecordedParams>) => (await rowsOf(params))[0]?.coverage;
  // The step that begins at minute 200 runs.
  t.match(await coverage({ from: start + 100 * minute }), { expected: 20, present: 20 });
  t.match(await coverage({ from: start }), { expected: 40, present: 39, complete: true });
  t.match(await coverage({ from: start, to: start + 90 * minute }), {
    expected: 19,
    present: 18,
    complete: false,
  });
  t.match(await coverage({ from: start, to: start + 95 * minute }), {
    expected: 20,
    present: 19,
    complete: true,
  });
  t.match(await coverage({ from: start, limit: 3 }), {
    from: start + 185 * minute,
    expected: 3,
    present: 3,
  });
  await write([200]);
  t.match(await coverage({ from: start + 190 * minute }), { expected: 3, present: 3 });
  await clock.advance(10 * minute);
  t.match(await coverage({ from: start + 190 * minute, to: start + 500 * minute }), {
    to: start + 210 * minute,
    expected: 4,
    present: 3,
    complete: false,
  });
});

t.test('coverage of fundings: a row in so many hours as the last one says', async (t) => {
  const { store, rowsOf } = stage(t, {}, start + day);
  const rate = (at: number, hours: number) =>
    writing(funding, hour, [[key, start + at * hour, 0.1, hours]]);
  const params = { series: 'funding', step: '1h', from: start + hour } as const;
  await store.write({ writes: [rate(8, 8), rate(16, 8)] });
  t.match((await rowsOf(params))[0]?.coverage, { expected: 2, present: 2, complete: true });
  await store.write({ writes: [rate(20, 4)] });
  t.match((await rowsOf(params))[0]?.coverage, { expected: 5, present: 3, complete: false });
  const [last] = await rowsOf({ series: 'funding', step: '1h', limit: 3 });
  t.equal(last?.coverage.from, start + 8 * hour, 'three eights of hours back');
});

t.test('hours that have not been combined yet are made of the finer rows', async (t) => {
  const { write, rowsOf } = stage(t, {}, start + 2 * hour + 10 * minute);
  await write([0, 60], { length: hour });
  await write([30, 55, 70, 115, 120, 125]);
  t.match(await rowsOf({ step: '1h' }), [
    { times: [start, start + hour, start + 2 * hour], columns: { base: [0, 60, 125] } },
  ]);
  const other = stage(t, {}, start + 2 * hour + 10 * minute);
  await other.write([30, 55, 70, 115, 120, 125]);
  t.match(
    await other.rowsOf({ step: '1h' }),
    [{ times: [start + hour, start + 2 * hour], columns: { base: [115, 125] } }],
    'older ones have been combined where they are known',
  );
  t.match(await other.rowsOf({ step: '1h', to: start + hour - 1 }), [{ times: [] }]);
});

t.test('a key without all of its rows is back-filled first', async (t) => {
  const wanted: string[] = [];
  const { write, rowsOf } = stage(t, {
    want: async (_, wantedKey, patience) => void wanted.push(`${wantedKey} ${patience}`),
  });
  // Of 22 steps the newest two may be missing, and one of the other twenty.
  const asked = { keys: [key, 'okx/stable/BTC'], from: start, to: start + 105 * minute };
  await write([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85]);
  await rowsOf(asked);
  t.strictSame(wanted, [`${key} 3000`, 'okx/stable/BTC 3000']);
  await write([90]);
  wanted.length = 0;
  const rows = await rowsOf(asked);
  t.strictSame(wanted, ['okx/stable/BTC 3000']);
  t.strictSame(
    rows.map(({ times }) => times.length),
    [19, 0],
  );
  wanted.length = 0;
  t.equal((await rowsOf({ ...asked, keys: [key] }))[0]?.times.length, 19);
  await rowsOf({ series: 'liquidations', step: '1m' });
  t.strictSame(wanted, [], 'nor is a series that no upstream keeps');
});

t.test(
  'a reply for which keys were filled holds for ten seconds, any other until the next step',
  async (t) => {
    for (const [want, life] of [
      [() => null, minute],
      [async () => {}, 10_000],
    ] as const) {
      // Rows of a step are written two seconds after its end.
      const { ask, clock } = stage(t, { want }, start + 2 * hour + 2_000);
      const reply = await ask();
      t.equal(reply.ok && reply.value.until - clock.now(), life);
    }
  },
);

t.test(
  'nothing was liquidated while a stream was received: zero, and no row elsewhere',
  async (t) => {
    const { store, rowsOf } = stage(t);
    const at = (minutes: number) => start + minutes * minute;
    const heard = [0, 1, 2, 60, 61].map((one) => ['okx/linear', at(one), minute] as const);
    await store.write({
      writes: [
        writing(liquidationFeeds, minute, [...heard, ['gate/linear', at(4), minute]]),
        writing(liquidationFeeds, hour, [['okx/linear', start, 3 * minute]]),
        writing(liquidations, minute, [['okx/BTC', at(1), 30, 20, 2, 30]]),
        writing(liquidations, hour, [['okx/BTC', start, 30, 20, 2, 30]]),
      ],
    });
    const longsOf = async (params: Partial<RecordedParams>) =>
      (await rowsOf({ series: 'liquidations', keys: ['okx/BTC', 'okx/ETH'], ...params })).map(
        ({ times, columns }) => [times.map((time) => (time - start) / minute), columns.long_usd],
      );
    t.strictSame(await longsOf({ step: '1m', limit: 200 }), [
      [
        [0, 1, 2, 60, 61],
        [0, 30, 0, 0, 0],
      ],
      [
        [0, 1, 2, 60, 61],
        [0, 0, 0, 0, 0],
      ],
    ]);
    // Of a time that was not received, after all that was.
    await store.write({
      writes: [writing(liquidations, minute, [['okx/SOL', at(63), 7, 0, 1, 7]])],
    });
    const keys = ['okx/SOL', 'okx/ETH'];
    const [ofSol, ofEth] = await longsOf({ step: '1m', limit: 200, keys });
    t.strictSame(ofSol?.[1], [0, 0, 0, 0, 0, 7]);
    t.strictSame(ofEth?.[1], [0, 0, 0, 0, 0], 'no row of another asset');
    const hours = [
      [0, 60],
      [30, 0],
    ];
    t.strictSame(
      (await longsOf({ step: '1h' }))[0],
      hours,
      'the hour that is not combined yet too',
    );
    const [own] = await rowsOf({
      series: 'liquidations',
      keys: ['okx/BTC'],
      step: '5m',
      limit: 30,
    });
    t.match(own?.coverage, { present: 2 }, 'what is covered is what was received');
  },
);

t.test('one list for each time, of all keys that have a value then', async (t) => {
  const { at, write } = stage(t);
  await write([0, 5]);
  await write([5], { of: 'okx/stable/BTC' });
  const table = async (params: Partial<RecordedAtParams>) => {
    const reply = await at({ times: [start + 4 * minute, start + 10 * minute], ...params });
    return reply.ok ? reply.value.value : null;
  };
  t.match(await table({}), {
    times: [start, start + 10 * minute],
    keys: [key],
    columns: { base: [[0], [null]] },
    recorded_from: start + 2 * hour,
  });
  t.match(await table({ carry: 1 }), {
    keys: [key, 'okx/stable/BTC'],
    columns: {
      base: [
        [0, null],
        [5, 5],
      ],
    },
  });
  t.match(await table({ carry: 1, prefix: 'okx/' }), { keys: ['okx/stable/BTC'] });
});

t.test('a store that fails is said to be away, any other error is one', async (t) => {
  const failing = (error: Error) => {
    const store = new Proxy({}, { get: () => async () => Promise.reject(error) }) as SqliteStore;
    const { ask, clock } = stage(t, { store });
    return [ask, () => recordRows({ series, store, clock })(sent)] as const;
  };
  const sent = { series: 'market-indicators' as const, rows: [row(0)] };
  for (const run of failing(new StoreError('away', 'gone'))) {
    t.match(await run(), { ok: false, failure: { code: 'unavailable', message: 'gone' } });
  }
  for (const run of failing(new Error('a fault')))
    await t.rejects(async () => void (await run()), /a fault/);
});

t.test('what takers traded in a part of a step is not known', async (t) => {
  const { store, answers } = stage(t, {}, start + 11 * minute);
  const own = 'okx/spot/BTC';
  // Of the last minute some seconds were not heard.
  const rows = [5, 6, 7, 8, 9, 10].map(
    (at) => [own, start + at * minute, at, 2 * at, at < 10 ? 1 : 0] as const,
  );
  await store.write({ writes: [writing(takerFlow, minute, rows)] });
  const asked = { series: 'taker-flow', keys: [own], limit: 10, from: start } as const;
  const columnsOf = async (step: '1m' | '5m') => {
    const reply = await answers.series({ ...asked, step, to: start + 10 * minute });
    return reply.ok ? reply.value.value.rows[0]?.columns : reply;
  };
  t.match(await columnsOf('1m'), {
    buy_usd: [5, 6, 7, 8, 9, null],
    sell_usd: [10, 12, 14, 16, 18, null],
  });
  t.match(await columnsOf('5m'), { buy_usd: [35, null], sell_usd: [70, null], minutes: [5, 0] });
  const table = await answers.at({
    series: 'taker-flow',
    step: '1m',
    times: [start + 9 * minute, start + 10 * minute],
  });
  t.match(table, { value: { value: { columns: { buy_usd: [[9], [null]] } } } });
});

const row = (at: number, more = {}) => ({
  key: 'some',
  time: start + at * minute,
  values: { at: start, value: at },
  ...more,
});

t.test('rows that are sent: stored once by their step, and combined', async (t) => {
  const { record, rowsOf, clock } = stage(t, {}, start + 2 * day);
  const send = (rows: ReturnType<typeof row>[]) => record({ series: 'market-indicators', rows });
  t.match(await send([row(1), row(61, { backfilled: true })]), {
    value: { value: { rows: 2 }, received: clock.now(), until: clock.now() },
  });
  await send([row(2), row(120)]);
  const asked = { series: 'market-indicators', keys: ['some'] } as const;
  t.match(await rowsOf({ ...asked, step: '1h' }), [
    {
      times: [start, start + hour, start + 2 * hour],
      columns: { value: [1, 61, 120] },
      coverage: { backfilled: true },
    },
  ]);
  const [days] = await rowsOf({ ...asked, step: '1d' });
  t.strictSame(days?.columns.value, [1]);
  const many = (count: number) => Array.from({ length: count }, () => row(0));
  t.strictSame(
    [
      (await send([])).ok,
      (await send(many(10_001))).ok,
      (await send(many(10_000))).ok,
      (await record({ series: 'footprint' as never, rows: many(1) })).ok,
    ],
    [false, false, true, false],
  );
});

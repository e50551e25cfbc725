/** Series that the source samples itself: hours, days, restarts. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { RecordedStore } from '../../../actors/market/recorded.ts';
import { ChartRecord, thinned } from '../../../actors/market/records.ts';
import { required } from '../../../actors/read.ts';
import { dayLength } from '../../../indicators/market/days.ts';
import { FakeClock } from '../../support/clock.ts';
import { now } from './fixtures.ts';
import { marketStage, type Stage } from './stage.ts';

const hour = 3_600_000;

t.test('hours are thinned to days after 90 days', async (t) => {
  const first = Math.floor(now / dayLength) * dayLength - 100 * dayLength;
  const rows = Array.from({ length: 100 * 24 }, (_, at) => ({ timestamp: first + at * hour }));
  const newest = rows.at(-1)?.timestamp ?? 0;
  const kept = thinned(rows);
  const old = kept.filter(({ timestamp }) => timestamp < newest - 90 * dayLength);
  t.equal(kept.length - old.length, 90 * 24 + 1);
  t.same(
    old.map(({ timestamp }) => (timestamp - first) / dayLength),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    'the first of each day',
  );
  t.same(thinned(kept), kept);
  const many = Array.from({ length: 6_000 }, (_, at) => ({ timestamp: now + at * 60_000 }));
  t.equal(thinned(many).length, 5_000);
});

/** A process that records a chart. */
const opener = (stage: Pick<Stage, 'begin'>, store?: RecordedStore) => () => {
  const { context } = stage.begin();
  return new ChartRecord(
    { recorded: store ?? new RecordedStore(context) },
    { key: 'some', columns: { value: required }, step: hour },
  );
};
const begun = Math.floor(now / hour) * hour;

t.test('a sample an hour, read back by the next process', async (t) => {
  const stage = marketStage();
  const open = opener(stage);
  const one = open();
  t.same(await one.chart(), { rows: [], recordedFrom: null });
  await one.add({ timestamp: begun - hour, value: 1, backfilled: true });
  const same = await one.rows();
  for (const minutes of [0, 20, 59]) {
    await one.add({ timestamp: begun + minutes * 60_000, value: minutes });
  }
  const kept = await one.rows();
  t.not(kept, same);
  await one.add({ timestamp: begun + 1, value: 1 });
  t.equal(await one.rows(), kept, 'the same array until it changes');
  await stage.clock.advance(hour);
  await one.add(...[60, 61].map((value, at) => ({ timestamp: begun + hour + 1 + at, value })));
  t.same(
    await open().chart(),
    {
      rows: [
        { timestamp: begun - hour, value: 1, backfilled: true },
        { timestamp: begun, value: 0 },
        { timestamp: begun + hour + 1, value: 60 },
      ],
      recordedFrom: begun,
    },
    'what was made afterwards is not recorded',
  );
});

t.test('without a history process: samples wait in memory, and those of before stay', async (t) => {
  const stage = marketStage();
  const open = opener(stage);
  await open().add(
    { timestamp: begun - 2 * hour, value: 1 },
    { timestamp: begun - hour, value: 2 },
  );
  const blind = open();
  await stage.clock.advance(10_000);
  stage.alone = true;
  await blind.add({ timestamp: begun - hour, value: 3 }, { timestamp: begun, value: 4 });
  t.same(await blind.chart(), { rows: null, recordedFrom: begun - hour });
  stage.alone = false;
  await blind.add({ timestamp: begun, value: 5 });
  t.same(
    (await open().rows()).map(({ value }) => value),
    [1, 2, 4],
  );
  t.same(await blind.rows(), await open().rows());
});

t.test('a store is asked for ten seconds, and given 5,000 rows at a time', async (t) => {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const store = new RecordedStore({
    clock,
    query: async ({ name, params }) => {
      asked.push(name === 'record' ? (params as { rows: unknown[] }).rows.length : params);
      return failed('unavailable', 'no history');
    },
  });
  const question = { series: 'market-indicators', keys: ['a'], step: '1h', limit: 9 } as const;
  const { series, keys, ...window } = question;
  let found: unknown;
  void store.read(series, keys, window).then((rows) => {
    found = rows;
  });
  await clock.advance(9_999);
  t.equal(found, undefined);
  t.strictSame(asked, Array(20).fill(question), 'twice a second');
  await clock.advance(1);
  t.equal(found, null);
  asked.length = 0;
  const rows = Array.from({ length: 5_001 }, (_, time) => ({ key: 'a', time, values: {} }));
  t.match(await store.record(series, rows), { code: 'unavailable' });
  t.strictSame(asked, [5_000], 'no more after a failure');
});

t.test('a chart reads a little more than 90 days of hours, and 5,000 days', async (t) => {
  const asked: unknown[] = [];
  const stage = marketStage();
  const recorded = new RecordedStore(stage.begin().context);
  recorded.read = async (series, keys, { step, limit }) => {
    asked.push([series, ...keys, step, limit]);
    return [];
  };
  await opener(stage, recorded)().rows();
  t.strictSame(asked, [
    ['market-indicators', 'some/value', '1h', 2_208],
    ['market-indicators', 'some/value', '1d', 5_000],
  ]);
});

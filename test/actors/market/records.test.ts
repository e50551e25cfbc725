/** Series that the source samples itself: hours, days, restarts. */
import t from 'tap';
import { type RecordedRow, Recorder, thinned } from '../../../actors/market/records.ts';
import { required } from '../../../actors/read.ts';
import { dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { createStage } from './stage.ts';

const hour = 3_600_000;

interface Row extends RecordedRow {
  value: number;
}

t.test('hours are thinned to days after 90 days', async (t) => {
  const first = Math.floor(now / dayLength) * dayLength - 100 * dayLength;
  const rows = Array.from({ length: 100 * 24 }, (_, at) => ({ timestamp: first + at * hour }));
  const newest = rows.at(-1)?.timestamp ?? 0;
  const kept = thinned(rows, newest);
  const old = kept.filter(({ timestamp }) => timestamp < newest - 90 * dayLength);
  t.equal(kept.length - old.length, 90 * 24 + 1);
  t.same(
    old.map(({ timestamp }) => (timestamp - first) / dayLength),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    'the first of each day',
  );
  t.same(thinned(kept, newest), kept);
  const many = Array.from({ length: 6_000 }, (_, at) => ({ timestamp: now + at * 60_000 }));
  t.equal(thinned(many, now).length, 5_000);
});

t.test('a sample an hour, read back by the next process', async (t) => {
  const stage = await createStage(t);
  const open = () =>
    new Recorder<Row>(stage.begin().context, {
      key: 'some',
      columns: ['value'],
      step: hour,
      read: ({ timestamp, value }) => ({
        timestamp: required(timestamp),
        value: required(value),
      }),
    });
  const one = open();
  t.equal(await one.since(), null);
  const begun = Math.floor(now / hour) * hour;
  await one.add({ timestamp: begun - hour, value: 1, backfilled: true });
  const same = await one.rows();
  for (const minutes of [0, 20, 59]) {
    await one.add({ timestamp: begun + minutes * 60_000, value: minutes });
  }
  t.not(await one.rows(), same);
  await one.add({ timestamp: begun + hour, value: 60 });
  t.equal(stage.count('series', 'some'), 3, 'written when there is something new');
  const again = open();
  t.same(await again.rows(), [
    { timestamp: begun - hour, value: 1, backfilled: true },
    { timestamp: begun, value: 0 },
    { timestamp: begun + hour, value: 60 },
  ]);
  t.equal(await again.since(), begun, 'what was asked afterwards is not recorded');

  stage.deaf = true;
  const blind = open();
  t.same(await blind.rows(), [], 'Redis is away when the process takes over');
  await blind.add({ timestamp: begun + 2 * hour, value: 2 });
  stage.deaf = false;
  await blind.add({ timestamp: begun + 3 * hour, value: 3 });
  t.equal((await open().rows()).length, 4, 'the series of before is not lost');
});

/** What a feed counts of itself for the scorecard; the numbers are worked out by hand. */
import t from 'tap';
import { StatusRow, Tally } from '../../../../actors/sources/status/status.ts';
import type { FeedReport } from '../../../../actors/topics/index.ts';

t.test('age: it grows from 0 to the time between two receptions', async (t) => {
  const tally = new Tally(0);
  tally.renewed(1_000, null);
  t.match(tally.take(0), { age_area: 0, age_span: 0, age_max: 0 }, 'the first has none before it');
  tally.renewed(5_000, 1_000);
  tally.renewed(7_000, 5_000);
  // Triangles of 4 s and of 2 s: 8 and 2 s x s, over 6 s, which is a mean of 1.67 s.
  t.match(tally.take(0), { age_area: 10e6, age_span: 6_000, age_max: 4_000 });
  tally.renewed(8_000, 7_000);
  t.match(tally.take(0), { age_area: 10.5e6, age_span: 7_000, age_max: 1_000 }, 'since the last');
  tally.renewed(8_000, 9_000);
  t.match(tally.take(0), { age_area: 10.5e6, age_span: 7_000 }, 'a clock that was set back');
});

t.test('of a long pause the last minute counts', async (t) => {
  const tally = new Tally(0);
  tally.renewed(600_000, 0);
  // From 540 to 600 s: 570 s on average.
  const { age_area, age_span, age_max } = tally.take(0);
  t.strictSame([age_area / age_span, age_span, age_max], [570_000, 60_000, 600_000]);
});

t.test(
  'data of the holder before count, those from before a stop of the service do not',
  async (t) => {
    const tally = new Tally(1_000_000);
    tally.renewed(1_004_000, 990_000);
    t.match(tally.take(0), { age_max: 14_000 });
    const after = new Tally(1_000_000);
    after.renewed(1_004_000, 399_000);
    t.match(after.take(0), { age_span: 0, age_max: 0 });
  },
);

t.test('failures, refusals, numbers that are held back', async (t) => {
  const tally = new Tally(7);
  for (const code of ['timeout', 'rate_limited', 'banned', 'blocked', 'refused', 'shape'] as const)
    tally.failed(code);
  tally.held(['A', 'B'], []);
  tally.held(['A', 'B'], [{ market: 'A' }, { market: 'C' }]);
  tally.held(['B'], [{ market: 'A' }]);
  tally.held(['A'], []);
  tally.differs = 3;
  t.match(tally.take(0), { since: 7, failed: 6, refused: 4, suspect: 3, differs: 3 });
});

t.test('a row of the status states it, and keeps counting', async (t) => {
  const reports: FeedReport[] = [];
  const name = { source: 'okx', topic: 'prices', part: 'spot' };
  const row = new StatusRow(name, (one) => reports.push(one), { now: () => 500 });
  row.succeed({ asked: 900, received: 1_000, rows: 1 }).report();
  row.fail({ code: 'banned', message: 'no' }, 2_000);
  row.succeed({ asked: 2_900, received: 3_000, rows: 1 }).report();
  t.match(reports[1]?.tally, { since: 500, failed: 1, refused: 1, age_max: 2_000 });
});

t.test(
  'how long messages took from the time that they state; one that is far ahead is wrong',
  async (t) => {
    const reports: FeedReport[] = [];
    const name = { source: 'okx', topic: 'priceChanges', part: 'spot' };
    let now = 1_000_000;
    const row = new StatusRow(name, (one) => reports.push(one), { now: () => now });
    row.report();
    t.notOk('events' in (reports[0]?.tally ?? {}), 'none without any');
    for (const ms of [17, 20, -300, -60_001]) row.tally.events.add(ms, now);
    row.report();
    t.strictSame(reports[1]?.tally?.events, { 1: 1, 20: 2 }, 'a clock that is a little ahead is 1');
    now += 120_000;
    row.report();
    t.notOk('events' in (reports[2]?.tally ?? {}), 'a stream that has become silent has none');
  },
);

import t from 'tap';
import {
  rateOf8Hours,
  settledHours,
  validFunding,
} from '../../../indicators/derivatives/funding.ts';

const nan = Number.NaN;

t.test('funding: whole hours that divide a day, within 5 % an hour of either sign', async (t) => {
  const nothing = { rate: null, refused: null };
  t.strictSame(validFunding(0.0001, 8), { rate: 0.0001, hours: 8, refused: null });
  t.strictSame(
    validFunding(-0.05, 1),
    { rate: -0.05, hours: 1, refused: null },
    'the bound itself',
  );
  t.strictSame(
    validFunding(0.4, null),
    { rate: 0.4, hours: null, refused: null },
    'at most 8 hours',
  );
  t.strictSame(
    [validFunding(nan, 4), validFunding(null, nan)],
    [
      { ...nothing, hours: 4 },
      { ...nothing, hours: null },
    ],
  );
  for (const [rate, hours] of [
    [0.0501, 1],
    [-0.41, 8],
    [0.41, null],
    [1, 4],
  ] as const) {
    t.strictSame(validFunding(rate, hours), { rate: null, hours, refused: 'bad_funding_rate' });
  }
  for (const hours of [1, 2, 3, 4, 6, 8, 12, 24]) {
    t.strictSame(validFunding(0.0003, hours), { rate: 0.0003, hours, refused: null });
  }
  for (const hours of [0, -8, 0.5, 1.5, 5, 7, 9, 16, 48, 480, 28_800]) {
    const refused = { rate: null, hours: null, refused: 'bad_funding_interval' };
    t.strictSame(validFunding(0.0001, hours), refused, String(hours));
  }
});

t.test('hours of settled rates follow from the times between them', async (t) => {
  /** Settlements so many hours after each other, each some ms late; `running` hours after the last one. */
  function after(gaps: readonly number[], running: number | null) {
    let at = 1_765_065_600_000;
    const late = [at, ...gaps.map((gap) => (at += gap * 3_600_000))].map(
      (time, i) => time + (i % 3),
    );
    return settledHours(late, running);
  }
  t.strictSame(after([8, 8, 1, 1], 1), [8, 8, 8, 1, 1], 'from 8 hours to 1');
  t.strictSame(after([1, 1, 8, 8], 8), [1, 1, 1, 8, 8], 'from 1 hour to 8');
  t.strictSame(after([4, 4, 8], 8), [4, 4, 4, 8], 'to the hours that are running');
  t.strictSame(after([8, 4, 1, 1], 1), [8, 8, 4, 1, 1], 'once by 4 hours between');
  t.strictSame(after([1, 1, 5, 8], 8), [1, 1, 1, 8, 8], 'at 3:00 from 1 hour to 8');
  t.strictSame(after([1, 7], 8), [1, 1, 8], 'and 8 hours are running');
  for (const each of [1, 2, 3, 4, 6, 8, 12, 24])
    t.strictSame(after([each, each], null), [each, each, each], `every ${each} hours`);
  t.strictSame(settledHours([], 8), []);
  t.strictSame(
    [after([], 6), after([], null)],
    [[6], [null]],
    'of a lone one those that are running',
  );
});

t.test('a missed settlement is no new interval', async (t) => {
  const of = (gaps: readonly number[], running: number | null) =>
    settledHours(
      [0, ...gaps].map((_, i) => gaps.slice(0, i).reduce((a, b) => a + b, 0) * 3_600_000),
      running,
    );
  t.strictSame(of([8, 16, 8], 8), [8, 8, 8, 8], 'a gap of 16 hours');
  t.strictSame(of([8, 24, 8], 8), [8, 8, 8, 8], 'a gap of 24 hours');
  t.strictSame(of([4, 8, 4, 12, 4], 4), [4, 4, 4, 4, 4, 4], 'gaps that could be intervals');
  t.strictSame(of([12, 24, 12], 12), [12, 12, 12, 12]);
  t.strictSame(of([6, 30, 6], 6), [6, 6, 6, 6]);
  t.strictSame(of([8, 16, 1, 1], 1), [8, 8, 8, 1, 1], 'before a change');
  t.strictSame(of([16, 8], 8), [8, 8, 8], 'the first gap');
  t.strictSame(
    [of([4, 8], 4), of([4, 8], null)],
    [
      [4, 4, 4],
      [4, 4, 4],
    ],
    'the last gap',
  );
  t.strictSame(
    [of([16], 8), of([16], null)],
    [
      [8, 8],
      [null, null],
    ],
    'the only gap',
  );
});

t.test('a rate of any interval as one of eight hours', async (t) => {
  t.equal(rateOf8Hours(0.0001, 1), 0.0008);
  t.equal(rateOf8Hours(-0.0004, 4), -0.0008);
  t.equal(rateOf8Hours(0.0001, 8), 0.0001);
  t.equal(rateOf8Hours(0.0003, 6).toFixed(12), '0.000400000000');
});

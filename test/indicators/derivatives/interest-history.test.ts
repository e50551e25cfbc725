import t from 'tap';
import {
  aligned,
  interestBars,
  interestChange,
  interestTotals,
  missingAt,
} from '../../../indicators/derivatives/interest-history.ts';

const hour = 3_600_000;
const dated = (...times: number[]) => times.map((time) => ({ time }));
const timesOf = (series: { time: number }[][], step: number) =>
  aligned(series, step).map(({ time, rows }) => [time, ...rows.map((row) => row?.time ?? null)]);

t.test('series side by side: carried for a while, absent before the first row', async (t) => {
  t.strictSame(timesOf([dated(0, 2), dated(1, 2)], 1), [
    [0, 0, null],
    [1, 0, 1],
    [2, 2, 2],
  ]);
  // Three steps of an hour: the fourth is absent.
  const long = timesOf([dated(0), dated(...[0, 1, 2, 3, 4].map((at) => at * hour))], hour);
  t.strictSame(
    long.map(([, first]) => first),
    [0, 0, 0, 0, null],
  );
  // Three hours of steps of half an hour, then nothing until the next row.
  const hole = timesOf([dated(0, 8 * hour)], hour / 2);
  t.strictSame(
    hole.map(([time]) => (time ?? 0) / hour),
    [0, 0.5, 1, 1.5, 2, 2.5, 3, 8],
  );
  t.strictSame(timesOf([[], []], 1), []);
  t.strictSame(timesOf([], 1), []);
});

t.test('totals: both margins of an exchange, base units only where all state them', async (t) => {
  const row = (time: number, usd: number, base: number | null) => ({ time, usd, base });
  const series = [
    { exchange: 'a', margin: 'stable' as const, rows: [row(0, 100, 1), row(1, 120, 1.2)] },
    { exchange: 'a', margin: 'coin' as const, rows: [row(1, 30, 0.3)] },
    { exchange: 'b', margin: 'stable' as const, rows: [row(0, 50, 0.5), row(2, 60, null)] },
  ];
  t.strictSame(interestTotals(series, 1), [
    {
      time: 0,
      exchanges: { a: 100, b: 50 },
      usd: 150,
      base: 1.5,
      stable: 150,
      coin: null,
      carried: 0,
      parts: [100, null, 50],
    },
    {
      time: 1,
      exchanges: { a: 150, b: 50 },
      usd: 200,
      base: 2,
      stable: 170,
      coin: 30,
      carried: 1,
      parts: [120, 30, 50],
    },
    {
      time: 2,
      exchanges: { a: 150, b: 60 },
      usd: 210,
      base: null,
      stable: 180,
      coin: 30,
      carried: 2,
      parts: [120, 30, 60],
    },
  ]);
});

t.test('a change is that of the contracts which both totals have', async (t) => {
  const total = (...parts: (number | null)[]) => ({
    parts,
    usd: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
  });
  t.strictSame(interestChange(total(100, 50), undefined), { usd: null, percent: null });
  t.strictSame(interestChange(total(150, 75), total(100, 50)), { usd: 75, percent: 50 });
  // The recording of the second and third exchange begins: nothing has been opened there.
  t.strictSame(interestChange(total(150, 50, 40), total(100, null, null)), {
    usd: null,
    percent: 50,
  });
  t.strictSame(interestChange(total(150, null), total(100, 900)), { usd: null, percent: 50 });
  const most = interestChange(total(10, 990), total(10, null));
  t.strictSame(most, { usd: null, percent: null }, 'one percent of the sum says nothing of it');
});

t.test('exchanges without a value at a time are named', async (t) => {
  const rows = [{ time: 1, usd: 1, base: null }];
  const series = ['a', 'b', 'b', 'c'].map((exchange) => ({ exchange, rows }));
  t.strictSame(missingAt(series, { exchanges: { b: 5 } }), ['a', 'c']);
  t.strictSame(missingAt([{ exchange: 'never', rows: [] }], { exchanges: {} }), []);
});

t.test(
  'bars of two samples: the one before opens, a hole longer than three hours ends the record',
  (t) => {
    const series = (usd: readonly (number | null)[], exchange = 'a') => ({
      exchange,
      margin: 'stable' as const,
      rows: usd.flatMap((one, at) =>
        one === null ? [] : [{ time: at * hour, usd: one, base: null }],
      ),
    });
    const bars = (...all: ReturnType<typeof series>[]) =>
      interestBars(all, { step: hour, length: 2 * hour });
    const shown = (...all: ReturnType<typeof series>[]) =>
      bars(...all).map(({ time, open, high, low, close, samples, exchanges }) =>
        [time / hour, open, high, low, close, samples, ...exchanges].join(' '),
      );
    t.strictSame(shown(series([10, 12, 9, 11])), ['2 12 12 9 11 2 a']);
    // The bar that still runs has one sample; a series that ends within the record is carried on for three hours.
    t.strictSame(shown(series([10, 12, 9, 11, 13]), series([1, 2], 'b')), [
      '2 14 14 11 13 2 a b',
      '4 13 15 13 15 1 a b',
    ]);
    // Carried until 4; at 5 it is gone, so that the bar from 4 on is without it.
    t.strictSame(
      shown(series([10, 12, 9, 11, 13, 14]), series([1, 2], 'b')).at(-1),
      '4 11 14 11 14 2 a',
    );
    // Nothing at 5 and 6: the bar at 6 has no sample before it.
    const hole = series([10, 12, null, null, null, null, null, 20, 21, 22]);
    t.strictSame(shown(hole), ['2 12 12 12 12 2 a', '4 12 12 12 12 1 a', '8 20 22 20 22 2 a']);
    t.strictSame(shown(), []);
    t.end();
  },
);

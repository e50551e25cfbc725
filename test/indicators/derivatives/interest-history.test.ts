import t from 'tap';
import {
  aligned,
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
      ...{ time: 0, exchanges: { a: 100, b: 50 }, usd: 150, base: 1.5 },
      ...{ stable: 150, coin: null, carried: 0, parts: [100, null, 50] },
    },
    {
      ...{ time: 1, exchanges: { a: 150, b: 50 }, usd: 200, base: 2 },
      ...{ stable: 170, coin: 30, carried: 1, parts: [120, 30, 50] },
    },
    {
      ...{ time: 2, exchanges: { a: 150, b: 60 }, usd: 210, base: null },
      ...{ stable: 180, coin: 30, carried: 2, parts: [120, 30, 60] },
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

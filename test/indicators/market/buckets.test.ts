import t from 'tap';
import { toDigits } from '../../../indicators/digits.ts';
import { combined, combineRows, stepAt } from '../../../indicators/market/buckets.ts';

const ways = ['first', 'last', 'max', 'sum', 'mean'] as const;

t.test('the values of steps as one, without those that are not known', async (t) => {
  const of = (...values: (number | null)[]) => ways.map((how) => combined(values, how));
  t.same(of(null, 3, 7, null, 2, null), [3, 2, 7, 12, 4]);
  t.same(of(null), [null, null, null, null, null]);
  t.same(of(), [null, null, null, null, null]);
});

t.test('rows of a longer step, each that has any', async (t) => {
  t.same(
    [0, 4, 5, 9].map((time) => stepAt(time, 5)),
    [0, 0, 5, 5],
  );
  const columns = [
    [1, 2, 3, null, 5],
    [6, 7, null, 9, null],
  ];
  t.same(combineRows({ times: [0, 4, 15, 19, 20], columns }, 5, ['sum', 'last']), {
    times: [0, 15, 20],
    columns: [
      [3, 3, 5],
      [7, 9, null],
    ],
  });
  t.same(combineRows({ times: [], columns: [[]] }, 5, ['sum']), { times: [], columns: [[]] });
});

t.test('significant digits, of sizes that lie close together and far apart', async (t) => {
  const cases = [
    [123_456.789, 7, 123_456.8],
    [123_456_789, 7, 123_456_800],
    [-1.234_567_89, 7, -1.234_568],
    [1.234_567_89, 3, 1.23],
    [0.000_123_456_789, 7, 0.000_123_456_8],
    [999.999_99, 7, 1_000],
    [1_000.000_6, 7, 1_000.001],
    [1.234_567_89e-16, 7, 1.234_568e-16],
    [1.234_567_89e-17, 7, 1.234_568e-17],
    [0, 7, 0],
    [Number.NaN, 7, Number.NaN],
    [Infinity, 7, Infinity],
  ] as const;
  for (const again of [cases, cases.toReversed()])
    for (const [value, digits, wanted] of again)
      t.ok(Object.is(toDigits(value, digits), wanted), `${value} to ${digits} digits`);
});

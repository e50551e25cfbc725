import t from 'tap';
import {
  changePct,
  deviation,
  mean,
  median,
  movingMeans,
  newest,
  weightedMedian,
} from '../../../indicators/market/statistics.ts';
import { near } from '../../actors/market/fixtures.ts';

t.test('moving means against sums of each window by itself', async (t) => {
  const values = Array.from({ length: 1000 }, (_, at) => Math.sin(at * 1.7) * 10 ** (at % 9));
  for (const length of [1, 2, 7, 111, 999, 1000]) {
    const wanted = values
      .slice(length - 1)
      .map((_, at) => values.slice(at, at + length).reduce((sum, each) => sum + each, 0) / length);
    const found = movingMeans(values, length);
    t.equal(found.length, wanted.length);
    const worst = Math.max(...found.map((each, at) => Math.abs(each - (wanted[at] ?? Infinity))));
    t.ok(worst < 1e-6, `${length}: ${worst}`);
  }
  t.same(movingMeans([1, 2], 3), []);
});

t.test('a rounding error does not outlive its window', async (t) => {
  const values = [1e17, ...Array(50).fill(0.1)];
  t.ok(near(movingMeans(values, 10).at(-1), 0.1), 'the large value is long gone');
});

t.test('mean, deviation, change', async (t) => {
  t.equal(mean([1, 2, 6]), 3);
  // ((1-3)^2 + (2-3)^2 + (6-3)^2) / 2 = 7
  t.equal(deviation([1, 2, 6]), Math.sqrt(7));
  t.ok(Number.isNaN(deviation([1])));
  t.equal(deviation([1, 3]), Math.SQRT2);
  t.same([median([10, 9, 1]), median([4, 10, 3, 2]), median([7])], [9, 3.5, 7]);
  t.throws(() => median([]), RangeError);
  t.ok(near(changePct(50, 60), 20));
  t.same([changePct(0, 5), changePct(null, 5), changePct(undefined, 5)], [null, null, null]);
  t.same(newest([], 3, 2), { ok: false, needs: 3, has: 2 });
  t.same(newest([1, 2], 3, 4), { ok: true, value: 2 });
});

t.test('the median by weight', async (t) => {
  const of = (...rows: [value: number, weight: number][]) =>
    weightedMedian(rows.map(([value, weight]) => ({ value, weight })));
  t.equal(of([3, 0.2], [1, 0.5], [2, 0.3]), 1);
  t.equal(of([3, 0.3], [1, 0.4], [2, 0.3]), 2);
  // Half of 10 is reached by the second one.
  t.equal(of([9, 4], [7, 5], [8, 1]), 7);
  t.equal(of([9, 6], [7, 4]), 9);
  t.same([of(), of([9, 0])], [null, null]);
});

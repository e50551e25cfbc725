/** The sliding windows against the same windows computed one by one. */
import t from 'tap';
import { ema, rma, sma, wma } from '../../../indicators/technical/averages.ts';
import { zeros } from '../../../indicators/technical/columns.ts';
import {
  deviation,
  extremes,
  sinceHighest,
  sum,
  variance,
  varianceAt,
} from '../../../indicators/technical/windows.ts';
import { numbers } from '../candles.ts';

const next = numbers(11);
/** Small whole numbers: sums are exact, and there are ties. */
const x = Float64Array.from({ length: 83 }, () => Math.floor(next() * 9));

/** One value per full window, by a function of its values, oldest first. */
const each = (n: number, of: (window: number[]) => number) =>
  Array.from(x, (_, i) => (i < n - 1 ? Number.NaN : of([...x.subarray(i - n + 1, i + 1)])));

/** Adding 0 makes a 0 of what rounds to -0. */
const digits = (column: Iterable<number>) =>
  Array.from(column, (value) => Math.round(value * 1e9) / 1e9 + 0);

const lengths = [1, 2, 3, 7, 41, 82, 83, 84, 200];

t.test('sums, weighted sums and extremes', (t) => {
  for (const n of lengths) {
    const total = (window: number[]) => window.reduce((a, b) => a + b, 0);
    const weighted = (window: number[]) => window.reduce((a, b, k) => a + (k + 1) * b, 0);
    t.strictSame([...sum(x, n)], each(n, total), `sum ${n}`);
    t.strictSame(
      [...wma(x, n)],
      each(n, (w) => weighted(w) / ((n * (n + 1)) / 2)),
      `wma ${n}`,
    );
    const { highest, lowest } = extremes(x, x, n);
    t.strictSame(
      [...highest],
      each(n, (w) => Math.max(...w)),
      `highest ${n}`,
    );
    t.strictSame(
      [...lowest],
      each(n, (w) => Math.min(...w)),
      `lowest ${n}`,
    );
    const since = each(n, (w) => w.length - 1 - w.lastIndexOf(Math.max(...w)));
    t.strictSame([...sinceHighest(x, n)], since, `since highest ${n}`);
    for (const ddof of [0, 1].filter((one) => one < n)) {
      const squares = each(n, (w) => {
        const mean = total(w) / n;
        return w.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - ddof);
      });
      t.strictSame(digits(variance(x, n, ddof)), digits(squares), `variance ${n} ${ddof}`);
      t.strictSame(digits(deviation(x, n, ddof)), digits(squares.map(Math.sqrt)), `deviation ${n}`);
      const single = squares.map((_, i) => (i < n - 1 ? Number.NaN : varianceAt(x, i, n, ddof)));
      t.strictSame(digits(single), digits(squares), `variance at one place ${n} ${ddof}`);
    }
  }
  t.end();
});

t.test('the variance keeps its digits at any price', (t) => {
  const small = variance(x, 20, 1);
  const large = variance(
    x.map((value) => value + 2 ** 40),
    20,
    1,
  );
  t.strictSame([...large], [...small]);
  t.ok(Number.isNaN(variance(x, 1, 1)[5]), 'a sample of one has none');
  t.equal(variance(x, 1, 0)[5], 0);
  t.end();
});

t.test('a gap is forgotten once it has left the window', (t) => {
  const gap = Float64Array.of(1, Number.NaN, 3, 4, 5);
  t.strictSame([...sum(gap, 2)], [Number.NaN, Number.NaN, Number.NaN, 7, 9]);
  t.end();
});

t.test('averages start late on a column that starts late, and pass over a gap', async (t) => {
  const none = Number.NaN;
  const late = Float64Array.of(none, 1, 3, none, 5, 4);
  t.strictSame([...sma(late, 2)], [none, none, 2, none, none, 4.5]);
  // 2 is the seed: 2 + 2/3 (5 - 2) and 2 + 1/2 (5 - 2).
  t.strictSame([...ema(late, 2)], [none, none, 2, none, 4, 4]);
  t.strictSame([...rma(late, 2)], [none, none, 2, none, 3.5, 3.75]);
  t.strictSame([...ema(Float64Array.of(1, none, 3), 2)], [none, none, 2], 'a gap in the seed');
  t.strictSame([...ema(Float64Array.of(1, 2), 3)], [none, none], 'too few for the seed');
});

t.test('columns share buffers and never each other', (t) => {
  const columns = Array.from({ length: 100 }, (_, i) => zeros(500).fill(i));
  t.ok(columns.every((column, i) => column.length === 500 && column.every((v) => v === i)));
  t.ok([7, 8].includes(new Set(columns.map((column) => column.buffer)).size));
  t.equal(zeros(100_000).length, 100_000);
  t.end();
});

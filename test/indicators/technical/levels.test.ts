import t from 'tap';
import { findIndicator } from '../../../indicators/catalogue.ts';
import type { Chosen, Columns } from '../../../indicators/spec.ts';
import { anchors, periodOf } from '../../../indicators/technical/periods.ts';
import { chosenFor, columnsOf, mapColumns, monday } from '../candles.ts';

const day = 86_400_000;
const half = day / 2;

/** Rounded to ten decimals; null: no value. */
function computed(name: string, columns: Columns, given: Chosen): (number | null)[][] {
  const entry = findIndicator(name);
  if (!entry) throw new Error(`no indicator ${name}`);
  return entry
    .compute(columns, chosenFor(entry, given))
    .map((column) => Array.from(column, (v) => (Number.isNaN(v) ? null : round(v))));
}

const round = (value: number) => Math.round(value * 1e10) / 1e10;

/** Two candles a day: the first day opens at 10, reaches 15 and 9 and closes at 14. */
const twoDays = columnsOf([
  [monday, 10, 12, 9, 11, 1],
  [monday + half, 11, 15, 10, 14, 1],
  [monday + day, 14, 20, 1, 9, 1],
  [monday + day + half, 9, 30, 2, 9, 1],
]);

/** p, r1 to r4, s1 to s4 for the second day. */
const levels: Record<string, (number | null)[]> = {
  standard: [38 / 3, 49 / 3, 56 / 3, 67 / 3, null, 31 / 3, 20 / 3, 13 / 3, null],
  fibonacci: [
    38 / 3,
    38 / 3 + 2.292,
    38 / 3 + 3.708,
    56 / 3,
    null,
    38 / 3 - 2.292,
    38 / 3 - 3.708,
    20 / 3,
    null,
  ],
  camarilla: [14, 14.55, 15.1, 15.65, 17.3, 13.45, 12.9, 12.35, 10.7],
  woodie: [13, 17, 19, 23, null, 11, 7, 5, null],
  demark: [13.25, 17.5, null, null, null, 11.5, null, null, null],
};

const rounded = (value: number | null | undefined) => (value == null ? null : round(value));

t.test('pivot points of the day before', (t) => {
  for (const [type, expected] of Object.entries(levels)) {
    const got = computed('pivot_points', twoDays, { type });
    t.strictSame(
      got,
      expected.map((level) => [null, null, rounded(level), rounded(level)]),
      type,
    );
  }
  t.end();
});

t.test('demark looks at how the day closed', (t) => {
  const closing = (close: number) =>
    mapColumns(twoDays, (column, name) =>
      name === 'close' ? Float64Array.of(11, close, 9, 9) : column,
    );
  const p = (close: number) => computed('pivot_points', closing(close), { type: 'demark' })[0]?.[2];
  t.equal(p(9.5), (15 + 18 + 9.5) / 4, 'below the open: the low twice');
  t.equal(p(10), (15 + 9 + 20) / 4, 'at the open: the close twice');
  t.end();
});

t.test('a day that the data does not begin with gives no levels', (t) => {
  const late = mapColumns(twoDays, (column) => column.slice(1));
  t.strictSame(computed('pivot_points', late, {})[0], [null, null, null]);
  t.end();
});

t.test('vwap starts again with each period', (t) => {
  const typical = [32 / 3, 13, 10, 41 / 3];
  const since = (from: number, to: number) =>
    round(typical.slice(from, to).reduce((a, b) => a + b, 0) / (to - from));
  t.strictSame(computed('vwap', twoDays, {}), [
    [since(0, 1), since(0, 2), since(2, 3), since(2, 4)],
  ]);
  const whole = [since(0, 1), since(0, 2), since(0, 3), since(0, 4)];
  t.strictSame(computed('vwap', twoDays, { anchor: 'week' }), [whole]);
  const acrossMonths = mapColumns(twoDays, (column, name) =>
    name === 'time' ? column.map((time) => time - 3 * day) : column,
  );
  // February began before the first candle.
  const march = [since(2, 3), since(2, 4)];
  t.strictSame(computed('vwap', acrossMonths, { anchor: 'month' }), [[null, null, ...march]]);
  const late = mapColumns(twoDays, (column) => column.slice(1));
  t.strictSame(computed('vwap', late, {}), [[null, ...march]], 'the first day is not whole');
  t.strictSame(computed('vwap', late, { anchor: 'week' }), [[null, null, null]]);
  t.strictSame(computed('vwap', acrossMonths, { anchor: 'none' }), [whole]);
  t.end();
});

t.test('candles that are longer than the period have no value of it', (t) => {
  const candles = (days: number, from = monday) =>
    columnsOf(Array.from({ length: 90 }, (_, i) => [from + i * days * day, 10, 12, 9, 11, 1]));
  const has = (name: string, anchor: string, columns: Columns) =>
    computed(name, columns, { anchor })[0]?.some((value) => value !== null);
  const thursday = monday + 3 * day;
  for (const name of ['vwap', 'pivot_points']) {
    t.same(
      anchors.map((anchor) => has(name, anchor, candles(7))),
      [false, true, false],
      `${name} of weeks`,
    );
    t.equal(has(name, 'week', candles(7, thursday)), false, `${name} of weeks from Thursdays on`);
    t.same(
      anchors.map((anchor) => has(name, anchor, candles(3))),
      [false, false, false],
      `${name} of three days`,
    );
    t.same(
      anchors.map((anchor) => has(name, anchor, candles(1))),
      [true, true, true],
      `${name} of days`,
    );
    const months = columnsOf(
      Array.from({ length: 30 }, (_, i) => [Date.UTC(2024, i, 1), 10, 12, 9, 11, 1]),
    );
    t.equal(has(name, 'month', months), true, `${name} of months`);
    t.equal(has(name, 'week', months), false);
  }
  t.equal(has('vwap', 'none', candles(7)), true);
  t.end();
});

t.test("Klinger's volume force", (t) => {
  const columns = columnsOf([
    [monday, 10, 12, 9, 11, 100],
    [monday + day, 11, 15, 10, 14, 200],
    [monday + 2 * day, 14, 14, 8, 9, 50],
    [monday + 3 * day, 9, 10, 9, 10, 80],
    [monday + 4 * day, 9, 9, 9, 9, 30],
  ]);
  // Trend 1, then −1 three times: cm 5 + 6, then 11 + 1, then 12 + 0 with a range of 0.
  const force = [(50 * -100 * 10) / 11, (80 * -100 * 11) / 6, 2 * 30 * -100] as const;
  const slow = (force[0] + force[1]) / 2;
  const next = slow + (2 / 3) * (force[2] - slow);
  t.strictSame(computed('kvo', columns, { fast: 1, slow: 2, signal: 1 })[0], [
    null,
    null,
    null,
    round(force[1] - slow),
    round(force[2] - next),
  ]);
  t.end();
});

t.test('periods in UTC', (t) => {
  t.strictSame(anchors, ['day', 'week', 'month']);
  t.equal(periodOf(monday, 'week'), periodOf(monday + 7 * day - 1, 'week'));
  t.equal(periodOf(monday - 1, 'week') + 1, periodOf(monday, 'week'));
  t.equal(periodOf(monday, 'day') + 1, periodOf(monday + day, 'day'));
  t.equal(periodOf(0, 'none'), periodOf(monday, 'none'));
  const monthsBetween = (from: number, to: number) => {
    const [a, b] = [new Date(from), new Date(to)];
    return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  };
  const start = Date.UTC(1999, 11, 31);
  const wrong = Array.from({ length: 12_000 }, (_, i) => start + i * day).filter(
    (time) => periodOf(time, 'month') - periodOf(start, 'month') !== monthsBetween(start, time),
  );
  t.strictSame(wrong, []);
  t.end();
});

t.test(
  'what an indicator of a period needs begins with the period, the one before for pivots',
  (t) => {
    const at = Date.UTC(2024, 1, 29, 13, 5);
    const begins = (name: string, anchor: string) => {
      const entry = findIndicator(name);
      if (!entry) throw new Error(name);
      const time = entry.beginsAt?.(at, chosenFor(entry, { anchor }));
      return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
    };
    const anchors = ['day', 'week', 'month'];
    t.same(
      anchors.map((anchor) => begins('vwap', anchor)),
      ['2024-02-29', '2024-02-26', '2024-02-01'],
    );
    t.same(
      anchors.map((anchor) => begins('pivot_points', anchor)),
      ['2024-02-28', '2024-02-19', '2024-01-01'],
    );
    t.equal(begins('vwap', 'none'), undefined);
    t.end();
  },
);

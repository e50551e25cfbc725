import t from 'tap';
import {
  agrees,
  extend,
  gaps,
  type HistoryDay,
  lastClosedDay,
  merge,
  missing,
  prepend,
  withLive,
} from '../../../indicators/market/daily-closes.ts';
import { type DayClose, dayLength, dayOf } from '../../../indicators/market/days.ts';
import { closesOf } from '../../actors/market/fixtures.ts';

const first = dayOf('2020-01-01');
const day = (at: number) => first + at * dayLength;
const stored = (...prices: number[]): HistoryDay[] =>
  closesOf(prices).map((row) => ({ ...row, source: 'a' }));
const source = (name: string, rows: Record<number, number>) => ({
  source: name,
  rows: Object.entries(rows).map(([at, close]): DayClose => ({ day: day(Number(at)), close })),
});
const flat = (days: readonly HistoryDay[]) =>
  days.map((row) => [row.close, row.source, ...(row.filled ? ['filled'] : [])]);

t.test('a day is over ten minutes after midnight', async (t) => {
  const midnight = day(5);
  t.equal(lastClosedDay(midnight - 1), day(3));
  t.equal(lastClosedDay(midnight + 599_999), day(3));
  t.equal(lastClosedDay(midnight + 600_000), day(4));
  t.equal(lastClosedDay(midnight + dayLength - 1), day(4));
});

t.test('what is missing: the days after the last stored one', async (t) => {
  const at = day(3) + 600_000;
  t.same(missing([], at, first), { from: first, to: day(2) });
  t.same(missing(stored(1, 2), at, first), { from: day(2), to: day(2) });
  t.equal(missing(stored(1, 2, 3), at, first), null);
  t.equal(missing(stored(1, 2, 3), at + dayLength - 600_001, first), null);
});

t.test('sources in order: the first that has a day gives it', async (t) => {
  const range = { from: first, to: day(4) };
  const late = source('late', { 2: 12, 3: 13, 4: 14 });
  const early = source('early', { 0: 10, 1: 11, 2: 99, 3: 13.5, 9: 1 });
  const { days, refused } = merge([late, early], range);
  t.same(flat(days), [
    [10, 'early'],
    [11, 'early'],
    [12, 'late'],
    [13, 'late'],
    [14, 'late'],
  ]);
  // 99 is eight times the close before: noted although no day needs it.
  t.same(refused, [{ day: day(2), source: 'early', why: 'too_far' }]);
  t.same(gaps(late.rows.slice(0, 2), range), [day(0), day(1), day(4)]);
  const shifted = { day: first + 1, close: 5 };
  const [twice] = merge(
    [source('a', { 0: 10 }), { source: 'a', rows: [shifted, { day: first, close: 11 }] }],
    range,
  ).days;
  t.match(twice, { close: 10 }, 'the first of a day that a source names twice, at midnight only');
});

t.test('a hole is filled with the day before and marked; what is late is not', async (t) => {
  const { days } = merge([source('a', { 1: 10, 4: 12 })], { from: first, to: day(6) });
  t.same(flat(days), [
    [10, 'a'],
    [10, 'a', 'filled'],
    [10, 'a', 'filled'],
    [12, 'a'],
  ]);
  t.equal(days[0]?.day, day(1), 'nothing is made up before the first day');
});

t.test('a source with implausible values is refused, and the next one used', async (t) => {
  const lies = { 0: 10, 1: 10, 2: 0, 3: -11, 4: 110, 5: Number.NaN, 6: 12 };
  const honest = { 0: 9, 1: 9, 2: 10.2, 3: 10.3, 4: 10.4, 5: 10.5, 6: 9 };
  const range = { from: first, to: day(6) };
  const { days, refused } = merge([source('liar', lies), source('honest', honest)], range);
  t.same(
    days.map(({ close }) => close),
    [10, 10, 10.2, 10.3, 10.4, 10.5, 12],
  );
  t.same(
    refused.map(({ source: name, why }) => `${name} ${why}`),
    ['liar out_of_range', 'liar out_of_range', 'liar too_far', 'liar not_finite'],
  );
});

t.test('a wrong value on the first day does not block right ones after it', async (t) => {
  const liar = source('liar', { 0: 100, 1: 10, 2: 10 });
  const { days } = merge([liar, source('b', { 0: 9, 1: 9, 2: 9 })], { from: first, to: day(2) });
  t.same(flat(days), [
    [9, 'b'],
    [10, 'liar'],
    [10, 'liar'],
  ]);
  t.notOk(agrees(source('cents', { 0: 900, 1: 1000 }), 10), 'all of it off by a unit');
  t.ok(agrees(source('b', { 0: 1, 1: 9 }), 10), 'only the newest counts');
  t.notOk(agrees(source('none', {}), 10));
  const { rows } = source('b', { 0: 1, 1: 9 });
  t.ok(agrees({ source: 'b', rows: rows.toReversed() }, 10), 'in any order');
});

t.test('stored days never change, whatever a source states later', async (t) => {
  const before = stored(10, 11);
  const now = source('b', { 0: 10.5, 1: 11.5, 2: 12, 3: 13 });
  const { history } = extend(before, [now], { from: first, to: day(3) });
  t.same(flat(history), [
    [10, 'a'],
    [11, 'a'],
    [12, 'b'],
    [13, 'b'],
  ]);
  const again = extend(history, [source('c', { 0: 1, 1: 1, 2: 1, 3: 1 })], {
    from: first,
    to: day(3),
  });
  t.same(again.history, history);
  const holed = extend(before, [source('b', { 4: 12 })], { from: first, to: day(4) });
  t.same(flat(holed.history.slice(2)), [
    [11, 'a', 'filled'],
    [11, 'a', 'filled'],
    [12, 'b'],
  ]);
});

t.test('older days are put before the stored ones when they lead up to them', async (t) => {
  const known = stored(10, 11, 12).slice(2);
  const before = (rows: Record<number, number>) => prepend(known, [source('b', rows)], first);
  const { history, refused } = before({ 0: 9, 1: 10, 2: 99 });
  t.strictSame(flat(history).flat(), [9, 'b', 10, 'b', 12, 'a']);
  t.strictSame(refused, [], 'a source has no say about the stored day');
  const apart = before({ 1: 100 });
  t.equal(apart.history, known, 'they do not meet the first close');
  t.same(apart.refused, [{ day: day(2), source: 'a', why: 'too_far' }]);
  t.equal(before({ 3: 12 }).history, known, 'there is no older day');
  t.same(prepend([], [source('b', { 0: 9 })], first), { history: [], refused: [] });
  const begun = extend([], [source('b', { 0: 8, 1: 9 })], { from: day(1), to: day(2) });
  t.same(flat(begun.history), [[9, 'b']]);
});

t.test('the live price makes a provisional last point', async (t) => {
  const closes = closesOf([10, 11]);
  t.same(withLive(closes, 12, day(2) + 5).at(-1), { day: day(2), close: 12, provisional: true });
  t.equal(withLive(closes, 12, day(3)), closes, 'yesterday is not stored yet');
  t.equal(withLive(closes, 110, day(2)), closes, 'impossible');
  t.equal(withLive([], 12, day(2)).length, 0);
});

import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { type Bar, candlesOf, sameWords } from '../../../../actors/sources/queries/candles.ts';
import { intervals } from '../../../../actors/topics/index.ts';

const bar = (timestamp: number, change: Partial<Bar> = {}): Bar => ({
  timestamp,
  open: 10,
  high: 12,
  low: 9,
  close: 11,
  volume: 2,
  turnover: 21,
  ...change,
});

t.test('too many bad rows refuse the whole body; a single bad row never does', async (t) => {
  const from = Date.UTC(2025, 5, 15);
  const rows = (bad: number, all: number) =>
    Array.from({ length: all }, (_, i) => bar(from + i * 60_000, i < bad ? { open: 13 } : {}));
  const count = (bad: number, all: number) =>
    candlesOf(rows(bad, all), { interval: '1m', now: from + 86_400_000 }).length;
  t.equal(count(2, 10), 8);
  t.equal(count(1, 2), 1);
  t.throws(() => count(3, 10), ShapeError);
  t.throws(() => count(2, 4), ShapeError);
  t.throws(() => count(1, 1), ShapeError);
  t.same(candlesOf([], { interval: '1m', now: from }), []);
});

t.test('finished candles off the grid are handed on, the running one is not', async (t) => {
  const first = Date.UTC(2018, 1, 9, 9, 28) + 14_789;
  const rows = Array.from({ length: 1_000 }, (_, i) => bar(first + i * 60_000));
  const times = (now: number) =>
    candlesOf(rows, { interval: '1m', now }).map((row) => row.timestamp);
  t.same(
    times(Date.UTC(2026, 1, 1)),
    rows.map((row) => row.timestamp),
  );
  t.equal(times(first + 999 * 60_000 + 30_000).length, 999);
});

t.test('every interval is its own word', async (t) => {
  t.same(Object.keys(sameWords), Object.keys(intervals));
});

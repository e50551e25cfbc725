/** A series of days: its columns, and when it is read and written. */
import t from 'tap';
import { failed } from '../../../../actors/failure.ts';
import {
  inRedis,
  numberIn,
  rowsOf,
  StoredSeries,
  seriesOf,
  wordIn,
} from '../../../../actors/market/bitcoin/stored-series.ts';

const form = {
  key: 'k',
  columns: ['a', 'b'],
  write: ([a, b]: [number, string]) => [a, b] as const,
  read: ([a, b]: readonly unknown[]): [number, string] | null =>
    typeof a === 'number' && typeof b === 'string' ? [a, b] : null,
};
const rows: [number, string][] = [
  [1, 'x'],
  [2, 'y'],
];

t.test('rows become columns and come back', async (t) => {
  const series = { columns: { a: [1, 2], b: ['x', 'y'] }, at: 7 };
  t.strictSame(seriesOf(form, rows, 7), series);
  t.strictSame(rowsOf(form, series), rows);
  const read = (columns: object) => rowsOf(form, { columns, at: 0 } as never);
  t.strictSame(read({ a: [], b: [] }), []);
  for (const bad of [{}, { a: [1] }, { a: [1], b: [] }, { a: [1, null], b: ['x', 'y'] }])
    t.equal(read(bad), null, JSON.stringify(bad));
  const cells = [1, Number.NaN, Infinity, '1', null];
  t.strictSame(cells.map(numberIn), [1, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  t.strictSame(cells.map(wordIn), ['', '', '', '1', '']);
});

t.test('a series is read until there are rows, and written until it is stored', async (t) => {
  const asked: string[] = [];
  const away = failed('unavailable', 'away').failure;
  const state = { known: undefined as object | undefined, failure: null as typeof away | null };
  const storage = inRedis<[number, string]>(
    {
      last: async (topic: string, key: string) => {
        asked.push(`${topic} ${key} read`);
        return state.known as never;
      },
      publish: async (topic, key, value) => {
        asked.push(`${topic} ${key} ${JSON.stringify(value)}`);
        return state.failure;
      },
    },
    form,
  );
  const [read, written] = [
    'series k read',
    'series k {"columns":{"a":[1,2],"b":["x","y"]},"at":5}',
  ];
  const series = new StoredSeries(storage);
  const shown = () => [series.rows, series.at, series.confirmed];
  const of = async <T>(work: Promise<T>) => [await work, ...asked.splice(0)];
  t.strictSame(
    [shown(), await of(series.settle())],
    [
      [[], 0, 0],
      [null, read],
    ],
  );
  state.failure = away;
  t.strictSame(await of(series.save(rows, 5)), [away, read, written]);
  series.confirm(6);
  t.strictSame(shown(), [rows, 5, 6]);
  t.strictSame(await of(series.settle()), [away, read, written]);
  state.failure = null;
  t.strictSame(await of(series.settle()), [null, read, written]);
  t.strictSame(await of(series.settle()), [null], 'it is stored');
  t.strictSame(await of(series.save(rows, 5)), [null, written]);
  const other = new StoredSeries(storage);
  state.known = { columns: { a: [], b: [] }, at: 3 };
  t.strictSame(await of(other.save(rows, 5)), [null, read, written], 'without rows is without any');
  const late = new StoredSeries(storage);
  state.known = { columns: { a: [9], b: ['z'] }, at: 3 };
  t.strictSame(await of(late.save(rows, 5)), [null, read], 'stored rows win');
  t.strictSame([late.rows, late.at, late.confirmed], [[[9, 'z']], 3, 3]);
  t.strictSame(await of(late.settle()), [null]);
  t.strictSame(await of(late.save(rows, 5)), [null, written], 'and new ones replace them');
});

/** A series of days: its columns, and when it is read and written. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { inRedis, StoredSeries } from '../../../actors/market/stored-series.ts';
import type { WireRow } from '../../../actors/read.ts';

interface Row {
  a: number;
  b: string;
}

const form = {
  key: 'k',
  columns: ['a', 'b'] as const,
  read: ({ a, b }: WireRow): Row | null =>
    typeof a === 'number' && typeof b === 'string' ? { a, b } : null,
};
const rows: Row[] = [
  { a: 1, b: 'x' },
  { a: 2, b: 'y' },
];

t.test('columns become rows; a series with what is no row counts as absent', async (t) => {
  const read = (columns: object) =>
    inRedis(
      { last: async () => ({ columns, at: 7 }) as never, publish: async () => null },
      form,
    ).load();
  t.strictSame(await read({ a: [1, 2], b: ['x', 'y'] }), { rows, at: 7 });
  const bad = [
    {},
    { a: [], b: [] },
    { a: [1] },
    { a: [1], b: [] },
    { a: [1, null], b: ['x', 'y'] },
  ];
  for (const one of bad) t.equal(await read(one), null, JSON.stringify(one));
});

t.test('a series is read until there are rows, and written until it is stored', async (t) => {
  const asked: string[] = [];
  const away = failed('unavailable', 'away').failure;
  const state = { known: undefined as object | undefined, failure: null as typeof away | null };
  const storage = inRedis<Row>(
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
  t.strictSame([late.rows, late.at, late.confirmed], [[{ a: 9, b: 'z' }], 3, 3]);
  t.strictSame(await of(late.settle()), [null]);
  t.strictSame(await of(late.save(rows, 5)), [null, written], 'and new ones replace them');
});

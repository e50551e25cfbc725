/** Steps that are combined to longer ones. */
import t from 'tap';
import { combineTier } from '../../../actors/history/combine.ts';
import type { Series } from '../../../actors/history/define.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import type { Batch, Range } from '../../../actors/history/store.ts';
import { writing } from '../../support/events.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A full hour. */
const start = 1_800_000_000_000;

t.test(
  'an hour of back-filled steps alone is marked, one with a recorded step is not',
  async (t) => {
    const store = new SqliteStore(':memory:', [openInterest]);
    t.teardown(() => store.close());
    const put = (key: string, at: number, backfilled: boolean) => {
      const row = [key, start + at * minute, at, at] as const;
      return store.write({ writes: [writing(openInterest, 5 * minute, [row], { backfilled })] });
    };
    for (const at of [0, 5]) await put('okx/stable/BTC', at, true);
    await put('okx/stable/ETH', 0, true);
    await put('okx/stable/ETH', 5, false);
    const [, finer, tier] = openInterest.tiers;
    if (!finer || !tier) throw new Error('no hours');
    const combining = { store, write: store.write.bind(store) };
    await combineTier(combining, openInterest, { finer, tier }, { time: start + hour });
    const keys = ['okx/stable/BTC', 'okx/stable/ETH'];
    const found = await store.read(openInterest, hour, keys, { from: start, to: start });
    t.strictSame(
      keys.map((key) => [found.get(key)?.columns[0], found.get(key)?.backfilled]),
      [
        [[5], [true]],
        [[5], [false]],
      ],
    );
  },
);

t.test('thousands of keys are combined in parts; the place moves at the end', async (t) => {
  const [, finer, tier] = openInterest.tiers;
  if (!finer || !tier) throw new Error('no coarse tier');
  const rows = { times: [hour, hour + finer.step], backfilled: [false, false] };
  const keys = Array.from({ length: 2_500 }, (_, i) => `many/stable/S${i}`);
  const found = new Map(
    keys.map((key, i) => [
      key,
      {
        ...rows,
        columns: [
          [0, i],
          [1, 2],
        ],
      },
    ]),
  );
  const batches: Batch[] = [];
  let position: string | null = null;
  const ranges: number[][] = [];
  const store = {
    position: async () => position,
    scan: async (_series: Series, _step: number, { from, to }: Range) => {
      ranges.push([from / hour, (to + 1) / hour]);
      return found;
    },
  };
  const write = async (batch: Batch) => void batches.push(batch);
  await combineTier({ store, write }, openInterest, { finer, tier }, { time: 2 * hour });
  const parts = batches.flatMap(({ writes }) => writes.map((one) => one.rows));
  t.same(
    parts.map((part) => part.length),
    [1_000, 1_000, 500],
  );
  t.same(
    parts.flatMap((part) => part.map(({ cells }) => cells[0])),
    keys.map((_, i) => i),
  );
  const places = batches.map(({ positions = [] }) => positions.map(({ to }) => to));
  t.same(places, [[], [], [], [String(2 * hour)]]);
  t.strictSame(ranges.splice(0), [[1, 2]], 'the first time the last hour');
  for (const hours of [0, -46, -47, 2, 3]) {
    position = String(hours * hour);
    await combineTier({ store, write }, openInterest, { finer, tier }, { time: 3 * hour - 1 });
  }
  t.strictSame(
    ranges,
    [
      [0, 2],
      [-46, 2],
      ...[
        [-47, 1],
        [1, 2],
      ],
      [1, 2],
    ],
    '48 hours at once, none twice; the last one where the clock was set back',
  );
});

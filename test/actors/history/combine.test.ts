/** Steps that are combined to longer ones. */
import t from 'tap';
import { combineTier } from '../../../actors/history/combine.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';

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
      const rows = { keys: [key], times: [start + at * minute], columns: [[at], [at]] };
      return store.write({
        writes: [{ series: openInterest, step: 5 * minute, mode: 'put', backfilled, rows }],
      });
    };
    for (const at of [0, 5]) await put('okx/stable/BTC', at, true);
    await put('okx/stable/ETH', 0, true);
    await put('okx/stable/ETH', 5, false);
    const [finer, tier] = openInterest.tiers;
    if (!tier) throw new Error('no hours');
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

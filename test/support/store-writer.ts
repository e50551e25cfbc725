/**
 * Writes sums with a position to a store, as fast as it can, until it is killed; prints each position once it is
 * committed. The argument is the path of an SQLite file or the URL of a PostgreSQL database.
 */
import { silent } from '../../actors/bus/log.ts';
import { defineSeries } from '../../actors/history/define.ts';
import { PostgresStore } from '../../actors/history/postgres.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';

const where = process.argv[2] ?? '';
const series = defineSeries({
  name: 'open-interest',
  columns: { base: { combine: 'last', digits: 7 }, usd: { combine: 'last' } },
  tiers: [
    { step: '5m', keep: '30d' },
    { step: '1h', keep: '400d' },
  ],
});
const store = where.startsWith('postgres:')
  ? new PostgresStore(where, [series], silent)
  : new SqliteStore(where, [series]);
const step = 300_000;
for (let place = 0; ; place++) {
  // A block is complete every third write, so that the kill comes in the middle of that, too.
  const time = 1_800_000_000_000 + Math.floor(place / 3) * 96 * step;
  await store.write({
    writes: [
      {
        ...{ series, step, mode: 'add', backfilled: false },
        rows: { keys: [`kill/${place % 2}`], times: [time], columns: [[1], [1]] },
      },
    ],
    positions: [{ name: 'events', from: place === 0 ? null : `${place}`, to: `${place + 1}` }],
  });
  process.stdout.write(`${place + 1}\n`);
}

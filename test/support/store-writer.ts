/**
 * Writes sums with a position to a store, as fast as it can, until it is killed; prints each position once it is
 * committed. The argument is the path of an SQLite file or the URL of a PostgreSQL database.
 */
import { silent } from '../../actors/bus/log.ts';
import type { StoredEvent } from '../../actors/history/logs.ts';
import { PostgresStore } from '../../actors/history/postgres.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { interest as series, writing } from './events.ts';

const where = process.argv[2] ?? '';
const store = where.startsWith('postgres:')
  ? new PostgresStore(where, [series], silent)
  : new SqliteStore(where, [series]);
const step = 300_000;
const eventOf = (id: number): StoredEvent => ({
  exchange: 'okx',
  symbol: 'BTC',
  contract: 'BTC-USDT-SWAP',
  side: 'long',
  price: 100,
  price_kind: 'bankruptcy',
  quantity_base: 1,
  value_usd: 100,
  id: `${id}`,
  timestamp: 1_800_000_000_000 + id,
});
for (let place = 0; ; place++) {
  // A block is complete every third write, so that the kill comes in the middle of that, too.
  const time = 1_800_000_000_000 + Math.floor(place / 3) * 96 * step;
  await store.write({
    writes: [],
    events: {
      // Half of them have been stored before.
      rows: [place - 1, place].map((id) => eventOf(Math.max(0, id))),
      sums: ({ length }) => [
        writing(series, step, [[`kill/${place % 2}`, time, length, length]], { mode: 'add' }),
      ],
    },
    positions: [{ name: 'events', from: place === 0 ? null : `${place}`, to: `${place + 1}` }],
  });
  process.stdout.write(`${place + 1}\n`);
}

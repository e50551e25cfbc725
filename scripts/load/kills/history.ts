/** The history of the run: the product's own service on a stepped clock, alone and so without a lease. */

import { pino } from 'pino';
import { createBus } from '../../../actors/bus/bus.ts';
import { PostgresStore } from '../../../actors/history/postgres.ts';
import { startHistory } from '../../../actors/history/service.ts';
import { SqliteFile } from '../../../actors/history/sqlite-file.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { series } from './series.ts';
import { SteppedClock } from './stepped-clock.ts';
import { exchanges } from './world.ts';

const [url = '', store = '', time = ''] = process.argv.slice(2);
const log = pino({ level: 'fatal' });
const clock = new SteppedClock(Number(time));
const own = createBus({ url, process: `history-${process.pid}` });
const leases = () => ({
  acquire: async () => 1,
  renew: async () => true,
  release: async () => {},
  standBy: async () => false,
  withdraw: async () => {},
  look: async () => [],
});
const bus = { ...own, leases } as const;
const newest = new NewestRows();
const market = new MarketState(newest, (query) =>
  query === 'openInterestHistory' ? [exchanges[0]] : [],
);
let seen = 0;
const following = own.follow({
  prices: (_key, reading) => newest.accept('prices', reading),
  openInterest: (_key, reading) => {
    newest.accept('openInterest', reading);
    if (reading.source === exchanges.at(-1)) seen = reading.received;
  },
});
await following.ready;
startHistory({
  ...{ bus, clock, random: Math.random, log, process: `history-${process.pid}`, series, market },
  shared: false,
  open: () => ({
    store: store.startsWith('postgres:')
      ? new PostgresStore(store, series, log)
      : new SqliteFile({ path: store, series, clock, log }),
    notice: () => null,
  }),
});

/** The time to move to, and that of the newest reading that Redis has. */
process.on('message', async ({ now, newest }: { now: number; newest: number }) => {
  for (let waits = 0; seen < newest && waits < 500; waits++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (seen < newest) process.exit(3);
  await clock.advanceTo(now);
  process.send?.({ now });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ now: 0 });

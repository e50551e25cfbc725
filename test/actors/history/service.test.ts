/** The history of one process: its lease, its store and its questions. */
import t from 'tap';
import type { Bus, Published } from '../../../actors/bus/bus.ts';
import { MarketState } from '../../../actors/history/market-state.ts';
import { bitcoinCloses } from '../../../actors/history/series/market-indicators.ts';
import { startHistory } from '../../../actors/history/service.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { StoreError } from '../../../actors/history/store.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

t.test('a store that cannot be opened is tried again, then answers', async (t) => {
  const clock = new FakeClock();
  const leases = new MemoryStore(clock);
  const told: string[] = [];
  const served: string[] = [];
  const bus: Partial<Bus> = {
    leases: () => leases,
    publish: async (_topic: unknown, key: string, value: object): Promise<Published> => {
      told.push(`${key} ${'state' in value ? value.state : ''}`);
      return 'published';
    },
    serve(source: string, answers: object) {
      served.push(`${source}: ${Object.keys(answers).sort().join(' ')}`);
      return { stop: async () => void served.push('ended') } as never;
    },
    follow: () =>
      ({
        ...{ ready: Promise.resolve(), state: () => 'up', lastHeard: () => null },
        ...{ counts: () => ({ loads: 0, entries: 0, unreadable: 0 }), stop: async () => {} },
      }) as never,
  };
  let attempts = 0;
  const history = startHistory({
    ...{ bus: bus as Bus, clock, random: () => 0, process: 'one', shared: false },
    ...{ log: createLogger({ logLevel: 'silent' }, 'test'), market: new MarketState() },
    series: [bitcoinCloses],
    open() {
      if (++attempts < 3) throw new StoreError('full', 'the disk is full');
      return { store: new SqliteStore(':memory:', [bitcoinCloses]), notice: () => null };
    },
  });
  await clock.advance(1_000);
  t.same([attempts, told, served], [1, ['history/store/writes failing'], []]);
  await clock.advance(4_000);
  t.equal(attempts, 2);
  await clock.advance(5_000);
  t.equal(told.at(-1), 'history/store/writes up');
  t.same(served, ['history: liquidationState record series seriesAt']);
  await history.stop();
  t.equal(served.at(-1), 'ended');
  t.equal(leases.holder('history'), null);
});

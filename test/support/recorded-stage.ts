/** Exchanges that stream from the simulator and are recorded, on a controlled clock; what their parsers gave is kept beside. */
import type { Test } from 'tap';
import { LiveBooks } from '../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { Recorder } from '../../actors/sources/recording/recorder.ts';
import { LiveTrades } from '../../actors/sources/streams/trade-tape.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import type { Instrument, Reading } from '../../actors/topics/index.ts';
import { createHttpClient, type HttpClient } from '../../actors/upstream/client.ts';
import { createLogger } from '../../config/log.ts';
import { Pace } from '../../config/pace.ts';
import { recordedWords } from '../../config/recorded.ts';
import { startSimulator } from '../../scripts/simulator/main.ts';
import { FakeClock } from './clock.ts';
import { MemoryStore } from './lease-store.ts';
import { silentBus } from './queries.ts';
import { folderOf } from './recorder.ts';
import { runAlone } from './run-alone.ts';

/** The newest lists of a bus, and where its sources publish. */
function busOf(clock: FakeClock) {
  const newest = new NewestRows();
  const leases = new MemoryStore(clock);
  const bus = {
    leases: () => leases,
    last: async () => new Map(),
    lastOf: async () => undefined,
    query: silentBus.query,
    async publish(topic: string, _key: string, value: unknown) {
      if (topic === 'instruments') newest.accept('instruments', value as Reading<Instrument>);
      return 'published' as const;
    },
  };
  return { newest, bus };
}

/** Runs exchanges from a time on; books and trades are those of the markets of these assets. */
export async function recordedStage(
  t: Test,
  venues: readonly Venue[],
  symbols: readonly string[],
  start?: number,
) {
  const clock = new FakeClock(start);
  const simulator = await startSimulator({ clock, symbols: 12 });
  const folder = await folderOf(t);
  const { newest, bus } = busOf(clock);
  const book = new InstrumentBook(newest);
  const recorder = new Recorder({
    ...{ folder, types: new Set(recordedWords), exchanges: [], symbols: [], keepDays: 9 },
    ...{ mostBytes: 1e12, process: 'test', clock, log: { error: () => {} } },
    listed: (source, part) => book.part(source, part),
    publish: () => {},
    free: async () => 1e12,
  });
  const tracked = (source: string, part: string) =>
    new Map([...book.part(source, part)].filter(([, { symbol }]) => symbols.includes(symbol)));
  const kept = { books: new LiveBooks(), trades: new LiveTrades() };
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const gateway = simulator.url;
  const clients: HttpClient[] = [];
  const sources = venues.map((venue) => {
    const client = createHttpClient({ source: venue.id, apis: venue.apis, gateway, clock });
    clients.push(client);
    return runAlone(venue, {
      ...{ bus, clock, random: () => 0.5, log, process: 'test', book, newest, gateway, recorder },
      pace: new Pace('auto', () => 0),
      live: { on: () => true },
      books: { tracked, live: kept.books },
      trades: { tracked, live: kept.trades },
      client: () => client,
    });
  });
  /** Moves the clock by tenths of a second, and lets what is on its way arrive. */
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  };
  let isOver = false;
  const stop = async () => {
    if (isOver) return;
    isOver = true;
    await recorder.stop();
    const stopped = Promise.all(sources.map((source) => source.stop()));
    await clock.advance(20_000);
    await stopped;
    await Promise.all(clients.map((client) => client.close()));
    await simulator.close();
  };
  t.teardown(stop);
  return { clock, folder, recorder, simulator, pass, stop, kept };
}

/** Exchanges on a controlled clock that stream from the simulator and are recorded, or live such a recording again; what their parsers gave is kept beside. */
import { once as listening } from 'node:events';
import type { Test } from 'tap';
import { trackedMarkets } from '../../actors/books/tracked.ts';
import { QueryCaches } from '../../actors/queries/query-cache.ts';
import { replayServer } from '../../actors/replay/gateway/server.ts';
import type { Range } from '../../actors/replay/reader.ts';
import { LiveBooks } from '../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { venueAnswers } from '../../actors/sources/queries/queries.ts';
import { Recorder } from '../../actors/sources/recording/recorder.ts';
import { LiveTrades } from '../../actors/sources/streams/trade-tape.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { createHttpClient, type HttpClient } from '../../actors/upstream/client.ts';
import { createLogger } from '../../config/log.ts';
import { Pace } from '../../config/pace.ts';
import { recordedWords } from '../../config/recorded.ts';
import { startSimulator } from '../../scripts/simulator/main.ts';
import { FakeClock } from './clock.ts';
import { tablesOf } from './recorded-tables.ts';
import { folderOf } from './recorder.ts';
import { runAlone } from './run-alone.ts';
import { wholeBus } from './whole-bus.ts';

/** Resolves when this process has had little to do for a few milliseconds. */
async function quiet(): Promise<void> {
  const { eventLoopUtilization } = performance;
  for (let isBusy = true; isBusy; ) {
    const before = eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 20));
    isBusy = eventLoopUtilization(before).utilization > 0.3;
  }
}

interface StageOptions {
  venues: readonly Venue[];
  /** Books and trades are those of the markets of these assets. */
  symbols: readonly string[];
  clock: FakeClock;
  gateway: string;
  /** Resolves when what is on its way has arrived. */
  rest(): Promise<void>;
  /** Whether it has a history, and answers out of that. */
  hasTables?: boolean;
}

/** Runs exchanges that a gateway serves. */
function runStage(
  { venues, symbols, clock, gateway, rest, hasTables = false }: StageOptions,
  recorderOf: (book: InstrumentBook) => Recorder | undefined,
) {
  const { bus, published } = wholeBus(clock);
  const newest = new NewestRows();
  bus.follow({
    instruments: (_key, reading) => newest.accept('instruments', reading),
    prices: (_key, reading) => newest.accept('prices', reading),
  });
  const book = new InstrumentBook(newest);
  const recorder = recorderOf(book);
  const leading = trackedMarkets({ market: new MarketState(newest), book, assets: 2 });
  const tracked = hasTables
    ? leading
    : (source: string, part: string) =>
        new Map([...book.part(source, part)].filter(([, { symbol }]) => symbols.includes(symbol)));
  const kept = { books: new LiveBooks(), trades: new LiveTrades() };
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const clients = new Map<string, HttpClient>();
  const context = {
    bus,
    clock,
    random: () => 0.53,
    log,
    process: 'test',
    book,
    newest,
    gateway,
    ...(recorder && { recorder }),
    pace: new Pace('auto', () => 0),
    live: { on: () => true },
    books: { tracked, live: kept.books },
    trades: { tracked, live: kept.trades },
    client(source: string): HttpClient {
      const found = clients.get(source);
      if (!found) throw new Error(`there is no client of ${source}`);
      return found;
    },
  };
  const tables = hasTables ? tablesOf({ venues, context }) : null;
  const asking = { book, clock, caches: new QueryCaches(clock), onUnknown: () => {} };
  const sources = venues.map((venue) => {
    const client = createHttpClient({ source: venue.id, apis: venue.apis, gateway, clock });
    clients.set(venue.id, client);
    const answers = venueAnswers(venue, client, {
      ...asking,
      live: kept.books,
      trades: kept.trades,
    });
    const serve = () => bus.serve(venue.id, answers);
    return runAlone(hasTables ? { ...venue, serve } : venue, context);
  });
  /** Moves the clock by tenths of a second, and lets what is on its way arrive. */
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await clock.advance(100);
      await rest();
    }
  };
  const stop = async () => {
    const stopped = Promise.all([tables?.stop(), ...sources.map((source) => source.stop())]);
    await clock.advance(20_000);
    await stopped;
    await Promise.all([...clients.values()].map((client) => client.close()));
  };
  return { kept, published, tables, pass, stop };
}

/** Stops once. */
function once(t: Test, work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  const stop = () => {
    done ??= work();
    return done;
  };
  t.teardown(stop);
  return stop;
}

/** Runs exchanges of the simulator from a time on, and records them. */
export async function recordedStage(
  t: Test,
  venues: readonly Venue[],
  symbols: readonly string[],
  { start, ...more }: Pick<StageOptions, 'hasTables'> & { start?: number } = {},
) {
  const clock = new FakeClock(start);
  const simulator = await startSimulator({ clock, symbols: 12 });
  const folder = await folderOf(t);
  const rest = () => new Promise<void>((resolve) => setTimeout(resolve, 4));
  const made: { recorder?: Recorder } = {};
  const own = { venues, symbols, clock, gateway: simulator.url, rest, ...more };
  const stage = runStage(own, (book) => {
    made.recorder = new Recorder({
      folder,
      types: new Set(recordedWords),
      exchanges: [],
      symbols: [],
      keepDays: 9,
      mostBytes: 1e12,
      process: 'test',
      clock,
      log: { error: () => {} },
      listed: (source, part) => book.part(source, part),
      publish: () => {},
      free: async () => 1e12,
    });
    return made.recorder;
  });
  const stop = once(t, async () => {
    await made.recorder?.stop();
    await stage.stop();
    await simulator.close();
  });
  return { ...stage, clock, folder, simulator, stop };
}

/** Runs exchanges of a recording. */
export async function replayedStage(
  t: Test,
  {
    folder,
    range,
    ...of
  }: Pick<StageOptions, 'venues' | 'symbols' | 'hasTables'> & {
    folder: string;
    range: Range;
  },
) {
  const clock = new FakeClock(range.from);
  const { server, ready, stop: end } = replayServer({ folder, venues: of.venues, clock, range });
  await ready;
  server.listen(0, '127.0.0.1');
  await listening(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const gateway = `http://127.0.0.1:${port}`;
  const stage = runStage({ ...of, clock, gateway, rest: quiet }, () => undefined);
  const stop = once(t, async () => {
    await stage.stop();
    await end();
  });
  return { ...stage, clock, stop };
}

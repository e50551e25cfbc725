/** The process that talks to upstreams: polls the sources whose leases it holds and answers questions. */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { booksFit, booksNeed } from '../../actors/books/capacity.ts';
import { trackedMarkets } from '../../actors/books/tracked.ts';
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { failedStarts } from '../../actors/kernel/lease.ts';
import type { SharedWindows } from '../../actors/kernel/shared-window.ts';
import { QueryCaches } from '../../actors/queries/query-cache.ts';
import { LiveBooks } from '../../actors/sources/books/live-books.ts';
import { HandOvers } from '../../actors/sources/hand-overs.ts';
import { InstrumentBook, listRequester } from '../../actors/sources/instruments.ts';
import { processRows } from '../../actors/sources/lease.ts';
import { reservedOf } from '../../actors/sources/polling/plan.ts';
import { bookGuard } from '../../actors/sources/quality/guards.ts';
import { venueAnswers } from '../../actors/sources/queries/queries.ts';
import { type RunningSource, runSource } from '../../actors/sources/runner.ts';
import { keepTidy } from '../../actors/sources/status/tidy.ts';
import { Relays } from '../../actors/sources/streams/relay.ts';
import { LiveTrades } from '../../actors/sources/streams/trade-tape.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { type ProcessReport, topics, tracking } from '../../actors/topics/index.ts';
import { received } from '../../actors/upstream/body.ts';
import {
  createHttpClient,
  type HttpClient,
  requestOutcomes,
} from '../../actors/upstream/client.ts';
import { budgetUses } from '../../actors/upstream/window.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../config/log.ts';
import { Pace, processLoad } from '../../config/pace.ts';
import { checksOf } from './checks.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { OtherSourcesOptions } from './other-sources.ts';
import { type ProcessContext, processId } from './process.ts';
import { recordingOf } from './recorder.ts';
import { openRedis } from './redis-servers.ts';
import { runRole } from './role.ts';
import { chosenSources } from './sources.ts';

/** The libraries of the other sources take a while to load: they wait this long for the first prices of the venues, ms. */
const headStart = 4_000;

/** Queries of one exchange in progress at once: half of the requests that one exchange's client may have under way, the polls have the rest. */
const concurrency = 512;

/** Starts the other sources, which are among the running ones then, unless there are none or the process ends before. */
async function startLater(
  options: OtherSourcesOptions,
  running: Map<string, RunningSource>,
  signal: AbortSignal,
) {
  if (options.chosen.size === 0) return null;
  if (options.clients.size > 0) await setTimeout(headStart, null, { signal }).catch(() => {});
  if (signal.aborted) return null;
  const { startSources } = await import('./other-sources.ts');
  const others = await startSources(options);
  for (const [name, source] of others.running) running.set(name, source);
  return others;
}

/**
 * Follows the topics that polls and answers read; `readLists` asks a source to read its instrument lists again, `onProcess` gets
 * the signs of life of all processes.
 */
function followTopics(
  bus: Pick<Bus, 'follow'>,
  {
    withOpenInterest,
    readLists,
    onProcess,
  }: {
    withOpenInterest: boolean;
    readLists(source: string): void;
    onProcess(report: ProcessReport): void;
  },
) {
  const newest = new NewestRows();
  const following = bus.follow({
    listRequests(_key, { source, at }) {
      if (clock.now() - at < topics.listRequests.maxAge) readLists(source);
    },
    processes: (_key, report) => onProcess(report),
    instruments: (_key, reading) => newest.accept('instruments', reading),
    prices: (_key, reading) => newest.accept('prices', reading),
    ...(withOpenInterest && {
      openInterest: (_key, reading) => newest.accept('openInterest', reading),
      options: (_key, reading) => newest.accept('options', reading),
    }),
  });
  return { newest, following };
}

/** Warns when the machine has no room for the order books of the configured number of assets. */
function warnOfBooks(
  { orderBookAssets }: Pick<Config, 'orderBookAssets'>,
  { venues, log }: { venues: Iterable<Venue>; log: Logger },
): void {
  const need = booksNeed(venues, orderBookAssets);
  const mebibytes = process.availableMemory() / 2 ** 20;
  if (booksFit(need, { cores: availableParallelism(), mebibytes })) return;
  log.warn({ need }, `ORDER_BOOK_ASSETS=${orderBookAssets} is too much for this machine`);
}

/** The HTTP clients of the exchanges, by id; their budgets are those of all processes. */
const clientsOf = (
  venues: Iterable<Venue>,
  { shared, config, log }: { shared: SharedWindows; config: Config; log: Logger },
): ReadonlyMap<string, HttpClient> => {
  const around = { clock, gateway: config.gateway, log, shared };
  return new Map(
    [...venues].map((venue) => {
      const own = { source: venue.id, apis: venue.apis, reserved: reservedOf(venue) };
      return [venue.id, createHttpClient({ ...around, ...own })];
    }),
  );
};

const clientIn = (clients: ReadonlyMap<string, HttpClient>) => (source: string) => {
  const found = clients.get(source);
  if (found === undefined) throw new Error(`there is no client of ${source}`);
  return found;
};

const allSources = (): string[] => {
  const { venues, others } = chosenSources([]);
  return [...venues.keys(), ...others];
};

const liveSettings = ({ live }: Pick<Config, 'live'>) => ({
  on: (source: string) => live.some((word) => word === 'on' || word === source),
});

/** What this process reports of itself. */
const reportOf = (handOvers: HandOvers, caches: QueryCaches) => (cpu: number) => ({
  load: { cpu, sources: handOvers.held, rows_per_second: processRows.perSecond(clock) },
  leaves: handOvers.leaves,
  caches: caches.counts(),
  upstreams: requestOutcomes(),
  budgets: budgetUses(),
  failed_starts: Object.fromEntries(failedStarts),
});

async function feed({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const { venues, others: chosen } = chosenSources(config.sources);
  received.most = config.upstreamBodyMib * 2 ** 20;
  const id = processId('feed');
  const redis = openRedis(config, { process: id, clock, log });
  const { bus } = redis;
  const shared = bus.budgets(config.upstreamAddress);
  const clients = clientsOf(venues.values(), { shared, config, log });
  const running = new Map<string, RunningSource>();
  const relays = new Relays(clock);
  const around = { bus, clock, random: Math.random, log, relays };
  const handOvers = new HandOvers({ id, names: allSources(), sources: running, ...around });
  const { newest, following } = followTopics(bus, {
    // The wallets state which part of it they are.
    withOpenInterest: chosen.has('market-wide') || chosen.has('hyperliquid-wallets'),
    readLists: (source) => running.get(source)?.readLists(),
    onProcess: (report) => handOvers.accept(report),
  });
  await following.ready;
  const book = new InstrumentBook(newest);
  const market = new MarketState(newest);
  const onUnknown = listRequester(bus, clock);
  const caches = new QueryCaches(clock);
  const memory = { live: new LiveBooks(), trades: new LiveTrades() };
  warnOfBooks(config, { venues: venues.values(), log });
  const markets = (assets: number) => trackedMarkets({ market, book, assets });
  const isSuspect = bookGuard({ newest, clock });
  const queries = { book, clock, caches, onUnknown, ...memory, isSuspect, relays };
  const books = { tracked: markets(config.orderBookAssets), live: memory.live, isSuspect };
  const trades = { tracked: markets(tracking.count), live: memory.trades };
  const recording = recordingOf(config, { id, book, bus, log });
  const places = { book, newest, gateway: config.gateway, shared, books, trades, ...recording };
  const client = clientIn(clients);
  const pace = new Pace(config.livePublish, () => performance.now(), processLoad());
  const context = { ...places, ...around, pace, live: liveSettings(config), client, process: id };
  for (const venue of venues.values()) {
    const answers = venueAnswers(venue, client(venue.id), queries);
    const serve = () => bus.serve(venue.id, answers, { concurrency });
    running.set(venue.id, runSource({ ...venue, serve }, context));
  }
  const ending = new AbortController();
  const others = { config, chosen, context, clients, market, caches };
  const later = startLater(others, running, ending.signal);
  const heartbeat = startHeartbeat(bus, { id, role: 'feed' }, reportOf(handOvers, caches));
  handOvers.start();
  const tidying = keepTidy({ bus, venues, clock, log });
  return async () => {
    await handOvers.leave(heartbeat.beat);
    heartbeat.stop();
    tidying.stop();
    ending.abort();
    await Promise.all([
      ...[...running.values()].map((source) => source.stop()),
      later.then((others) => others?.stop()),
    ]);
    await Promise.all([recording.recorder?.stop(), following.stop()]);
    await Promise.all([...clients.values()].map((client) => client.close()));
    await redis.close();
  };
}

await runRole('feed', feed, checksOf.feed);

/** A web worker: follows the topics, folds them into views, serves the routes. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { historySource } from '../../actors/topics/index.ts';
import type { Config } from '../../config/config.ts';
import type { EventLog } from '../../http/answers/event-log.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import { withoutAbsent } from '../../http/answers/source-presence.ts';
import { Counters } from '../../http/endpoints/counters.ts';
import { createMetrics, renderMetrics } from '../../http/endpoints/request-metrics.ts';
import { allRoutes, otherwise } from '../../http/routes/index.ts';
import { ListenError } from '../../http/server/listen-fault.ts';
import { createServer, type Server } from '../../http/server/server.ts';
import type { Health } from '../../http/views/health.ts';
import { followLiquidations } from '../../http/views/liquidation-feed.ts';
import { followRecorded } from '../../http/views/recorded-feed.ts';
import { recordReferenceRates } from '../../http/views/reference-record.ts';
import { serviceMetrics } from '../../http/views/service-metrics.ts';
import manifest from '../../package.json' with { type: 'json' };
import { collectMetrics } from './collect.ts';
import { createGuards } from './guards.ts';
import { startHeartbeat } from './heartbeat.ts';
import { needRedis, type ProcessContext, processId, StartError } from './process.ts';
import { readinessOf } from './readiness.ts';
import { openRedis, worstOf } from './redis-servers.ts';
import { relaySocket } from './relay.ts';
import { type Chosen, chosenSources } from './sources.ts';
import { catalogueOf } from './venues.ts';
import { createViews, filled, type Views } from './views.ts';

const { version } = manifest;

/** A port that cannot be had is for the operator to mend; anything else is a bug. */
function unlistened(error: unknown): never {
  throw error instanceof ListenError ? new StartError(`${error.message}: set PORT or HOST`) : error;
}

/** The metrics of all workers and of the whole service, as exposition text. */
function metricsText(counters: Counters, views: Views, health: Health): () => Promise<string> {
  const metrics = createMetrics(counters, version);
  const own = async () => [...(await metrics.snapshot()), ...views.received.metrics()];
  const collect = collectMetrics(own);
  return async () =>
    renderMetrics([...(await collect()), ...serviceMetrics(views, health, clock.now())]);
}

/** Follows the log of liquidations from its beginning; resolves when it has been read. */
const readLog = (bus: Bus, log: EventLog): Promise<void> =>
  bus.follow(
    { liquidations: (_key, entry, at) => log.accept(entry, at) },
    { onLost: (_topic, at) => log.goBack(at) },
  ).ready;

/** Follows what the history and the log of liquidations have for the views, and has rates recorded, until the returned function is called. */
async function followLogs(
  {
    recorded,
    liquidations,
    referenceRates,
  }: Pick<Views, 'recorded' | 'liquidations' | 'referenceRates'>,
  { bus, answering, log }: { bus: Bus; answering: Pick<Bus, 'query'>; log: ProcessContext['log'] },
): Promise<() => void> {
  const around = { clock, random: Math.random };
  const recording = followRecorded(recorded, { ...around, bus: answering });
  const following = followLiquidations(liquidations, { ...around, bus, answering });
  await filled(following.filled, { clock, log });
  liquidations.log.begin = (events) => readLog(bus, events);
  const stopRecording = recordReferenceRates(referenceRates, { bus: answering, clock });
  return () => {
    recording.stop();
    following.stop();
    stopRecording();
  };
}

/** The bus for the queries of clients: where no history runs, its queries fail at once. */
const withHistory = (bus: Bus, { status }: Pick<Views, 'status'>): Pick<Bus, 'query'> =>
  withoutAbsent({
    ...{ bus, clock, source: historySource },
    isAbsent: () => !status.runs('history'),
  });

/** What the service says of its health. */
const healthOf = (
  views: Views,
  chosen: Chosen,
  known: Pick<Health, 'redis' | 'redisServers' | 'redisLatency' | 'redisProblem' | 'data'>,
): Health => ({
  ...known,
  listen: (listener) => views.status.source.listen(undefined, listener),
  history: () => views.status.history(),
  newest: () => views.prices.newest(),
  ready: readinessOf(chosen, views, clock),
  uptime: () => process.uptime(),
});

/** The options of the server that are settings. */
const serverSettings = (config: Config) => ({
  host: config.host,
  port: config.port,
  cors: { origins: config.corsOrigins },
  simulated: config.simulated,
  trustedProxies: config.trustedProxies,
  publicMetrics: config.metricsPublic,
  inFlightPerAddress: config.inFlightPerAddress,
  liveInterval: config.liveInterval,
});

/** Opens the port once the views are filled, and serves until the returned function is called. */
export async function work({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('web');
  const redisUrl = needRedis(config);
  const inFlight = config.askInFlight;
  const relay = config.relay ? relaySocket(config) : null;
  const servers = openRedis(config, { process: id, clock, log, inFlight, relay, reads: true });
  const { bus } = servers;
  const guards = createGuards({ config, redisUrl, id, log, publish: bus.publish });
  const chosen = chosenSources(config.sources);
  const views = createViews({ ...config, ...chosen });
  let server: Server | undefined;
  const following = bus.follow({
    ...views.handlers,
    accounts: (_key, change) => guards.changed(change, server),
  });
  const answering = withHistory(bus, views);
  const redis = () => (following.state() === 'down' ? 'down' : worstOf(servers.read()));
  const health = healthOf(views, chosen, {
    data: () => (config.simulated ? 'simulated' : 'live'),
    redis,
    redisServers: () => servers.read(),
    redisLatency: () => bus.latency(),
    redisProblem: () => guards.auth?.problem() ?? null,
  });

  const routes = allRoutes({
    ...views,
    ...catalogueOf(chosen.venues),
    bus: answering,
    keys: guards.auth?.keys ?? null,
    quota: guards.quota ?? null,
    clock,
    version,
    health,
    securityContact: config.securityContact,
    collect: () => collect(),
  });
  const queries = new FrontQueries({ bus: answering, clock, random: Math.random });
  const counters = new Counters(routes);
  const collect = metricsText(counters, views, health);
  await filled(following.ready, { clock, log });
  const stopLogs = await followLogs(views, { bus, answering, log });
  // What is made once a second must be there for the first request.
  views.age();
  server = await createServer({
    ...serverSettings(config),
    ...{ routes, counters, queries, version, clock, log },
    otherwise,
    gate: guards.auth?.gate,
    quota: guards.quota,
    symbols: views.prices.symbols,
  }).catch(unlistened);
  const heartbeat = startHeartbeat(bus, { id, role: 'web' }, () => ({
    caches: { front: queries.counts() },
  }));
  return async () => {
    await server?.stop();
    stopLogs();
    views.stop();
    queries.stop();
    heartbeat.stop();
    await guards.stop();
    await servers.close();
  };
}

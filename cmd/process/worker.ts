/** A web worker: follows the topics, folds them into views, serves the routes. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { addressesOf } from '../../alerts/rules/reach.ts';
import { RuleStore } from '../../alerts/store/rule-store.ts';
import type { Config } from '../../config/config.ts';
import { AlertLog } from '../../http/answers/alert-log.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import { RelayedChannels } from '../../http/answers/relayed.ts';
import { Counters } from '../../http/endpoints/counters.ts';
import { createMetrics, renderMetrics } from '../../http/endpoints/request-metrics.ts';
import { allRoutes, otherwise } from '../../http/routes/index.ts';
import { createServer, ListenError, type Server } from '../../http/server/server.ts';
import type { Health } from '../../http/views/health.ts';
import { recordReferenceRates } from '../../http/views/reference-record.ts';
import { serviceMetrics } from '../../http/views/service-metrics.ts';
import manifest from '../../package.json' with { type: 'json' };
import { collectMetrics } from './collect.ts';
import { followLogs, healthOf, readLog, withHistory } from './front.ts';
import { createGuards, type Guards } from './guards.ts';
import { startHeartbeat } from './heartbeat.ts';
import { freePort } from './port.ts';
import { needRedis, type ProcessContext, processId } from './process.ts';
import { openRedis, worstOf } from './redis-servers.ts';
import { replaySource } from './replay-source.ts';
import { type Chosen, chosenSources } from './sources.ts';
import { catalogueOf } from './venues.ts';
import { createViews, filled, type Views } from './views.ts';

const { version } = manifest;

/** A port that cannot be had is for the operator to mend: the error says why. Anything else is a bug. */
async function unlistened(error: unknown, { host, port }: Config): Promise<never> {
  if (error instanceof ListenError) await freePort(host, port);
  throw error;
}

/** The metrics of all workers and of the whole service, as exposition text. */
function metricsText(counters: Counters, views: Views, health: Health): () => Promise<string> {
  const metrics = createMetrics(counters, version);
  const own = async () => [...(await metrics.snapshot()), ...views.received.metrics()];
  const collect = collectMetrics(own);
  return async () =>
    renderMetrics([...(await collect()), ...serviceMetrics(views, health, clock.now())]);
}

/** The log of what alerts have fired, followed once a client wants it. */
const alertLogOf = (bus: Bus): AlertLog =>
  new AlertLog((log) =>
    readLog(bus, log, { alertEvents: (_key, event, at) => log.accept(event, at) }),
  );

/** The rows of alerts, which belong to accounts: there are none where access is open. */
function alertsOf(
  {
    config: { authMode, plans, alertHostsAllowed },
    redisUrl,
    id,
    log,
  }: Pick<ProcessContext, 'config' | 'log'> & { redisUrl: string; id: string },
  { bus, answering, status }: { bus: Bus; answering: Pick<Bus, 'query'>; status: Views['status'] },
) {
  if (authMode === 'open') return null;
  const store = new RuleStore(redisUrl, { name: `${id}/alerts`, clock, log });
  const reach = { allowed: new Set(alertHostsAllowed), resolve: addressesOf };
  const faultOf = (rule: string) => status.alertFault(rule);
  const context = {
    store,
    events: alertLogOf(bus),
    plans,
    clock,
    bus: answering,
    reach,
    faultOf,
    log,
  };
  return { context, close: () => store.close() };
}

/** The options of the server that are settings. */
const serverSettings = (config: Config, { venues }: Chosen) => ({
  host: config.host,
  port: config.port,
  cors: { origins: config.corsOrigins },
  simulated: config.simulated,
  trustedProxies: config.trustedProxies,
  publicMetrics: config.metricsPublic,
  inFlightPerAddress: config.inFlightPerAddress,
  liveInterval: config.liveInterval,
  accessLog: config.accessLog,
  replay: replaySource(config, venues),
});

/** What the rows need to know besides the views. */
const factsOf = (config: Config, { venues }: Chosen) => ({
  ...catalogueOf(venues),
  recordings: replaySource(config, venues),
  securityContact: config.securityContact,
});

/** How Redis is, as this worker reads and follows it. */
const healthOfRedis = (
  { bus, read }: ReturnType<typeof openRedis>,
  following: ReturnType<Bus['follow']>,
  { auth }: Guards,
) => ({
  redis: () => (following.state() === 'down' ? 'down' : worstOf(read())),
  redisServers: () => read(),
  redisLatency: () => bus.latency(),
  redisProblem: () => auth?.problem() ?? null,
});

/** Opens the port once the views are filled, and serves until the returned function is called. */
export async function work({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('web');
  const redisUrl = needRedis(config);
  const inFlight = config.askInFlight;
  const servers = openRedis(config, { process: id, clock, log, inFlight, reads: true });
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
  const health = healthOf(views, chosen, {
    ...healthOfRedis(servers, following, guards),
    data: () => (config.simulated ? 'simulated' : 'live'),
  });
  const alerts = alertsOf({ config, redisUrl, id, log }, { ...views, bus, answering });
  const routes = allRoutes({
    ...views,
    ...factsOf(config, chosen),
    ...{ bus: answering, clock, version, health, collect: () => collect() },
    keys: guards.auth?.keys ?? null,
    quota: guards.quota ?? null,
    alerts: alerts?.context ?? null,
  });
  const queries = new FrontQueries({ bus: answering, clock, random: Math.random });
  const counters = new Counters(routes);
  const collect = metricsText(counters, views, health);
  await filled(following.ready, { clock, log });
  const stopLogs = await followLogs(views, { bus, answering, log });
  const stopRecording = recordReferenceRates(views.referenceRates, { bus: answering, clock });
  // What is made once a second must be there for the first request.
  views.age();
  server = await createServer({
    ...serverSettings(config, chosen),
    ...{ routes, otherwise, counters, queries, version, clock, log },
    ...{ gate: guards.auth?.gate, quota: guards.quota },
    ...{ deliveries: views.received, symbols: views.prices.symbols },
    relayed: new RelayedChannels({ clock, query: (...asked) => answering.query(...asked) }),
  }).catch((error: unknown) => unlistened(error, config));
  const heartbeat = startHeartbeat(bus, { id, role: 'web' }, () => ({
    caches: { front: queries.counts() },
    deliveries: views.received.deliveries(clock.now()),
  }));
  return async () => {
    await server?.stop();
    stopLogs();
    stopRecording();
    alerts?.close();
    views.stop();
    queries.stop();
    heartbeat.stop();
    await guards.stop();
    await servers.close();
  };
}

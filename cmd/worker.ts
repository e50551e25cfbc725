/** A web worker: follows the topics, folds them into views, serves the routes. */
import { createBus } from '../actors/bus/bus.ts';
import { systemClock as clock } from '../actors/kernel/clock.ts';
import { createAsking } from '../http/asking.ts';
import { Counters } from '../http/counters.ts';
import { createMetrics, renderMetrics } from '../http/metrics.ts';
import { allRoutes } from '../http/routes/index.ts';
import { createServer } from '../http/server.ts';
import { computeMetrics } from '../http/views/compute-metrics.ts';
import { feedMetrics } from '../http/views/feed-metrics.ts';
import manifest from '../package.json' with { type: 'json' };
import { collectMetrics } from './collect.ts';
import { createGuards } from './guards.ts';
import { startHeartbeat } from './heartbeat.ts';
import { needRedis, type ProcessContext, processId } from './process.ts';
import { chosenSources, dutiesOf } from './sources.ts';
import { catalogueOf, feedsOf } from './venues.ts';
import { createViews, type Views } from './views.ts';

const { version } = manifest;

/** Serves until the returned function is called. */
export async function work({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('web');
  const redisUrl = needRedis(config);
  const inFlight = config.askInFlight;
  const bus = createBus({ url: redisUrl, process: id, clock, log, inFlight });
  const guards = createGuards({ config, redisUrl, id, log, publish: bus.publish });
  const views = createViews(bus, config);
  const following = bus.follow({
    ...views.handlers,
    accounts: (_key, change) => guards.auth?.changed(change),
  });

  const chosen = chosenSources(config.sources);
  const { venues } = chosen;
  const wanted = [...feedsOf(venues, ['instruments', 'prices']), ...dutiesOf(chosen)];
  const routes = allRoutes({
    ...views,
    ...catalogueOf(venues),
    bus,
    asking: createAsking(bus, clock),
    keys: guards.auth?.keys ?? null,
    quota: guards.quota ?? null,
    clock,
    version,
    health: {
      redis: () => following.state(),
      newest: () => views.prices.newest(),
      ready: readiness(views, { wanted, priced: venues.size > 0 }),
      uptime: () => process.uptime(),
    },
    securityContact: config.securityContact,
    collect: async () => {
      const now = clock.now();
      return renderMetrics([
        ...(await collect()),
        feedMetrics(views.status, now),
        computeMetrics(views.pools, now),
      ]);
    },
  });
  const counters = new Counters(routes);
  const metrics = createMetrics(counters);
  const collect = collectMetrics(() => metrics.snapshot());
  const { host, port, corsOrigins, trustedProxies, inFlightPerAddress } = config;
  const server = await createServer({
    routes,
    host,
    port,
    cors: { origins: corsOrigins },
    version,
    gate: guards.auth?.gate,
    quota: guards.quota,
    trustedProxies,
    publicMetrics: config.metricsPublic,
    inFlightPerAddress,
    clock,
    log,
    counters,
  });
  const heartbeat = startHeartbeat(bus, { id, role: 'web' });
  return async () => {
    await server.stop();
    views.stop();
    heartbeat.stop();
    await guards.stop();
    await bus.close();
  };
}

/** Warm: there is a price, and the lists of every venue and every duty of the desks were tried at least once. */
function readiness(
  { prices, status }: Pick<Views, 'prices' | 'status'>,
  { wanted, priced }: { wanted: readonly string[]; priced: boolean },
) {
  let warm = false;
  return () => {
    // What was served once is served on, whatever is asked anew after another process's restart.
    if (warm) return { ready: true, missing: [] };
    const tried = new Set(
      [...status.feeds()]
        .filter((feed) => feed.state !== 'waiting')
        .flatMap(({ source, topic, part }) => [`${source}/${topic}`, `${source}/${topic}/${part}`]),
    );
    const missing = wanted.filter((feed) => !tried.has(feed));
    if (priced && prices.newest() === null) missing.push('any price');
    warm = missing.length === 0;
    return { ready: warm, missing };
  };
}

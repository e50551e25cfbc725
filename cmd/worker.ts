/** A web worker: follows the topics, folds them into views, serves the routes. */
import { createBus } from '../actors/bus/bus.ts';
import { systemClock as clock } from '../actors/kernel/clock.ts';
import { createAsking } from '../http/asking.ts';
import { Counters } from '../http/counters.ts';
import { createMetrics, renderMetrics } from '../http/metrics.ts';
import { allRoutes } from '../http/routes/index.ts';
import { createServer } from '../http/server.ts';
import { feedMetrics } from '../http/views/feed-metrics.ts';
import { OpenInterestView } from '../http/views/open-interest.ts';
import { PricesView } from '../http/views/prices.ts';
import { StatusView } from '../http/views/status.ts';
import manifest from '../package.json' with { type: 'json' };
import { collectMetrics } from './collect.ts';
import { startHeartbeat } from './heartbeat.ts';
import { needRedis, type ProcessContext, processId } from './process.ts';
import { chosenVenues, exchangesWith, feedsOf, registryOf } from './venues.ts';

/** How often the views let what is too old go. */
const tick = 1_000;

/** Serves until the returned function is called. */
export async function work({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('web');
  const inFlight = config.askInFlight;
  const bus = createBus({ url: needRedis(config), process: id, clock, log, inFlight });
  const prices = new PricesView();
  const openInterest = new OpenInterestView(() => prices.rates());
  const status = new StatusView();
  const following = bus.follow({
    prices: (_key, reading) => prices.accept(reading, clock.now()),
    openInterest: (_key, reading) => openInterest.accept(reading, clock.now()),
    status: (key, feed) => status.acceptFeed(key, feed),
    processes: (_key, process) => status.acceptProcess(process),
  });
  const aging = setInterval(() => {
    prices.expire(clock.now());
    openInterest.expire(clock.now());
    status.expire(clock.now());
  }, tick);

  const venues = chosenVenues(config.sources);
  const feeds = feedsOf(venues, ['instruments', 'prices']);
  const { version } = manifest;
  const routes = allRoutes({
    prices,
    openInterest,
    registry: registryOf(venues),
    status,
    asking: createAsking(bus, clock),
    exchanges: exchangesWith(venues),
    version,
    health: {
      redis: () => following.state(),
      newest: () => prices.newest(),
      ready: () => readiness(prices, status, feeds),
      uptime: () => process.uptime(),
    },
    collect: async () => renderMetrics([...(await collect()), feedMetrics(status, clock.now())]),
  });
  const counters = new Counters(routes);
  const metrics = createMetrics(counters);
  const collect = collectMetrics(() => metrics.snapshot());
  const cors = { origins: config.corsOrigins };
  const { host, port } = config;
  const server = await createServer({ routes, host, port, cors, version, clock, log, counters });
  const heartbeat = startHeartbeat(bus, { id, role: 'web' });
  return async () => {
    await server.stop();
    clearInterval(aging);
    heartbeat.stop();
    await bus.close();
  };
}

/** Warm: there is a price, and the instruments and prices of every source were tried at least once. */
function readiness(prices: PricesView, status: StatusView, feeds: readonly string[]) {
  const tried = new Set(
    [...status.feeds()]
      .filter((feed) => feed.state !== 'waiting')
      .map(({ source, topic, part }) => `${source}/${topic}/${part}`),
  );
  const missing = feeds.filter((feed) => !tried.has(feed));
  if (prices.newest() === null) missing.push('any price');
  return { ready: missing.length === 0, missing };
}

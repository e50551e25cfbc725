/** The answers that alert rules watch: those of the web processes, followed as clients follow them. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import { Counters } from '../../http/endpoints/counters.ts';
import { Endpoint } from '../../http/endpoints/endpoint.ts';
import { Topics } from '../../http/live/topics.ts';
import { allRoutes } from '../../http/routes/index.ts';
import { followLogs, healthOf, withHistory } from './front.ts';
import type { ProcessContext } from './process.ts';
import { chosenSources } from './sources.ts';
import { catalogueOf } from './venues.ts';
import { createViews, filled } from './views.ts';

export interface AlertFront {
  /** Follows the topics, once, and calls back when the answers are there. */
  begin(onReady: (topics: Topics) => void): void;
  stop(): void;
}

/** Nothing is followed until `begin`: without rules the process costs next to nothing. */
export function alertFront(
  { config, log }: Pick<ProcessContext, 'config' | 'log'>,
  bus: Bus,
): AlertFront {
  let stop: (() => void) | null = null;
  return {
    begin(onReady) {
      if (stop !== null) return;
      const chosen = chosenSources(config.sources);
      const views = createViews({ ...config, ...chosen });
      const { symbols } = views.prices;
      const topics = new Topics({ clock, every: 'auto', dataAlone: true, symbols, log });
      const answering = withHistory(bus, views);
      const queries = new FrontQueries({ bus: answering, clock, random: Math.random });
      let stopLogs = () => {};
      stop = () => {
        stopLogs();
        topics.stop();
        views.stop();
        queries.stop();
      };
      const start = async () => {
        await filled(bus.follow(views.handlers).ready, { clock, log });
        stopLogs = await followLogs(views, { bus, answering, log });
        const health = healthOf(views, chosen, {
          data: () => (config.simulated ? 'simulated' : 'live'),
          redis: () => 'up',
          redisServers: () => [],
          redisLatency: () => null,
          redisProblem: () => null,
        });
        const routes = allRoutes({
          ...views,
          ...catalogueOf(chosen.venues),
          ...{ bus: answering, keys: null, quota: null, alerts: null, clock, health },
          ...{ version: '', collect: async () => '' },
        });
        const around = { clock, log, counters: new Counters(routes), queries };
        topics.serve(routes.map((row) => new Endpoint(row, around)));
        views.age();
        onReady(topics);
      };
      void start();
    },
    stop: () => stop?.(),
  };
}

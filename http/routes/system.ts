import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import { apiError } from '../errors.ts';
import { metricsType } from '../metrics.ts';
import { openapiDocument } from '../openapi.ts';
import { Snapshot } from '../snapshots.ts';
import { type Route, route } from './route.ts';
import * as s from './schemas.ts';

/** How the process is, as its own pages tell it. */
export interface Health {
  redis(): 'up' | 'down';
  /** When the newest reading was received, Unix milliseconds; null when there is none. */
  newest(): number | null;
  /** Whether every view has data, and the names of those that have not. */
  ready(): { ready: boolean; missing: string[] };
  /** Seconds since the process began. */
  uptime(): number;
}

/** What the rows of this group answer from. */
export interface SystemContext {
  /** Every other row of the server, for the documentation. */
  routes: readonly Route[];
  version: string;
  health: Health;
  /** The metrics of all processes that share the port, as exposition text. */
  collect(): Promise<string>;
  clock?: Clock;
}

const group = 'Service';

function healthRoute({ health, version, clock = systemClock }: SystemContext): Route {
  const read = () => {
    const newest = health.newest();
    return {
      redis: health.redis(),
      newest_reading_age_ms: newest === null ? null : Math.max(0, clock.now() - newest),
      uptime_s: Math.floor(health.uptime()),
      version,
    };
  };
  return route({
    method: 'GET',
    path: '/healthz',
    group,
    summary: 'Liveness: 200 while the process runs, whatever else is down',
    params: {},
    answer: s.object({
      redis: { enum: ['up', 'down'] },
      newest_reading_age_ms: s.integerOrNull,
      uptime_s: s.integer,
      version: s.string,
    }),
    access: 'open',
    from: { view: () => new Snapshot(JSON.stringify(read())) },
  });
}

function readyRoute({ health }: SystemContext): Route {
  const ready = new Snapshot('{"ready":true}');
  return route({
    method: 'GET',
    path: '/readyz',
    group,
    summary: 'Readiness: 200 once every view has data, 503 before',
    params: {},
    answer: s.object({ ready: { const: true } }),
    access: 'open',
    from: {
      view() {
        const state = health.ready();
        if (state.ready) return ready;
        const message = `warming up, no data yet for: ${state.missing.join(', ')}`;
        return apiError('warming_up', message, { retryAfter: 5 });
      },
    },
  });
}

const metricsRoute = ({ collect }: SystemContext): Route =>
  route({
    method: 'GET',
    path: '/metrics',
    group,
    summary: 'Prometheus metrics of the web processes',
    params: {},
    answer: null,
    access: 'open',
    from: { raw: async () => ({ contentType: metricsType, body: await collect() }) },
  });

/** The server's own pages: documentation, metrics, liveness, readiness. */
export function systemRoutes(context: SystemContext): Route[] {
  let body: string | undefined;
  const documented = route({
    method: 'GET',
    path: '/openapi.json',
    group,
    summary: 'This API as an OpenAPI 3.1 document',
    params: {},
    answer: { type: 'object', required: ['openapi', 'info', 'paths'] },
    access: 'open',
    from: {
      raw() {
        body ??= JSON.stringify(openapiDocument([...context.routes, ...rows], context));
        return { contentType: 'application/json', body };
      },
    },
  });
  const rows: Route[] = [
    documented,
    metricsRoute(context),
    healthRoute(context),
    readyRoute(context),
  ];
  return rows;
}

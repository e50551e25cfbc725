import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import { apiError } from '../errors.ts';
import { metricsType } from '../metrics.ts';
import { openapiDocument } from '../openapi.ts';
import { referenceRoutes } from '../reference.ts';
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
  /** Where to report a vulnerability, a `mailto:` or `https:` URI; null when the operator has named none. */
  securityContact?: string | null;
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
    free: true,
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
    free: true,
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
    summary: 'Prometheus metrics of the web processes, for clients on the same machine',
    params: {},
    answer: null,
    access: 'open',
    free: true,
    local: true,
    from: { raw: async () => ({ contentType: metricsType, body: await collect() }) },
  });

/** Less than a year, as RFC 9116 (2.5.5) recommends. */
const contactDays = 360;

/** `/.well-known/security.txt` (RFC 9116); it expires a year after the start at the latest. */
function securityRoute({ securityContact = null, clock = systemClock }: SystemContext): Route {
  const expires = new Date(clock.now() + contactDays * 86_400_000).toISOString();
  const body = `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  return route({
    method: 'GET',
    path: '/.well-known/security.txt',
    group,
    summary:
      'Where to report a vulnerability (RFC 9116); 404 when the operator has named no contact',
    params: {},
    answer: null,
    access: 'open',
    free: true,
    from: {
      raw: () =>
        securityContact === null
          ? apiError('not_found')
          : { contentType: 'text/plain; charset=utf-8', body, cache: 'public, max-age=86400' },
    },
  });
}

/** The server's own pages: documentation, metrics, liveness, readiness. */
export function systemRoutes(context: SystemContext): Route[] {
  const reference = referenceRoutes();
  let body: string | undefined;
  const documented = route({
    method: 'GET',
    path: '/openapi.json',
    group,
    summary: 'This API as an OpenAPI 3.1 document',
    params: {},
    answer: { type: 'object', required: ['openapi', 'info', 'paths'] },
    access: 'open',
    free: true,
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
    reference.page,
    securityRoute(context),
  ];
  return [...rows, ...reference.files];
}

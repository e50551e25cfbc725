import { day } from '../../config/time.ts';
import { type Body, fileBody } from '../answers/response-body.ts';
import { snapshotOf } from '../answers/snapshots.ts';
import { metricsType } from '../endpoints/request-metrics.ts';
import { readExamples } from '../openapi/examples.ts';
import { llmsText } from '../openapi/llms.ts';
import { openapiDocument } from '../openapi/openapi.ts';
import { pageRoutes } from '../pages/page-routes.ts';
import { apiError, kit, s } from './kit.ts';

/** `routes` are all other rows of the server, for the documentation. */
type SystemContext = kit.Needs<
  'version' | 'health' | 'collect' | 'securityContact' | 'clock' | 'keys' | 'registry'
> & { routes: readonly kit.Route[] };

const historyState = s.object(
  {
    state: s.oneOf(['up', 'failing', 'down'], '`down`: no history process runs.'),
    problem: s.stringOrNull(
      'Why nothing can be written at present (a full disk, a database that does not answer), or what has happened to the file since the start: a damaged one is set aside under a new name.',
    ),
  },
  'The store of recorded series.',
);

const redisStates = ['up', 'slow', 'read_only', 'down'] as const;

const redisServer = s.object({
  setting: s.string('`REDIS_URL`, `REDIS_BUS_URL` or `REDIS_READ_URL`.'),
  state: s.oneOf(redisStates, 'As `redis`.'),
  problem: s.stringOrNull('What is wrong with it, and what to do.'),
});

function healthRoute({ health, version, clock }: SystemContext) {
  const read = () => {
    const newest = health.newest();
    return {
      data: health.data(),
      redis: health.redis(),
      redis_problem: health.redisProblem(),
      redis_servers: health.redisServers(),
      redis_latency: health.redisLatency(),
      history: health.history(),
      clocks: health.clocks(),
      newest_reading_age_ms: newest === null ? null : Math.max(0, clock.now() - newest),
      uptime_s: Math.floor(health.uptime()),
      version,
    };
  };
  return kit.route({
    path: '/healthz',
    summary: 'Liveness: 200 while the process runs, whatever else is down',
    answer: s.object({
      data: s.oneOf(['live', 'simulated'], 'Data of the upstreams, or made up by the simulator.'),
      redis: s.oneOf(
        redisStates,
        '`slow`: it answers after more than 500 ms. `read_only`: it answers and takes no writes: its memory (`maxmemory`) or its disk is full, too few replicas follow, or it is a replica. Of several servers the worst.',
      ),
      redis_problem: s.stringOrNull(
        'What Redis has lost and how it is restored, where it was emptied while the service was in use, or why keys cannot be changed.',
      ),
      redis_servers: s.list(redisServer, 'Each server of Redis that has a setting of its own.'),
      redis_latency: s.orNull(
        s.object({ p50_ms: s.number('Median, ms.'), p99_ms: s.number('99th percentile, ms.') }),
        'How long Redis takes to answer this process, of a ping each second over the last minute; null before its first answer.',
      ),
      history: historyState,
      clocks: s.list(
        s.object({
          host: s.string('Name of the machine.'),
          ahead_ms: s.integer('By how much its clock is ahead of Redis, ms; negative if behind.'),
        }),
        'Hosts whose clock differs from that of Redis by more than a second; their processes use the time of Redis.',
      ),
      newest_reading_age_ms: s.integerOrNull('Of the newest reading, ms; null before the first.'),
      uptime_s: s.integer('Since the process began, seconds.'),
      version: s.string('Version of the service.'),
    }),
    access: 'open',
    free: true,
    from: {
      view: () => snapshotOf(read()),
      listen: (_values, listener) => health.listen(listener),
    },
  });
}

function readyRoute({ health }: SystemContext) {
  const ready = snapshotOf({ ready: true as const });
  return kit.route({
    path: '/readyz',
    summary: 'Readiness: 200 once every view has data, 503 before',
    fails: ['warming_up'],
    answer: s.object({ ready: s.literal(true, 'Every view has data.') }),
    access: 'open',
    free: true,
    from: {
      view() {
        const state = health.ready();
        if (state.ready) return ready;
        const message = `warming up, no data yet for: ${state.missing.join(', ')}`;
        return apiError('warming_up', message);
      },
      listen: (_values, listener) => health.listen(listener),
    },
  });
}

/** What the pages of the server itself share. */
const page = {
  answer: null,
  access: 'open',
  free: true,
} as const;
/** A page that is made at its first request. */
const madeOnce = (contentType: string, make: () => string) => {
  let body: Body | undefined;
  return {
    raw() {
      body ??= fileBody(Buffer.from(make()));
      return { contentType, body, cache: 'public, max-age=300' };
    },
  };
};

const metricsRoute = ({ collect }: SystemContext) =>
  kit.route({
    ...page,
    path: '/metrics',
    summary: 'Prometheus metrics of the web processes, for clients on the same machine',
    local: true,
    from: { raw: async () => ({ contentType: metricsType, body: await collect() }) },
  });

/** Less than a year, as RFC 9116 (2.5.5) recommends. */
const contactDays = 360;

/** `/.well-known/security.txt` (RFC 9116); it expires a year after the start at the latest. */
function securityRoute({ securityContact = null, clock }: SystemContext) {
  const expires = new Date(clock.now() + contactDays * day).toISOString();
  const body = `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  return kit.route({
    ...page,
    path: '/.well-known/security.txt',
    summary:
      'Where to report a vulnerability (RFC 9116); 404 when the operator has named no contact',
    fails: ['not_found'],
    from: {
      raw: () =>
        securityContact === null
          ? apiError('not_found')
          : { contentType: 'text/plain; charset=utf-8', body, cache: 'public, max-age=86400' },
    },
  });
}

/** `routes` are all rows that it names. */
const llmsRoute = (routes: readonly kit.Route[]) =>
  kit.route({
    ...page,
    path: '/llms.txt',
    summary: 'This API in a page of text for language models',
    tagged: true,
    from: madeOnce('text/plain; charset=utf-8', () => llmsText(routes)),
  });

const anyObject = (description: string) => s.unchecked<object>({ type: 'object', description });

/** What the server says of itself: documentation, metrics, liveness, readiness. */
export function systemRoutes(context: SystemContext) {
  const { pages, files } = pageRoutes({
    open: context.keys === null,
    exchanges: context.registry,
    isSimulated: () => context.health.data() === 'simulated',
  });
  const describe = () =>
    openapiDocument([...context.routes, ...rows], {
      ...context,
      examples: readExamples(),
      streams: true,
    });
  const documented = kit.route({
    ...page,
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    tagged: true,
    answer: s.object({
      openapi: s.string('Version of OpenAPI.'),
      info: anyObject('Title, version and contact.'),
      paths: anyObject('Map from path to its operations.'),
    }),
    from: madeOnce('application/json', () => JSON.stringify(describe())),
  });
  const rows: kit.Route[] = [
    documented,
    metricsRoute(context),
    healthRoute(context),
    readyRoute(context),
    ...pages,
    llmsRoute(context.routes),
    securityRoute(context),
  ];
  return [...rows, ...files];
}

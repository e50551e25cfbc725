import { apiError } from '../errors.ts';
import type { StatusView } from '../views/status.ts';
import { type Route, route } from './route.ts';
import * as s from './schemas.ts';

const feed = s.object({
  topic: s.string,
  part: s.of(s.string, 'Request group of the source, such as spot or linear.'),
  state: s.of(
    { enum: ['waiting', 'up', 'failing', 'down', 'frozen', 'silent'] },
    '`down`: failing so often that it is only probed; `frozen`: the venue says the same for ten polls, or has no turnover at all, and is out of every aggregate; `silent`: its process no longer reports.',
  ),
  last_success: s.unixMsOrNull,
  age_ms: s.of(s.integerOrNull, 'Time since the last success, to the second.'),
  last_attempt: s.unixMsOrNull,
  latency_ms: s.of(s.numberOrNull, 'Of the last successful poll.'),
  last_error: {
    description: 'The latest failure, kept after later successes.',
    anyOf: [s.object({ code: s.string, message: s.string, at: s.unixMs }), { type: 'null' }],
  },
  breaker: { enum: ['closed', 'open', 'half_open'] },
  next_poll: s.unixMsOrNull,
  rows: s.integer,
  dropped: s.mapOf(s.integer, 'reason to rows of the last poll that were not used'),
  failures: s.of(s.integer, 'Consecutive failures.'),
});

const process = s.object({
  id: s.string,
  role: s.string,
  pid: s.integer,
  host: s.string,
  started: s.unixMs,
  at: s.unixMs,
  rss_bytes: s.integer,
  loop_p99_ms: s.of(s.number, '99th percentile of event loop delay.'),
});

/** How the service itself is doing, source by source. */
export const statusRoutes = (status: StatusView): Route[] => [
  route({
    method: 'GET',
    path: '/v1/status',
    group: 'Service',
    summary: 'Every source and topic: last success, age, latency, last error, breaker, next poll',
    params: {},
    answer: s.object({
      sources: s.mapOf(
        s.object({ state: { enum: ['up', 'degraded', 'down'] }, feeds: s.array(feed) }),
        'source id to its feeds',
      ),
      processes: s.array(process),
    }),
    access: 'open',
    from: { view: () => status.read() ?? apiError('warming_up', undefined, { retryAfter: 5 }) },
  }),
];

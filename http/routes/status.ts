import { budgetStatus, feedStatus, processStatus } from '../../actors/topics/status.ts';
import { kit, s } from './kit.ts';

/** Latencies of the last minute or two. */
const quantiles = (what: string) =>
  s.optional(
    s.object(
      {
        p50: s.number('What half of them do not exceed, ms.'),
        p95: s.number('What 95 % of them do not exceed, ms.'),
        p99: s.number('What 99 % of them do not exceed, ms.'),
      },
      `${what} Milliseconds of the last minute or two, each rounded up to the end of its step (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20 and so on, 60,000 for all that is longer).`,
    ),
  );

const { source: _, ...feedProperties } = feedStatus.properties;

const feed = s.object({
  ...feedProperties,
  state: s.oneOf(
    ['waiting', 'up', 'failing', 'down', 'frozen', 'closed', 'standby', 'silent'],
    '`down`: failing so often that it is only probed; `closed`: the venue states that it trades nothing of this part now, polls go on; `standby`: not asked while a source before it answers; `frozen`: the newest time that the venue states is more than a minute old, or it says the same for ten polls, or it has no turnover at all; it is out of every aggregate; `silent`: its process no longer reports.',
  ),
  age_ms: s.integerOrNull('Time since the last success, to the second.'),
  event_latency_ms: quantiles(
    'Latency of a stream that states times: from the newest time that a message states to our receipt. The clock of the source is not corrected: where it is ahead, the latency is too short, and a negative one counts as 1. Absent where nothing came.',
  ),
});

/** The state of the service, source by source. */
export const statusRoutes = ({ status }: kit.Needs<'status'>) => [
  kit.document({
    path: '/v1/status',
    summary: 'Every source and topic: last success, age, latency, last error, breaker, next poll',
    params: {},
    answer: s.object({
      sources: s.mapOf(
        s.object({
          state: s.oneOf(
            ['up', 'degraded', 'down'],
            'Degraded: some of its feeds are up. Feeds that are idle do not count.',
          ),
          feeds: s.list(feed, 'One row a topic and part.'),
          delivery_ms: quantiles(
            'From the receipt of a value to the moment at which the answer that it has changed is written to all of its followers by WebSocket or SSE, once for each answer and change, over all web processes; logs (`mode=log`) and answers that are asked for are not in it. Absent where nothing is followed.',
          ),
        }),
        'source id to its feeds',
      ),
      processes: s.list(processStatus, 'Processes that run.'),
      budgets: s.list(
        budgetStatus,
        'What this service counts of the budgets of the sources: those that are used, waited for or paused, by the share that is used.',
      ),
    }),
    access: 'open',
    noMarketData: true,
    source: status.source,
    build: () => status.current(),
  }),
];

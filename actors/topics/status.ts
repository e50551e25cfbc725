/** How feeds and processes are doing. Times are Unix ms. */
import type { FailureCode, OutcomeCounts } from '../failure.ts';
import type { CacheCounts } from './queries.ts';
import * as s from './schema.ts';

/** How one feed of one source is doing; a row of `/v1/status`. */
export const feedStatus = s.object({
  source: s.string(),
  topic: s.string(),
  part: s.string('Request group of the source, such as spot or linear.'),
  state: s.oneOf(['waiting', 'up', 'failing', 'down', 'frozen', 'closed', 'standby']),
  reason: s.stringOrNull('Why it is closed; null in every other state.'),
  last_success: s.unixMsOrNull(),
  last_attempt: s.unixMsOrNull(),
  latency_ms: s.numberOrNull('Of the last successful poll.'),
  last_error: s.orNull(
    s.object({
      code: s.unchecked<FailureCode | 'crash'>({ type: 'string' }),
      message: s.string(),
      at: s.unixMs(),
    }),
    'The latest failure, kept after later successes.',
  ),
  breaker: s.oneOf(['closed', 'open', 'half_open']),
  next_poll: s.unixMsOrNull(),
  rows: s.integer(),
  dropped: s.mapOf(
    s.integer(),
    'reason to rows of the last poll that were not used; of live order books, how many were dropped since the stream began',
  ),
  suspect: s.optional(
    s.list(
      s.string(),
      'Markets whose newest number is held back until it is confirmed, 20 at most; absent when there are none.',
    ),
  ),
  subscriptions: s.optional(
    s.object(
      {
        acknowledged: s.integer('Subscriptions that the source has acknowledged.'),
        silent: s.integer(
          'Of those, how many have brought nothing yet: normal for quiet markets, suspicious for all.',
        ),
      },
      'Of a stream whose source acknowledges; absent otherwise.',
    ),
  ),
  failures: s.integer('Consecutive failures.'),
});
export type FeedStatus = s.Static<typeof feedStatus>;

/** Sign of life of one process, renewed every few seconds. */
export const processStatus = s.object({
  id: s.string(),
  role: s.unchecked<'web' | 'feed' | 'compute' | 'history'>({ type: 'string' }),
  pid: s.integer(),
  host: s.string(),
  started: s.unixMs(),
  at: s.unixMs(),
  rss_bytes: s.integer(),
  loop_p99_ms: s.number('99th percentile of event loop delay.'),
});
export type ProcessStatus = s.Static<typeof processStatus>;

/** A sign of life with the figures of the metrics. */
export interface ProcessReport extends ProcessStatus {
  /** Processor time since the start, seconds. */
  cpu_s?: number;
  /** By name. */
  caches?: Readonly<Record<string, CacheCounts>>;
  upstreams?: readonly OutcomeCounts[];
  /** Bytes of the disk that the process keeps data on. */
  disk?: { free: number; size: number };
}

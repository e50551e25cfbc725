/** How feeds and processes are doing. Times are Unix ms. */
import { day } from '../../config/time.ts';
import type { LatencyCounts } from '../../indicators/market/latencies.ts';
import type { BudgetUse, FailureCode, OutcomeCounts } from '../failure.ts';
import type { CacheCounts } from './queries.ts';
import { reasons } from './reasons.ts';
import * as s from './schema.ts';

/** How one feed of one source is doing; a row of `/v1/status`. */
export const feedStatus = s.object({
  source: s.string('Source id.'),
  topic: s.string('What is received: prices, derivatives, instruments.'),
  part: s.string('Request group of the source, such as spot or linear.'),
  state: s.oneOf(['waiting', 'up', 'failing', 'down', 'frozen', 'closed', 'standby']),
  reason: s.stringOrNull('Why it is closed; null in every other state.'),
  last_success: s.unixMsOrNull(),
  last_attempt: s.unixMsOrNull(),
  latency_ms: s.numberOrNull('Of the last successful poll.'),
  last_error: s.orNull(
    s.object({
      code: s.unchecked<FailureCode | 'crash'>({
        type: 'string',
        description: 'Class of the failure.',
      }),
      message: s.string('The fault, in words.'),
      at: s.unixMs(),
    }),
    'The latest failure, kept after later successes.',
  ),
  breaker: s.oneOf(
    ['closed', 'open', 'half_open'],
    'Open: its upstream has failed so often that it is not asked; half open: one request tries.',
  ),
  next_poll: s.unixMsOrNull(),
  longest_age_ms: s.optional(
    s.integer(
      'How old its rows may become before they are left out, where its markets are asked one after another and all of them take longer than the topic allows; absent otherwise.',
    ),
  ),
  rows: s.integer(
    'Rows of the last reading; of a stream, those that came since the last report, or live order books.',
  ),
  dropped: s.mapOf(
    s.integer(),
    `Reason to rows of the last poll or publication that were not used, or of which a part was not; of live order books, how many were dropped since the stream began. ${Object.entries(
      reasons,
    )
      .map(([reason, text]) => `\`${reason}\`: ${text}`)
      .join('; ')}.`,
  ),
  suspect: s.optional(
    s.list(
      s.string(),
      'Markets whose newest number is held back until it is confirmed, 20 at most; absent when there are none.',
    ),
  ),
  classes: s.optional(
    s.mapOf(
      s.integer('Markets of it that are traded.'),
      'Of instruments: `class` of /v1/instruments to the number of its markets',
    ),
  ),
  strays: s.optional(
    s.list(
      s.string(),
      'Of instruments: markets of the source whose price was more than 30 % away from that of the other exchanges for an hour, 20 at most. They have left their asset: their symbol has the name of the exchange behind it. Absent when there are none.',
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

/** What has happened to a feed since a process began it; the numbers only grow, but for `age_max`. */
export interface FeedTally {
  /** When the process began, Unix ms: with another one all numbers begin again. */
  since: number;
  /** Polls that failed; of a stream, times that it was lost: its connection ended, did not open, or brought no data. */
  failed: number;
  /** Of those, what the upstream refused: too many requests, a ban, an address that is not served, a request that it does not take. */
  refused: number;
  /** Markets whose number was held back until it was confirmed. */
  suspect: number;
  /** Markets on which a poll and the stream differed. */
  differs: number;
  /** How old the newest data were: the integral of their age over time, ms x ms, the time that it is of, ms, and the greatest age since the last report, ms. */
  age_area: number;
  age_span: number;
  age_max: number;
  /** Of a stream that states times: how long its values of the last minute or two took from them to their receipt. */
  events?: LatencyCounts;
}

/** The state of a feed with what the scorecard is made of. */
export interface FeedReport extends FeedStatus {
  tally?: FeedTally;
}

/** Time after which an overdue row is that of a part that its source no longer has, ms: the source reports its others. */
const removedAfter = day;
/** Time after which rows are those of a source that nobody runs any more, ms. */
const abandonedAfter = 7 * removedAfter;

type Times = Pick<FeedStatus, 'next_poll' | 'last_attempt' | 'last_success'>;

/** When a row was to be reported at the latest, Unix ms; null where it has no time. */
const dueOf = ({ next_poll, last_attempt, last_success }: Times): number | null =>
  next_poll ?? last_attempt ?? last_success;

/**
 * The rows of parts and sources that are no more. A source that cannot reach its upstream reports all of its rows, each
 * with its next poll: they stay, however long that lasts. So do rows on standby while their source reports.
 */
export function removedRows<Row extends Times & { source: string; state: string }>(
  rows: Iterable<Row>,
  now: number,
): Row[] {
  const all = [...rows].map((row) => ({ row, late: now - (dueOf(row) ?? now) }));
  const living = new Set(
    all.filter(({ late }) => late < removedAfter).map(({ row }) => row.source),
  );
  return all
    .filter(({ row, late }) =>
      living.has(row.source)
        ? late >= removedAfter && row.state !== 'standby'
        : late >= abandonedAfter,
    )
    .map(({ row }) => row);
}

/** Sign of life of one process, renewed every few seconds. */
export const processStatus = s.object({
  id: s.string('Id of the process.'),
  role: s.unchecked<'web' | 'feed' | 'compute' | 'history' | 'alerts'>({
    type: 'string',
    description: '`web`, `feed`, `compute`, `history` or `alerts`.',
  }),
  pid: s.integer('Number of the process on its host.'),
  host: s.string('Name of the machine.'),
  started: s.unixMs(),
  at: s.unixMs(),
  rss_bytes: s.integer('Memory of the process, bytes.'),
  loop_p99_ms: s.number('99th percentile of event loop delay.'),
  load: s.optional(
    s.object(
      {
        cpu: s.number('Processor time, a fraction of one core: 1 is all of it.'),
        sources: s.integer('Sources that the process runs.'),
        rows_per_second: s.number('Rows that it publishes in a second.'),
      },
      'Of a feed process; absent otherwise.',
    ),
  ),
});
export type ProcessStatus = s.Static<typeof processStatus>;

/** A budget of an upstream over all processes that ask it. */
export const budgetStatus = s.object({
  source: s.string('Source id.'),
  api: s.string('API of the source.'),
  budget: s.string('Budget of the API.'),
  weight: s.number(
    'Requests that the source allows in `per_ms` ms, each by its weight where the source weighs them.',
  ),
  per_ms: s.integer('Milliseconds of the time in which it allows them.'),
  used_weight: s.number(
    'Weight of the requests of all processes of this service in the last `per_ms` ms and 250 ms more, and of those under way; what the source has stated, where that is more: it counts whatever else uses the address or the key, too.',
  ),
  waiting: s.integer('Requests that wait for their turn.'),
  paused_until: s.unixMsOrNull(
    'Unix ms: nothing is sent before, since the source asked for silence; null where it did not.',
  ),
});
export type BudgetStatus = s.Static<typeof budgetStatus>;

/** What a process of the role `alerts` has fired and delivered. */
export interface AlertCounts {
  /** Events that were fired, and how old the data of the last one were then, ms. */
  fired: number;
  late_ms: number;
  /** Attempts to deliver, by their outcome. */
  delivered: number;
  failed: number;
  dead: number;
  /** Deliveries that wait, the age of the oldest one, ms, and lines of one rule and receiver that have any. */
  waiting: number;
  oldest_ms: number;
  lanes: number;
  /** Rules that it evaluates, and shards of rules that it holds. */
  rules: number;
  shards: number;
  /** Rules that cannot be evaluated at present, by why: the code of an error of the API, or `no_value`. */
  faults?: Readonly<Record<string, number>>;
  /** Why, by the id of the rule, of some. */
  faulty?: Readonly<Record<string, string>>;
}

/** A sign of life with the figures of the metrics. */
export interface ProcessReport extends ProcessStatus {
  /** By how much the clock of its host is ahead of that of Redis, ms; negative where it is behind. */
  clock_ahead_ms?: number;
  /** Processor time since the start, seconds. */
  cpu_s?: number;
  /** It is about to end: others take over what it runs. */
  leaves?: boolean;
  /** How long the values of the last minute or two took from their receipt to the clients of streams, by source and topic (`okx/prices`). */
  deliveries?: Readonly<Record<string, LatencyCounts>>;
  /** By name. */
  caches?: Readonly<Record<string, CacheCounts>>;
  upstreams?: readonly OutcomeCounts[];
  budgets?: readonly BudgetUse[];
  /** Of a process that evaluates alerts: how far it is, since its start. */
  alerts?: AlertCounts;
  /** Starts that have failed, by source. */
  failed_starts?: Readonly<Record<string, number>>;
  /** Bytes of the disk that the process keeps data on. */
  disk?: { free: number; size: number };
  /** Files of the history that were set aside since the start. */
  damaged?: Readonly<Record<'file', number>>;
}

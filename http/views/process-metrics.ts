import type { AlertCounts, ProcessReport } from '../../actors/topics/index.ts';
import { type MetricsSnapshot, metric, type Sample } from './metric-json.ts';

const roles = [
  'web',
  'feed',
  'compute',
  'history',
  'alerts',
] as const satisfies ProcessReport['role'][];

/** Outcomes that are shown before they happen: the first of them is an increase then. */
const troubles = { rate_limited: 0, banned: 0, over_budget: 0 };

type Read = (report: ProcessReport) => number | undefined;

const damageMetric = (reports: readonly ProcessReport[]) =>
  metric(
    [
      'counter',
      'history_damaged_total',
      'Damage of the history file: blocks set aside, checks that found damaged pages, files set aside.',
    ],
    reports.flatMap(({ id: process, damaged = {} }) =>
      Object.entries(damaged).map(([kind, value]) => ({ value, labels: { process, kind } })),
    ),
  );

const failedStartsMetric = (reports: readonly ProcessReport[]) =>
  metric(
    [
      'counter',
      'source_failed_starts_total',
      'Sources that a process had gained and that could not begin: it gives them up and tries again later.',
    ],
    reports.flatMap(({ id: process, failed_starts = {} }) =>
      Object.entries(failed_starts).map(([source, value]) => ({
        value,
        labels: { process, source },
      })),
    ),
  );

/** What alerts have fired, and its delivery. */
function alertMetrics(reports: readonly ProcessReport[]): MetricsSnapshot {
  const own = reports.flatMap(({ id: process, alerts }) => (alerts ? [{ process, alerts }] : []));
  const each = (read: (of: AlertCounts) => number): Sample[] =>
    own.map(({ process, alerts }) => ({ value: read(alerts), labels: { process } }));
  const attempts = own.flatMap(({ process, alerts: { delivered, failed, dead } }) =>
    Object.entries({ delivered, failed, dead }).map(([outcome, value]) => ({
      value,
      labels: { process, outcome },
    })),
  );
  return [
    metric(
      ['counter', 'alerts_fired_total', 'Events that alerts have fired.'],
      each((of) => of.fired),
    ),
    metric(
      ['gauge', 'alert_rules', 'Alerts that a process evaluates.'],
      each((of) => of.rules),
    ),
    metric(
      [
        'gauge',
        'alert_rules_unevaluated',
        'Alerts among them that cannot be evaluated at present: the code of the error, or no_value.',
      ],
      own.flatMap(({ process, alerts: { faults = {} } }) =>
        Object.entries(faults).map(([reason, value]) => ({ value, labels: { process, reason } })),
      ),
    ),
    metric(
      ['gauge', 'alert_data_age_seconds', 'Age of the data of the last event when it was fired.'],
      each((of) => of.late_ms / 1_000),
    ),
    metric(
      [
        'counter',
        'alert_deliveries_total',
        'Attempts to deliver events: delivered, failed (tried again), dead (given up).',
      ],
      attempts,
    ),
    metric(
      ['gauge', 'alert_deliveries_waiting', 'Events that wait for their delivery.'],
      each((of) => of.waiting),
    ),
    metric(
      ['gauge', 'alert_delivery_age_seconds', 'Age of the oldest event that waits.'],
      each((of) => of.oldest_ms / 1_000),
    ),
    metric(
      ['gauge', 'alert_lanes', 'Alerts and receivers for which events wait.'],
      each((of) => of.lanes),
    ),
  ];
}

/** What the feed processes share. */
const loadMetrics = (each: (read: Read) => Sample[]) => [
  metric(
    ['gauge', 'process_sources', 'Sources that a feed process runs.'],
    each(({ load }) => load?.sources),
  ),
  metric(
    ['gauge', 'process_rows_per_second', 'Rows that a feed process publishes.'],
    each(({ load }) => load?.rows_per_second),
  ),
];

/** What processes ask of upstreams. */
function upstreamMetrics(reports: readonly ProcessReport[]): MetricsSnapshot {
  const requests = reports.flatMap(({ id: process, upstreams = [] }) =>
    upstreams.flatMap(({ source, outcomes }) =>
      Object.entries({ ...troubles, ...outcomes }).map(([outcome, value]) => ({
        ...{ value, labels: { process, source, outcome } },
      })),
    ),
  );
  return [
    metric(
      [
        'counter',
        'upstream_requests_total',
        'Requests to upstreams by outcome: ok, or the code of the failure; over_budget and breaker_open were not sent.',
      ],
      requests,
    ),
    metric(
      [
        'gauge',
        'upstream_budget_used_ratio',
        'Share of the budget of an upstream that a process counts as used.',
      ],
      reports.flatMap(({ id: process, budgets = [] }) =>
        budgets.map(({ name: budget, used, weight }) => ({
          value: used / weight,
          labels: { process, budget },
        })),
      ),
    ),
  ];
}

/** All processes as they last reported; every web worker knows the same, so only one worker's are rendered. */
export function processMetrics(reports: readonly ProcessReport[]): MetricsSnapshot {
  const each = (read: Read): Sample[] =>
    reports.flatMap((report) => {
      const value = read(report);
      const { id: process, role } = report;
      return value === undefined ? [] : { value, labels: { process, role } };
    });
  return [
    metric(
      ['gauge', 'processes', 'Processes that give signs of life, by role.'],
      roles.map((role) => ({
        value: reports.filter((report) => report.role === role).length,
        labels: { role },
      })),
    ),
    metric(
      ['gauge', 'process_start_time_seconds', 'Start of a process, Unix time.'],
      each(({ started }) => started / 1000),
    ),
    metric(
      ['counter', 'process_cpu_seconds_total', 'Processor time of a process.'],
      each(({ cpu_s }) => cpu_s),
    ),
    metric(
      ['gauge', 'process_resident_memory_bytes', 'Resident memory of a process.'],
      each(({ rss_bytes }) => rss_bytes),
    ),
    metric(
      [
        'gauge',
        'process_event_loop_delay_seconds',
        'Delay of the event loop, 99th percentile of 5 s.',
      ],
      each(({ loop_p99_ms }) => loop_p99_ms / 1000),
    ),
    ...loadMetrics(each),
    metric(
      ['gauge', 'disk_free_bytes', 'Room on the disk that a process keeps data on.'],
      each(({ disk }) => disk?.free),
    ),
    metric(
      ['gauge', 'disk_size_bytes', 'Size of the disk that a process keeps data on.'],
      each(({ disk }) => disk?.size),
    ),
    ...alertMetrics(reports),
    damageMetric(reports),
    failedStartsMetric(reports),
    ...upstreamMetrics(reports),
  ];
}

import type { AlertCounts, ProcessReport } from '../../actors/topics/index.ts';
import { counter, gauge, type MetricsSnapshot, type Sample } from './metric-json.ts';

const roles = [
  'web',
  'feed',
  'compute',
  'history',
  'alerts',
] as const satisfies ProcessReport['role'][];

/** Outcomes that are shown before they happen: the first of them is an increase then. */
const troubles = { rate_limited: 0, banned: 0, over_budget: 0 };

/** A metric with one value of each `T` that has it. */
type Figure<T> = readonly [
  make: typeof gauge,
  name: string,
  help: string,
  read: (of: T) => number | undefined,
];

const ofProcess: readonly Figure<ProcessReport>[] = [
  [gauge, 'process_start_time_seconds', 'Start of a process, Unix time.', (p) => p.started / 1000],
  [counter, 'process_cpu_seconds_total', 'Processor time of a process.', (p) => p.cpu_s],
  [gauge, 'process_resident_memory_bytes', 'Resident memory of a process.', (p) => p.rss_bytes],
  [
    gauge,
    'process_event_loop_delay_seconds',
    'Delay of the event loop, 99th percentile of 5 s.',
    (p) => p.loop_p99_ms / 1000,
  ],
  [gauge, 'process_sources', 'Sources that a feed process runs.', (p) => p.load?.sources],
  [
    gauge,
    'process_rows_per_second',
    'Rows that a feed process publishes.',
    (p) => p.load?.rows_per_second,
  ],
  [gauge, 'disk_free_bytes', 'Room on the disk that a process keeps data on.', (p) => p.disk?.free],
  [gauge, 'disk_size_bytes', 'Size of the disk that a process keeps data on.', (p) => p.disk?.size],
];

/** What alerts have fired, and its delivery. */
const ofAlerts: readonly Figure<AlertCounts>[] = [
  [counter, 'alerts_fired_total', 'Events that alerts have fired.', (of) => of.fired],
  [gauge, 'alert_rules', 'Alerts that a process evaluates.', (of) => of.rules],
  [
    gauge,
    'alert_data_age_seconds',
    'Age of the data of the last event when it was fired.',
    (of) => of.late_ms / 1_000,
  ],
  [gauge, 'alert_deliveries_waiting', 'Events that wait for their delivery.', (of) => of.waiting],
  [
    gauge,
    'alert_delivery_age_seconds',
    'Age of the oldest event that waits.',
    (of) => of.oldest_ms / 1_000,
  ],
  [gauge, 'alert_lanes', 'Alerts and receivers for which events wait.', (of) => of.lanes],
];

/** Counts by a word, each with the labels and this one. */
const byWord = (
  label: string,
  counts: Readonly<Record<string, number>> | undefined,
  labels: Sample['labels'],
): Sample[] =>
  Object.entries(counts ?? {}).map(([word, value]) => ({
    value,
    labels: { ...labels, [label]: word },
  }));

function alertMetrics(reports: readonly ProcessReport[]): MetricsSnapshot {
  const own = reports.flatMap(({ id: process, alerts }) => (alerts ? [{ process, alerts }] : []));
  return [
    ...ofAlerts.map(([make, name, help, read]) =>
      make(
        name,
        help,
        own.map(({ process, alerts }) => ({ value: read(alerts) ?? 0, labels: { process } })),
      ),
    ),
    gauge(
      'alert_rules_unevaluated',
      'Alerts among them that cannot be evaluated at present: the code of the error, or no_value.',
      own.flatMap(({ process, alerts }) => byWord('reason', alerts.faults, { process })),
    ),
    counter(
      'alert_deliveries_total',
      'Attempts to deliver events: delivered, failed (tried again), dead (given up).',
      own.flatMap(({ process, alerts: { delivered, failed, dead } }) =>
        byWord('outcome', { delivered, failed, dead }, { process }),
      ),
    ),
  ];
}

/** What processes ask of upstreams. */
const upstreamMetrics = (reports: readonly ProcessReport[]): MetricsSnapshot => [
  counter(
    'upstream_requests_total',
    'Requests to upstreams by outcome: ok, or the code of the failure; over_budget and breaker_open were not sent.',
    reports.flatMap(({ id: process, upstreams = [] }) =>
      upstreams.flatMap(({ source, outcomes }) =>
        byWord('outcome', { ...troubles, ...outcomes }, { process, source }),
      ),
    ),
  ),
  gauge(
    'upstream_budget_used_ratio',
    'Share of the budget of an upstream that a process counts as used.',
    reports.flatMap(({ id: process, budgets = [] }) =>
      budgets.map(({ name: budget, used, weight }) => ({
        value: used / weight,
        labels: { process, budget },
      })),
    ),
  ),
];

/** All processes as they last reported; every web worker knows the same, so only one worker's are rendered. */
export function processMetrics(reports: readonly ProcessReport[]): MetricsSnapshot {
  const living = roles.map((role) => ({
    value: reports.filter((report) => report.role === role).length,
    labels: { role },
  }));
  const each = (read: Figure<ProcessReport>[3]): Sample[] =>
    reports.flatMap((report) => {
      const value = read(report);
      const { id: process, role } = report;
      return value === undefined ? [] : [{ value, labels: { process, role } }];
    });
  return [
    gauge('processes', 'Processes that give signs of life, by role.', living),
    ...ofProcess.map(([make, name, help, read]) => make(name, help, each(read))),
    ...alertMetrics(reports),
    counter(
      'history_damaged_total',
      'Files of the history that could not be read and were set aside.',
      reports.flatMap(({ id: process, damaged }) => byWord('kind', damaged, { process })),
    ),
    counter(
      'source_failed_starts_total',
      'Sources that a process had gained and that could not begin: it gives them up and tries again later.',
      reports.flatMap(({ id: process, failed_starts }) =>
        byWord('source', failed_starts, { process }),
      ),
    ),
    ...upstreamMetrics(reports),
  ];
}

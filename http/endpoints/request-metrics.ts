import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import {
  counter,
  gauge,
  histogram,
  type MetricsSnapshot,
  type Sample,
} from '../views/metric-json.ts';
import {
  type Counters,
  countOf,
  type Latencies,
  latencyBuckets,
  type SlotCount,
} from './counters.ts';
import { streamMetrics } from './stream-counts.ts';

/** Content type of `/metrics`. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Latencies in milliseconds as durations in seconds. */
const durationsOf = ({ counts, sum }: Latencies) => ({
  bounds: latencyBuckets.map((bound) => bound / 1000),
  counts,
  sum: sum / 1000,
});

function ours(counters: Counters): MetricsSnapshot {
  const slots = counters.snapshot();
  const rowOf = ({ method, path }: SlotCount) => ({ method, path });
  const answers = slots.flatMap((slot) =>
    slot.statuses.flatMap((latencies, i) =>
      countOf(latencies) > 0 ? { latencies, labels: { ...rowOf(slot), status: `${i + 1}xx` } } : [],
    ),
  );
  const each = (value: (slot: SlotCount) => number): Sample[] =>
    slots.map((slot) => ({ value: value(slot), labels: rowOf(slot) }));
  const one = (value: number): Sample[] => [{ value, labels: {} }];
  const counted = answers.map(({ latencies, labels }) => ({ value: countOf(latencies), labels }));
  const took = answers.map(({ latencies, labels }) => ({
    durations: durationsOf(latencies),
    labels,
  }));
  const asks = slots
    .filter(({ asks }) => countOf(asks) > 0)
    .map((slot) => ({ durations: durationsOf(slot.asks), labels: rowOf(slot) }));
  const [bytes, threw] = [each((slot) => slot.bytes), each((slot) => slot.exceptions)];
  const left = each((slot) => slot.aborted);
  const { connections, inFlight } = counters;
  const waited = 'Requests whose answer is being waited for.';
  return [
    counter('http_requests_total', 'Answers by row and status class.', counted, 'sum'),
    histogram(
      'http_request_duration_seconds',
      'Time from the head of a request to its answer, by row and status class.',
      took,
      'sum',
    ),
    counter('http_response_bytes_total', 'Body bytes of answers by row.', bytes, 'sum'),
    counter('http_exceptions_total', 'Handlers that threw, by row.', threw, 'sum'),
    counter('http_aborted_total', 'Clients that left before their answer, by row.', left, 'sum'),
    histogram('http_ask_seconds', 'Time from an ask to its outcome, by row.', asks, 'sum'),
    gauge('http_connections', 'Open connections.', one(connections.value), 'sum'),
    gauge('http_in_flight', waited, one(inFlight.value), 'sum'),
  ];
}

/** The version of the service and of Node as labels; 1 whatever the number of processes. */
const buildInfo = (version: string) =>
  gauge(
    'build_info',
    'Version of the service and of Node.',
    [{ value: 1, labels: { version, node: process.version } }],
    'max',
  );

/**
 * The metrics of this process: the counts of the server and the default process metrics of prom-client. Make it once.
 */
export function createMetrics(
  counters: Counters,
  version: string,
): { snapshot(): Promise<MetricsSnapshot> } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with the name of a counter, which `promtool check metrics` refuses.
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  const build = buildInfo(version);
  return {
    snapshot: async () => [
      ...ours(counters),
      ...streamMetrics(counters.streams),
      build,
      ...(await registry.getMetricsAsJSON()),
    ],
  };
}

/**
 * The exposition text of the sum over processes. The cluster messages of prom-client need a node:cluster primary, which
 * workers that share a port by SO_REUSEPORT do not have. Its aggregation is a plain function of JSON, so any channel
 * that carries snapshots between processes works.
 */
export const renderMetrics = (snapshots: MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate<PrometheusContentType>(snapshots).metrics();

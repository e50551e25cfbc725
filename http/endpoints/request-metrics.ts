import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import { histogram, type MetricsSnapshot, metric, type Sample } from '../views/metric-json.ts';
import {
  type Counters,
  countOf,
  type Latencies,
  latencyBuckets,
  type SlotCount,
} from './counters.ts';

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
  const summed = (type: 'counter' | 'gauge', [name, help]: [string, string], values: Sample[]) =>
    metric([type, `http_${name}`, help], values, 'sum');
  const one = (value: number): Sample[] => [{ value, labels: {} }];
  return [
    summed(
      'counter',
      ['requests_total', 'Answers by row and status class.'],
      answers.map(({ latencies, labels }) => ({ value: countOf(latencies), labels })),
    ),
    histogram(
      [
        'http_request_duration_seconds',
        'Time from the head of a request to its answer, by row and status class.',
      ],
      answers.map(({ latencies, labels }) => ({ durations: durationsOf(latencies), labels })),
      'sum',
    ),
    summed(
      'counter',
      ['response_bytes_total', 'Body bytes of answers by row.'],
      each((slot) => slot.bytes),
    ),
    summed(
      'counter',
      ['exceptions_total', 'Handlers that threw, by row.'],
      each((slot) => slot.exceptions),
    ),
    summed(
      'counter',
      ['aborted_total', 'Clients that left before their answer, by row.'],
      each((slot) => slot.aborted),
    ),
    histogram(
      ['http_ask_seconds', 'Time from an ask to its outcome, by row.'],
      slots
        .filter(({ asks }) => countOf(asks) > 0)
        .map((slot) => ({ durations: durationsOf(slot.asks), labels: rowOf(slot) })),
      'sum',
    ),
    summed('gauge', ['connections', 'Open connections.'], one(counters.connections.value)),
    summed(
      'gauge',
      ['in_flight', 'Requests whose answer is being waited for.'],
      one(counters.inFlight.value),
    ),
  ];
}

/** The version of the service and of Node as labels; 1 whatever the number of processes. */
const buildInfo = (version: string) =>
  metric(
    ['gauge', 'build_info', 'Version of the service and of Node.'],
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
    snapshot: async () => [...ours(counters), build, ...(await registry.getMetricsAsJSON())],
  };
}

/**
 * The exposition text of the sum over processes. The cluster messages of prom-client need a node:cluster primary, which
 * workers that share a port by SO_REUSEPORT do not have. Its aggregation is a plain function of JSON, so any channel
 * that carries snapshots between processes works.
 */
export const renderMetrics = (snapshots: MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate<PrometheusContentType>(snapshots).metrics();

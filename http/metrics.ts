import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import {
  type Counters,
  countOf,
  type Latencies,
  latencyBuckets,
  type SlotCount,
} from './counters.ts';

/** The metrics of one process as plain JSON, in the form of prom-client's `getMetricsAsJSON`. */
export type MetricsSnapshot = object[];

/** Content type of `/metrics`. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

interface Sample {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

const metric = (type: 'counter' | 'gauge' | 'histogram', name: string, help: string) => ({
  name: `tidemark_http_${name}`,
  help,
  type,
  /** Values of processes are added. */
  aggregator: 'sum',
});

const requests = metric('counter', 'requests_total', 'Answers by row and status class.');
const bytes = metric('counter', 'response_bytes_total', 'Body bytes of answers by row.');
const exceptions = metric('counter', 'exceptions_total', 'Handlers that threw, by row.');
const aborted = metric(
  'counter',
  'aborted_total',
  'Clients that left before their answer, by row.',
);
const connections = metric('gauge', 'connections', 'Open connections.');
const inFlight = metric('gauge', 'in_flight', 'Requests whose answer is being waited for.');
const requestSeconds = metric(
  'histogram',
  'request_duration_seconds',
  'Time from the head of a request to its answer, by row and status class.',
);
const askSeconds = metric('histogram', 'ask_seconds', 'Time from an ask to its outcome, by row.');

/** The samples of a histogram called `name`. */
function histogram(
  name: string,
  { counts, sum }: Latencies,
  labels: Record<string, string>,
): Sample[] {
  let count = 0;
  const buckets = counts.map((counted, i) => {
    count += counted;
    const bound = latencyBuckets[i];
    const le = bound === undefined ? '+Inf' : bound / 1000;
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: sum / 1000, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

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
  const of = (form: ReturnType<typeof metric>, values: Sample[]) => ({ ...form, values });
  return [
    of(
      requests,
      answers.map(({ latencies, labels }) => ({ value: countOf(latencies), labels })),
    ),
    of(
      requestSeconds,
      answers.flatMap(({ latencies, labels }) => histogram(requestSeconds.name, latencies, labels)),
    ),
    of(
      bytes,
      each((slot) => slot.bytes),
    ),
    of(
      exceptions,
      each((slot) => slot.exceptions),
    ),
    of(
      aborted,
      each((slot) => slot.aborted),
    ),
    of(
      askSeconds,
      slots
        .filter(({ asks }) => countOf(asks) > 0)
        .flatMap((slot) => histogram(askSeconds.name, slot.asks, rowOf(slot))),
    ),
    of(connections, one(counters.connections.value)),
    of(inFlight, one(counters.inFlight.value)),
  ];
}

/** The version of the service and of Node as labels; 1 whatever the number of processes. */
const buildInfo = (version: string) => ({
  name: 'tidemark_build_info',
  help: 'Version of the service and of Node.',
  type: 'gauge',
  aggregator: 'max',
  values: [{ value: 1, labels: { version, node: process.version } }],
});

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

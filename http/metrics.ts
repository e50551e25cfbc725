import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import { askBuckets, type Counters, type SlotCount } from './counters.ts';

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
  /** Values of processes are added. */
  of: (values: Sample[]) => ({
    name: `tidemark_http_${name}`,
    help,
    type,
    aggregator: 'sum',
    values,
  }),
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
const askSeconds = metric('histogram', 'ask_seconds', 'Time from an ask to its outcome, by row.');

function histogram({ method, path, asks, askTime }: SlotCount): Sample[] {
  const labels = { method, path };
  let count = 0;
  const buckets = asks.map((asked, i) => {
    count += asked;
    const bound = askBuckets[i];
    const le = bound === undefined ? '+Inf' : bound / 1000;
    return {
      value: count,
      labels: { ...labels, le },
      metricName: 'tidemark_http_ask_seconds_bucket',
    };
  });
  return [
    ...buckets,
    { value: askTime / 1000, labels, metricName: 'tidemark_http_ask_seconds_sum' },
    { value: count, labels, metricName: 'tidemark_http_ask_seconds_count' },
  ];
}

function ours(counters: Counters): MetricsSnapshot {
  const slots = counters.snapshot();
  const each = (value: (slot: SlotCount) => number) =>
    slots.map((slot) => ({ value: value(slot), labels: { method: slot.method, path: slot.path } }));
  return [
    requests.of(
      slots.flatMap(({ method, path, statuses }) =>
        statuses.flatMap((value, i) =>
          value > 0 ? { value, labels: { method, path, status: `${i + 1}xx` } } : [],
        ),
      ),
    ),
    bytes.of(each((slot) => slot.bytes)),
    exceptions.of(each((slot) => slot.exceptions)),
    aborted.of(each((slot) => slot.aborted)),
    askSeconds.of(slots.filter(({ asks }) => asks.some((asked) => asked > 0)).flatMap(histogram)),
    connections.of([{ value: counters.connections.value, labels: {} }]),
    inFlight.of([{ value: counters.inFlight.value, labels: {} }]),
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

import type { LatencyQuantiles } from '../../indicators/market/latencies.ts';
import { isIdle, type StatusView } from './feed-status.ts';
import { type MetricsSnapshot, metric, type Sample } from './metric-json.ts';

/** A sample for each quantile, in seconds. */
const samplesOf = ({ p50, p95, p99 }: LatencyQuantiles, labels: Sample['labels']): Sample[] =>
  Object.entries({ '0.5': p50, '0.95': p95, '0.99': p99 }).map(([quantile, ms]) => ({
    value: ms / 1_000,
    labels: { ...labels, quantile },
  }));

/** The feeds' states as Prometheus gauges; every worker knows the same, so only one worker's are rendered. */
export function feedMetrics(status: StatusView, now: number): MetricsSnapshot {
  const feeds = [...status.feeds()].filter((feed) => !isIdle(feed));
  const gauge = (
    name: string,
    help: string,
    read: (feed: (typeof feeds)[number]) => number | null,
  ) =>
    metric(
      ['gauge', `feed_${name}`, help],
      feeds.flatMap((feed) => {
        const value = read(feed);
        const { source, topic, part } = feed;
        return value === null ? [] : [{ value, labels: { source, topic, part } }];
      }),
    );
  return [
    gauge('up', '1 when the last poll succeeded.', ({ state }) => (state === 'up' ? 1 : 0)),
    gauge('age_seconds', 'Time since the last success.', ({ last_success }) =>
      last_success === null ? null : Math.max(0, now - last_success) / 1000,
    ),
    gauge('latency_seconds', 'Duration of the last successful poll.', ({ latency_ms }) =>
      latency_ms === null ? null : latency_ms / 1000,
    ),
    gauge('rows', 'Rows of the last successful poll.', ({ rows }) => rows),
    gauge('dropped_rows', 'Rows of the last successful poll that were not used.', ({ dropped }) =>
      Object.values(dropped).reduce((sum, count) => sum + count, 0),
    ),
    gauge('failures', 'Consecutive failures.', ({ failures }) => failures),
    metric(
      [
        'gauge',
        'event_latency_seconds',
        'Time from the time that a source states to our receipt, by its stream, of the last minute or two.',
      ],
      feeds.flatMap(({ source, topic, part, event_latency_ms: latency }) =>
        latency ? samplesOf(latency, { source, topic, part }) : [],
      ),
    ),
    metric(
      [
        'gauge',
        'delivery_seconds',
        'Time from the receipt of a value to its writing to the clients of streams, of the last minute or two, over all web processes.',
      ],
      [...status.deliveries()].flatMap(([source, latency]) => samplesOf(latency, { source })),
    ),
  ];
}

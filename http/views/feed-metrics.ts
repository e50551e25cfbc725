import type { LatencyQuantiles } from '../../indicators/market/latencies.ts';
import { isIdle, type StatusView } from './feed-status.ts';
import { gauge, type MetricsSnapshot, type Sample } from './metric-json.ts';

/** A sample for each quantile, in seconds. */
const samplesOf = ({ p50, p95, p99 }: LatencyQuantiles, labels: Sample['labels']): Sample[] =>
  Object.entries({ '0.5': p50, '0.95': p95, '0.99': p99 }).map(([quantile, ms]) => ({
    value: ms / 1_000,
    labels: { ...labels, quantile },
  }));

/** The feeds' states as Prometheus gauges; every worker knows the same, so only one worker's are rendered. */
export function feedMetrics(status: StatusView, now: number): MetricsSnapshot {
  const feeds = [...status.feeds()].filter((feed) => !isIdle(feed));
  const each = (read: (feed: (typeof feeds)[number]) => number | null): Sample[] =>
    feeds.flatMap((feed) => {
      const value = read(feed);
      const { source, topic, part } = feed;
      return value === null ? [] : [{ value, labels: { source, topic, part } }];
    });
  const age = each(({ last_success }) =>
    last_success === null ? null : Math.max(0, now - last_success) / 1000,
  );
  const latency = each(({ latency_ms }) => (latency_ms === null ? null : latency_ms / 1000));
  const dropped = each((feed) => Object.values(feed.dropped).reduce((sum, one) => sum + one, 0));
  const up = each(({ state }) => (state === 'up' ? 1 : 0));
  const heard = feeds.flatMap(({ source, topic, part, event_latency_ms: own }) =>
    own ? samplesOf(own, { source, topic, part }) : [],
  );
  const delivered = [...status.deliveries()].flatMap(([source, own]) => samplesOf(own, { source }));
  const [rows, failures] = [each((feed) => feed.rows), each((feed) => feed.failures)];
  return [
    gauge('feed_up', '1 when the last poll succeeded.', up),
    gauge('feed_age_seconds', 'Time since the last success.', age),
    gauge('feed_latency_seconds', 'Duration of the last successful poll.', latency),
    gauge('feed_rows', 'Rows of the last successful poll.', rows),
    gauge('feed_dropped_rows', 'Rows of the last successful poll that were not used.', dropped),
    gauge('feed_failures', 'Consecutive failures.', failures),
    gauge(
      'event_latency_seconds',
      'Time from the time that a source states to our receipt, by its stream, of the last minute or two.',
      heard,
    ),
    gauge(
      'delivery_seconds',
      'Time from the receipt of a value to its writing to the clients of streams, of the last minute or two, over all web processes.',
      delivered,
    ),
  ];
}

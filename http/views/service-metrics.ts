/** The metrics of the whole service, of which every web worker knows the same: only one worker's are rendered. */
import type { CacheCounts } from '../../actors/topics/index.ts';
import type { LatencyQuantiles } from '../../indicators/market/latencies.ts';
import { type ComputeView, computeMetrics } from './compute-metrics.ts';
import { isIdle, type StatusView } from './feed-status.ts';
import type { Health } from './health.ts';
import { counter, gauge, type MetricsSnapshot, type Sample } from './metric-json.ts';
import { processMetrics } from './process-metrics.ts';

const outcomes = ['hits', 'joined', 'loaded', 'failed', 'stale', 'evicted'] as const;

/** The caches of all processes as Prometheus metrics; every web worker knows the same, so only one worker's are rendered. */
function cacheMetrics(status: Pick<StatusView, 'processes'>): MetricsSnapshot {
  const caches = status.processes().flatMap(({ id: process, caches: byName = {} }) =>
    Object.entries(byName)
      .filter(([, counts]) => outcomes.some((outcome) => counts[outcome] > 0))
      .map(([cache, counts]) => ({ labels: { process, cache }, counts })),
  );
  const each = (name: keyof CacheCounts) =>
    caches.map(({ labels, counts }) => ({ value: counts[name], labels }));
  const byOutcome = caches.flatMap(({ labels, counts }) =>
    outcomes.map((outcome) => ({ value: counts[outcome], labels: { ...labels, outcome } })),
  );
  const help = 'Queries by outcome, and entries that made room for others.';
  return [
    counter('query_cache_total', help, byOutcome),
    gauge('query_cache_entries', 'Replies that are kept.', each('entries')),
    gauge('query_cache_bytes', 'Bytes of the replies that are kept, as estimated.', each('bytes')),
  ];
}

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

type RedisHealth = Pick<Health, 'redis' | 'redisLatency' | 'newest'>;

/** The figures of `/healthz` as gauges. */
function healthMetrics(health: RedisHealth, now: number): MetricsSnapshot {
  const one = (value: number | null) => (value === null ? [] : [{ value, labels: {} }]);
  const redis = health.redis();
  const { p50_ms: p50, p99_ms: p99 } = health.redisLatency() ?? {};
  const quantiles = Object.entries({ '0.5': p50, '0.99': p99 }).flatMap(([quantile, ms]) =>
    ms === undefined ? [] : [{ value: ms / 1000, labels: { quantile } }],
  );
  const newest = health.newest();
  const age = newest === null ? null : Math.max(0, now - newest) / 1000;
  const isWritable = redis === 'up' || redis === 'slow';
  const latency = 'Time that Redis takes to answer a ping, of the last minute.';
  return [
    gauge('redis_up', '1 when Redis answers.', one(redis === 'down' ? 0 : 1)),
    gauge('redis_writable', '1 when Redis takes writes.', one(isWritable ? 1 : 0)),
    gauge('redis_latency_seconds', latency, quantiles),
    gauge('newest_reading_age_seconds', 'Time since the newest price was received.', one(age)),
  ];
}

/** The metrics of the whole service; every web worker knows the same. */
export const serviceMetrics = (
  { status, pools }: { status: StatusView; pools: ComputeView },
  health: RedisHealth,
  now: number,
): MetricsSnapshot[] => [
  healthMetrics(health, now),
  processMetrics(status.processes()),
  feedMetrics(status, now),
  computeMetrics(pools, now),
  cacheMetrics(status),
];

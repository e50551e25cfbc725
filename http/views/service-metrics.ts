import { cacheMetrics } from './cache-metrics.ts';
import { type ComputeView, computeMetrics } from './compute-metrics.ts';
import { feedMetrics } from './feed-metrics.ts';
import type { StatusView } from './feed-status.ts';
import type { Health } from './health.ts';
import { gauge, type MetricsSnapshot } from './metric-json.ts';
import { processMetrics } from './process-metrics.ts';

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

import { cacheMetrics } from './cache-metrics.ts';
import { type ComputeView, computeMetrics } from './compute-metrics.ts';
import { feedMetrics } from './feed-metrics.ts';
import type { StatusView } from './feed-status.ts';
import type { Health } from './health.ts';
import { type MetricsSnapshot, metric } from './metric-json.ts';
import { processMetrics } from './process-metrics.ts';

type RedisHealth = Pick<Health, 'redis' | 'redisLatency' | 'newest'>;

/** The figures of `/healthz` as gauges. */
function healthMetrics(health: RedisHealth, now: number): MetricsSnapshot {
  const gauge = (name: string, help: string, value: number | null) =>
    metric(['gauge', name, help], value === null ? [] : [{ value, labels: {} }]);
  const redis = health.redis();
  const latency = health.redisLatency();
  const quantiles =
    latency === null
      ? []
      : ([
          ['0.5', latency.p50_ms],
          ['0.99', latency.p99_ms],
        ] as const);
  const newest = health.newest();
  return [
    gauge('redis_up', '1 when Redis answers.', redis === 'down' ? 0 : 1),
    gauge(
      'redis_writable',
      '1 when Redis takes writes.',
      redis === 'up' || redis === 'slow' ? 1 : 0,
    ),
    metric(
      [
        'gauge',
        'redis_latency_seconds',
        'Time that Redis takes to answer a ping, of the last minute.',
      ],
      quantiles.map(([quantile, ms]) => ({ value: ms / 1000, labels: { quantile } })),
    ),
    gauge(
      'newest_reading_age_seconds',
      'Time since the newest price was received.',
      newest === null ? null : Math.max(0, now - newest) / 1000,
    ),
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

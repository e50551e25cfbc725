import type { CacheCounts } from '../../actors/topics/index.ts';
import type { StatusView } from './feed-status.ts';
import { type MetricsSnapshot, metric } from './metric-json.ts';

const outcomes = ['hits', 'joined', 'loaded', 'failed', 'stale', 'evicted'] as const;

/** The caches of all processes as Prometheus metrics; every web worker knows the same, so only one worker's are rendered. */
export function cacheMetrics(status: Pick<StatusView, 'processes'>): MetricsSnapshot {
  const caches = status.processes().flatMap(({ id: process, caches: byName = {} }) =>
    Object.entries(byName)
      .filter(([, counts]) => outcomes.some((outcome) => counts[outcome] > 0))
      .map(([cache, counts]) => ({ labels: { process, cache }, counts })),
  );
  const gauge = (name: keyof CacheCounts, help: string) =>
    metric(
      ['gauge', `query_cache_${name}`, help],
      caches.map(({ labels, counts }) => ({ value: counts[name], labels })),
    );
  return [
    metric(
      [
        'counter',
        'query_cache_total',
        'Queries by outcome, and entries that made room for others.',
      ],
      caches.flatMap(({ labels, counts }) =>
        outcomes.map((outcome) => ({ value: counts[outcome], labels: { ...labels, outcome } })),
      ),
    ),
    gauge('entries', 'Replies that are kept.'),
    gauge('bytes', 'Bytes of the replies that are kept, as estimated.'),
  ];
}

import type { CacheCounts } from '../../actors/topics/index.ts';
import type { StatusView } from './feed-status.ts';
import { counter, gauge, type MetricsSnapshot } from './metric-json.ts';

const outcomes = ['hits', 'joined', 'loaded', 'failed', 'stale', 'evicted'] as const;

/** The caches of all processes as Prometheus metrics; every web worker knows the same, so only one worker's are rendered. */
export function cacheMetrics(status: Pick<StatusView, 'processes'>): MetricsSnapshot {
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

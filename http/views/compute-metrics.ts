import { type ComputeStatus, type Durations, topics } from '../../actors/topics/index.ts';
import type { MetricsSnapshot } from '../metrics.ts';

/** The pools of all running compute processes, as they last reported. */
export class ComputeView {
  readonly #pools = new Map<string, ComputeStatus>();

  accept(process: string, status: ComputeStatus): void {
    this.#pools.set(process, status);
  }

  /** The pools of which there is news, by process id; the others are forgotten. */
  living(now: number): ReadonlyMap<string, ComputeStatus> {
    for (const [process, { at }] of this.#pools) {
      if (now - at > topics.compute.maxAge) this.#pools.delete(process);
    }
    return this.#pools;
  }
}

function histogram(name: string, process: string, { bounds, counts, sum }: Durations) {
  let count = 0;
  const buckets = counts.map((counted, i) => {
    count += counted;
    return {
      value: count,
      labels: { process, le: bounds[i] ?? '+Inf' },
      metricName: `${name}_bucket`,
    };
  });
  const labels = { process };
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

/** The pools as Prometheus metrics; every web worker knows the same, so only one worker's are rendered. */
export function computeMetrics(view: ComputeView, now: number): MetricsSnapshot {
  const pools = [...view.living(now)];
  const metric = (
    type: 'gauge' | 'counter' | 'histogram',
    [name, help]: readonly [string, string],
    read: (status: ComputeStatus, process: string, name: string) => object[],
  ) => {
    const full = `tidemark_compute_${name}`;
    const values = pools.flatMap(([process, status]) => read(status, process, full));
    return { name: full, help, type, aggregator: 'first', values };
  };
  const one =
    (read: (status: ComputeStatus) => number) => (status: ComputeStatus, process: string) => [
      { value: read(status), labels: { process } },
    ];
  const all = [
    metric(
      'gauge',
      ['threads', 'Threads of the pool.'],
      one(({ threads }) => threads),
    ),
    metric(
      'gauge',
      ['queued', 'Jobs that wait for a thread.'],
      one(({ queued }) => queued),
    ),
    metric(
      'counter',
      ['batches_total', 'Dispatches to threads.'],
      one(({ batches }) => batches),
    ),
    metric(
      'counter',
      ['threads_replaced_total', 'Threads that died.'],
      one((s) => s.replaced),
    ),
    metric('counter', ['jobs_total', 'Jobs by where or how they ended.'], ({ jobs }, process) =>
      Object.entries(jobs).map(([end, value]) => ({ value, labels: { process, end } })),
    ),
    metric(
      'histogram',
      ['wait_seconds', 'Time of jobs in the queue and on their way.'],
      ({ wait }, process, name) => histogram(name, process, wait),
    ),
    metric('histogram', ['run_seconds', 'Time that jobs took.'], ({ run }, process, name) =>
      histogram(name, process, run),
    ),
  ];
  return pools.length === 0 ? [] : all;
}

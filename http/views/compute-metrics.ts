import { type ComputeStatus, topics } from '../../actors/topics/index.ts';
import { histogram, type MetricsSnapshot, metric, type Sample } from './metric-json.ts';

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

/** The pools as Prometheus metrics; every web worker knows the same, so only one worker's are rendered. */
export function computeMetrics(view: ComputeView, now: number): MetricsSnapshot {
  const pools = [...view.living(now)];
  const each = (read: (status: ComputeStatus) => number): Sample[] =>
    pools.map(([process, status]) => ({ value: read(status), labels: { process } }));
  const timed = (of: 'wait' | 'run') =>
    pools.map(([process, status]) => ({ durations: status[of], labels: { process } }));
  const jobs = pools.flatMap(([process, status]) =>
    Object.entries(status.jobs).map(([end, value]) => ({ value, labels: { process, end } })),
  );
  const all = [
    metric(
      ['gauge', 'compute_threads', 'Threads of the pool.'],
      each(({ threads }) => threads),
    ),
    metric(
      ['gauge', 'compute_queued', 'Jobs that wait for a thread.'],
      each(({ queued }) => queued),
    ),
    metric(
      ['counter', 'compute_batches_total', 'Dispatches to threads.'],
      each(({ batches }) => batches),
    ),
    metric(
      ['counter', 'compute_threads_replaced_total', 'Threads that died.'],
      each(({ replaced }) => replaced),
    ),
    metric(['counter', 'compute_jobs_total', 'Jobs by where or how they ended.'], jobs),
    histogram(
      ['compute_wait_seconds', 'Time of jobs in the queue and on their way.'],
      timed('wait'),
    ),
    histogram(['compute_run_seconds', 'Time that jobs took.'], timed('run')),
  ];
  return pools.length === 0 ? [] : all;
}

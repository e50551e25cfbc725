import { type ComputeStatus, topics } from '../../actors/topics/index.ts';
import { counter, gauge, histogram, type MetricsSnapshot, type Sample } from './metric-json.ts';

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
  if (pools.length === 0) return [];
  const [threads, queued] = [each((pool) => pool.threads), each((pool) => pool.queued)];
  const [batches, replaced] = [each((pool) => pool.batches), each((pool) => pool.replaced)];
  return [
    gauge('compute_threads', 'Threads of the pool.', threads),
    gauge('compute_queued', 'Jobs that wait for a thread.', queued),
    counter('compute_batches_total', 'Dispatches to threads.', batches),
    counter('compute_threads_replaced_total', 'Threads that died.', replaced),
    counter('compute_jobs_total', 'Jobs by where or how they ended.', jobs),
    histogram('compute_wait_seconds', 'Time of jobs in the queue and on their way.', timed('wait')),
    histogram('compute_run_seconds', 'Time that jobs took.', timed('run')),
  ];
}

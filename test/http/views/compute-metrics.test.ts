import t from 'tap';
import { type ComputeStatus, topics } from '../../../actors/topics/index.ts';
import { renderMetrics } from '../../../http/endpoints/request-metrics.ts';
import { ComputeView, computeMetrics } from '../../../http/views/compute-metrics.ts';

const status = (over: Partial<ComputeStatus> = {}): ComputeStatus => ({
  at: 1_000,
  threads: 2,
  queued: 3,
  jobs: { inline: 4, thread: 5, full: 1 },
  batches: 2,
  replaced: 1,
  wait: { bounds: [0.001, 0.01], counts: [1, 2, 3], sum: 0.5 },
  run: { bounds: [0.001], counts: [9, 0], sum: 0.25 },
  ...over,
});

t.test('pools as Prometheus metrics, one label per process', async (t) => {
  const view = new ComputeView();
  view.accept('compute-a', status());
  view.accept('compute-b', status({ queued: 0 }));
  const text = await renderMetrics([computeMetrics(view, 2_000)]);
  const lines = text.split('\n');
  const types = lines.flatMap((line) => /^# TYPE tidemark_compute_(.*)/.exec(line)?.[1] ?? []);
  t.strictSame(types, [
    ...['threads gauge', 'queued gauge', 'batches_total counter', 'threads_replaced_total counter'],
    ...['jobs_total counter', 'wait_seconds histogram', 'run_seconds histogram'],
  ]);
  for (const line of [
    'tidemark_compute_queued{process="compute-a"} 3',
    'tidemark_compute_queued{process="compute-b"} 0',
    'tidemark_compute_threads{process="compute-a"} 2',
    'tidemark_compute_batches_total{process="compute-a"} 2',
    'tidemark_compute_threads_replaced_total{process="compute-a"} 1',
    'tidemark_compute_jobs_total{process="compute-a",end="thread"} 5',
    'tidemark_compute_jobs_total{process="compute-a",end="full"} 1',
    'tidemark_compute_wait_seconds_bucket{process="compute-a",le="0.001"} 1',
    'tidemark_compute_wait_seconds_bucket{process="compute-a",le="0.01"} 3',
    'tidemark_compute_wait_seconds_bucket{process="compute-a",le="+Inf"} 6',
    'tidemark_compute_wait_seconds_sum{process="compute-a"} 0.5',
    'tidemark_compute_wait_seconds_count{process="compute-a"} 6',
    'tidemark_compute_run_seconds_count{process="compute-b"} 9',
  ]) {
    t.ok(lines.includes(line), line);
  }
});

t.test('a process that no longer reports is forgotten', async (t) => {
  const view = new ComputeView();
  t.same(computeMetrics(view, 0), [], 'none at all');
  view.accept('compute-a', status());
  t.equal(view.living(1_000 + topics.compute.maxAge).size, 1);
  t.equal(view.living(1_001 + topics.compute.maxAge).size, 0);
});

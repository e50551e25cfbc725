/** What runs in a thread of the pool. */
import { type Job, runJob } from './job.ts';

/** What became of one job of a batch, and how many milliseconds it ran. */
export type Outcome = { json: string; ms: number } | { fault: string; ms: number };

/** Runs one job; an exception in it fails this job alone. */
export function outcomeOf(job: Job): Outcome {
  const started = performance.now();
  try {
    const json = runJob(job);
    return { json, ms: performance.now() - started };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { fault, ms: performance.now() - started };
  }
}

/** Jobs that go to a thread together. */
export interface Batch {
  jobs: readonly Job[];
  /** Shared: its first element becomes 1 when the thread begins. */
  begun: Int32Array;
}

/** Runs a batch: one outcome per job, in order. */
export default function runBatch({ jobs, begun }: Batch): Outcome[] {
  Atomics.store(begun, 0, 1);
  return jobs.map(outcomeOf);
}

/** A thread that does what the head of a job says: dies, hangs, throws or answers. */
import type { Batch, Outcome } from '../../indicators/worker.ts';

export default function runBatch({ jobs, begun }: Batch): Outcome[] {
  const isMute = jobs.some(({ head }) => head.act === 'mute');
  if (!isMute) Atomics.store(begun, 0, 1);
  return jobs.map(({ head, block }) => {
    if (head.act === 'die') process.exit(1);
    if (head.act === 'crash') throw new Error('a fault of the batch');
    if (head.act === 'hang' || isMute) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (head.act === 'throw') return { fault: 'a fault of its own', ms: 1 };
    return { json: JSON.stringify([head.n, block.length, jobs.length]), ms: 1 };
  });
}

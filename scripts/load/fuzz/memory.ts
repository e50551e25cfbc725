import { residentMegabytes } from '../../bench/usage.ts';
import { UsageError } from '../arguments.ts';

/** Resident memory of processes, MiB, from /proc (Linux). Throws UsageError for one that is not there. */
export function residentMemory(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0);
  } catch {
    throw new UsageError(`--pid: there is no /proc/PID/status of one of ${pids.join(', ')}`);
  }
}

/**
 * Whether memory stays flat: the least of the samples of the first quarter against that of the last one. The
 * least, because a garbage collector lets every other value rise between its runs.
 */
export function growth(samples: readonly number[]): number {
  const quarter = Math.max(1, samples.length >> 2);
  return Math.min(...samples.slice(-quarter)) - Math.min(...samples.slice(0, quarter));
}

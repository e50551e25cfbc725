/** What a process has taken of the machine so far. */
import { readFileSync } from 'node:fs';

/** For how long the main thread of a process has been ready and waited for a processor, seconds. */
export const waitedBy = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;

export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

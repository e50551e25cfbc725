/** What a process takes of the machine. Linux. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** Of the processor. */
  seconds: number;
  megabytes: number;
}

/** The values after the name in `/proc/PID/stat`; empty where there is no such process. */
function fieldsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** For how long the main thread of a process has waited for a processor, seconds. */
export const waitedBy = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;

export function usageOf(pid: number): Usage {
  const fields = fieldsOf(pid);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: kilobytes / 1_024 };
}

/** A process and all that it has started, the first of them first. */
export function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const found = [pid];
  for (const parent of found)
    found.push(...all.filter((one) => Number(fieldsOf(one)[1]) === parent));
  return found;
}

/** The sum over a process and all that it has started. */
export function usageOfFamily(pid: number): Usage {
  const sum = { seconds: 0, megabytes: 0 };
  for (const one of familyOf(pid)) {
    const { seconds, megabytes } = usageOf(one);
    sum.seconds += seconds;
    sum.megabytes += megabytes;
  }
  return sum;
}

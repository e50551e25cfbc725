/** Servers loaded from a process of its own (wrk), in turns, and what they came to beside each other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './report.ts';

/** Times that each is loaded, after once for the compiler. */
export const rounds = 5;
/** Length of one load. */
const seconds = 1;

/** What one load measured. */
export interface Load {
  perSecond: number;
  /** Processor time of the server per request, microseconds; NaN where there is no /proc. */
  cpuUs: number;
}

/** One thing that is loaded. */
interface Run {
  url: string;
  /** Process whose processor time is taken. */
  pid: number | undefined;
  /** File of requests that are sent in turn, each line a path and a key. */
  inTurn: string;
}

/** Processor time of the threads of a process so far, microseconds: the scheduler counts nanoseconds, `stat` hundredths. */
export function cpuOf(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => {
      const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
      return sum + Number(ns) / 1_000;
    }, 0);
  } catch {
    return Number.NaN;
  }
}

async function load({ url, pid, inTurn }: Run): Promise<Load> {
  const script = join(import.meta.dirname, 'in-turn.lua');
  const before = cpuOf(pid);
  const wrk = spawn('wrk', ['-t1', '-c40', `-d${seconds}`, '-s', script, url, '--', inTurn], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  wrk.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code] = await once(wrk, 'close');
  if (code !== 0) throw new Error(`wrk has failed: ${text}`);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    cpuUs: (cpuOf(pid) - before) / requests,
  };
}

/** Loads all in turns; the figures of each, by round. */
export async function loadAll(runs: readonly Run[]): Promise<Load[][]> {
  const loads: Load[][] = runs.map(() => []);
  for (const run of runs) await load(run);
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of runs.entries()) loads[i]?.push(await load(run));
  }
  return loads;
}

/**
 * The first ones' figures to those of others. Rounds differ by what else the machine does: the median of their own ratios.
 */
export const ratioOf = (
  ours: readonly Load[] = [],
  its: readonly Load[] = [],
  figure: keyof Load = 'cpuUs',
): number => median(its.map((one, round) => (ours[round]?.[figure] ?? Number.NaN) / one[figure]));

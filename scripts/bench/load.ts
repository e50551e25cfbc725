import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one run of the load generator measured. */
export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  /** Processor time of the server per request, microseconds; NaN where there is no /proc. */
  cpuUs: number;
}

const toMs = (text: string | undefined): number => {
  const [, value, unit] = /([\d.]+)(us|ms|s)/.exec(text ?? '') ?? [];
  const factor = unit === 'us' ? 1e-3 : unit === 's' ? 1e3 : 1;
  return Number(value ?? Number.NaN) * factor;
};

/** How a URL is loaded. */
export interface LoadOptions {
  connections?: number;
  /** Whole ones. */
  seconds?: number;
  headers?: Readonly<Record<string, string>>;
  /** Process whose processor time is taken. */
  pid?: number | undefined;
  /** Mean pause of each connection between an answer and the next request; without it they never pause. */
  pauseMs?: number;
  /** File of requests that are sent in turn, each line a path and a key, in place of the path and headers. */
  inTurn?: string | undefined;
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

/** Loads a URL from a process of its own (wrk, one thread, keep-alive connections). */
export async function load(url: string, options: LoadOptions = {}): Promise<Load> {
  const { connections = 40, seconds = 3, headers = {}, pid, pauseMs, inTurn } = options;
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const scripts = { 'paced.lua': pauseMs, 'in-turn.lua': inTurn };
  const [script, argument] = Object.entries(scripts).find(([, given]) => given !== undefined) ?? [];
  const scripted = script === undefined ? [] : ['-s', join(import.meta.dirname, script)];
  const sizes = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency'];
  const given = argument === undefined ? [] : ['--', String(argument)];
  const before = cpuOf(pid);
  const wrk = spawn('wrk', [...sizes, ...scripted, ...lines, url, ...given], {
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
    p50Ms: toMs(/50%\s+(\S+)/.exec(text)?.[1]),
    p99Ms: toMs(/99%\s+(\S+)/.exec(text)?.[1]),
    errors: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
    cpuUs: (cpuOf(pid) - before) / requests,
  };
}

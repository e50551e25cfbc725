import { spawn } from 'node:child_process';

/** What one run of the load generator measured. */
export interface Load {
  perSecond: number;
  p99Ms: number;
  errors: number;
}

const toMs = (text: string | undefined): number => {
  const [, value, unit] = /([\d.]+)(us|ms|s)/.exec(text ?? '') ?? [];
  const factor = unit === 'us' ? 1e-3 : unit === 's' ? 1e3 : 1;
  return Number(value ?? Number.NaN) * factor;
};

/** Loads a URL from a process of its own (wrk, one thread, keep-alive connections). */
export function load(url: string, { connections = 40, seconds = 3 } = {}): Promise<Load> {
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', url];
  const wrk = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  wrk.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    wrk.once('error', reject).once('exit', () => {
      const bad = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0;
      resolve({
        perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
        p99Ms: toMs(/99%\s+(\S+)/.exec(text)?.[1]),
        errors: Number(bad),
      });
    });
  });
}

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

/** How a URL is loaded. */
export interface LoadOptions {
  connections?: number;
  seconds?: number;
  headers?: Readonly<Record<string, string>>;
}

/** Loads a URL from a process of its own (wrk, one thread, keep-alive connections). */
export function load(url: string, options: LoadOptions = {}): Promise<Load> {
  const { connections = 40, seconds = 3, headers = {} } = options;
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', ...lines, url];
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

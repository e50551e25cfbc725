import type { ChildProcess } from 'node:child_process';
import { fullJitter } from '../../actors/kernel/backoff.ts';
import { misconfigured, type ProcessContext } from './process.ts';

/** A child process that is started again whenever it dies, unless it cannot run with the settings it has. */
export interface ChildService {
  readonly name: string;
  readonly pid: number | undefined;
  /** Ends it (SIGTERM, SIGKILL after `patience` ms) and starts it no more. */
  stop(patience?: number): Promise<void>;
}

/** Backoff of restarts, ms; after `healthy` ms of running the count of restarts begins at 0 again. */
const restart = { base: 200, cap: 10_000 };
const healthy = 30_000;

/**
 * Keeps a child process running. `spawn` starts it; it is called again after every unwanted end. A child that ends
 * with the status `misconfigured` has printed the reason: this process ends with the same status.
 */
export function keepRunning(
  name: string,
  spawn: () => ChildProcess,
  { log, end }: Pick<ProcessContext, 'log' | 'end'>,
): ChildService {
  let child: ChildProcess;
  let attempt = 0;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const since = performance.now();
    child = spawn();
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      if (stopping) return;
      if (code === misconfigured) return end(`${name} cannot run with these settings`, code);
      attempt = performance.now() - since > healthy ? 0 : attempt + 1;
      const delay = Math.round(fullJitter(attempt, restart, Math.random));
      log.warn({ child: name, code, signal, delay }, 'child ended, starting it again');
      timer = setTimeout(start, delay);
    };
    child.once('exit', ended);
    child.once('error', (error) => {
      log.error({ child: name, err: error }, 'child could not start');
      // The system had no process for it: there is no exit of what never ran.
      if (child.pid === undefined) ended(null, null);
    });
  };
  start();

  return {
    name,
    get pid() {
      return child.pid;
    },
    async stop(patience = 9_000) {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), patience);
      await gone;
      clearTimeout(kill);
    },
  };
}

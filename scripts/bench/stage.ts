/** What a benchmark of the service runs on: a Redis of its own, child processes, free ports; all gone at the end. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flagsOf } from '../../cmd/process/flags.ts';
import { freePort } from '../../cmd/process/port.ts';
import { childEnv } from '../../config/config.ts';

const root = join(import.meta.dirname, '..', '..');

export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  readonly #children: ChildProcess[] = [];
  readonly redisUrl = `unix://${join(this.folder, 'redis.sock')}`;

  constructor() {
    const socket = this.redisUrl.slice('unix://'.length);
    const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', this.folder];
    this.#children.push(spawn('redis-server', args, { stdio: 'ignore' }));
  }

  port(): Promise<number> {
    return freePort('127.0.0.1', 0);
  }

  /** Runs one of our scripts as a process, with `input` on its standard input. */
  run(script: string, args: string[], env: Record<string, string> = {}, input = ''): ChildProcess {
    const child = fork(join(root, script), args, {
      execArgv: [...process.execArgv, ...flagsOf(script)],
      env: childEnv({ LOG_LEVEL: 'error', ...env }),
      stdio: ['pipe', 2, 2, 'ipc'],
    });
    child.stdin?.end(input);
    this.#children.push(child);
    return child;
  }

  /** Runs a shell command, which must replace its shell by `exec`. */
  shell(command: string): ChildProcess {
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.#children.push(child);
    return child;
  }

  async end(): Promise<void> {
    for (const child of this.#children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Longest that a server may take to answer, milliseconds. */
const patience = 20_000;

/** Resolves with the answer once the URL answers 200. */
export async function answered(url: string, request: RequestInit = {}): Promise<Response> {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const response = await fetch(url, request).catch(() => null);
    if (response?.ok) return response;
    await response?.body?.cancel();
    await new Promise((wait) => setTimeout(wait, 50));
  }
  throw new Error(`${url} did not answer within ${patience} ms`);
}

/** What a run of the service stands on: a folder, servers of Redis, processes and free ports; all gone at the end. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silent } from '../../actors/bus/log.ts';
import { flagsOf } from '../../cmd/process/flags.ts';
import { freePort } from '../../cmd/process/port.ts';
import { childEnv } from '../../config/config.ts';
import { issueKey } from '../../http/auth/issue.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';

const root = join(import.meta.dirname, '..', '..');

/** The script of a web worker without a primary process: it is measured, and killed, as a whole. */
export const webWorker = 'scripts/bench/web.ts';

/** Ends a process, and resolves when it is gone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'tidemark-stage-'));
  readonly #children: ChildProcess[] = [];
  readonly #ends: (() => unknown)[] = [];
  /** Below the ports of connections: one of them could take that of a process which is away. */
  #next = 20_000 + (process.pid % 600) * 20;

  async port(): Promise<number> {
    const port = this.#next++;
    return freePort('127.0.0.1', port).catch(() => this.port());
  }

  /** Calls `end` at the end, after all processes, the last one first. */
  teardown(end: () => unknown): void {
    this.#ends.push(end);
  }

  async redis(...args: string[]): Promise<TestRedis> {
    const server = await startRedis({ args });
    this.teardown(() => server.stop());
    return server;
  }

  /** Runs one of our scripts as a process, with `input` on its standard input. */
  run(script: string, args: string[], env: Record<string, string> = {}, input = ''): ChildProcess {
    const child = fork(join(root, script), args, {
      execArgv: flagsOf(script),
      env: childEnv({ LOG_LEVEL: 'fatal', DATA_DIR: this.folder, ...env }),
      stdio: ['pipe', 2, 2, 'ipc'],
    });
    child.stdin?.end(input);
    this.#children.push(child);
    return child;
  }

  async end(): Promise<void> {
    await Promise.all(this.#children.map((child) => ended(child, 'SIGTERM')));
    for (const end of this.#ends.toReversed()) await end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Runs `work` on a stage, which ends with it. */
export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage();
  try {
    return await work(stage);
  } finally {
    await stage.end();
  }
}

/** A new key of an account. */
export const keyOf = (redisUrl: string, account: string, plan: string): Promise<string> =>
  issueKey({ redisUrl, account, plan, name: 'stage', log: silent });

/** Longest that a server may take to answer, milliseconds. */
const patience = 300_000;

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

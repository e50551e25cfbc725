/** The service of the chaos run: a Redis that loses nothing, a feed with one stream of liquidations, two web processes. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../cmd/process/port.ts';
import { childEnv } from '../../../config/config.ts';
import { EventUpstream } from '../event-upstream.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Milliseconds that Redis takes to load what it has. */
const redisPause = 300;
export const roles = ['redis', 'feed', 'web-1', 'web-2'] as const;
export type Role = (typeof roles)[number];

export class Service {
  readonly upstream = new EventUpstream();
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidemark-chaos-'));
  readonly redisUrl = `unix://${join(this.#folder, 'redis.sock')}`;
  /** Of the web processes. */
  readonly ports: number[] = [];
  readonly #processes = new Map<Role, ChildProcess>();
  #gateway = '';

  async begin(): Promise<void> {
    this.#gateway = await this.upstream.listen();
    for (const _ of [1, 2]) this.ports.push(await freePort('127.0.0.1', 0));
    this.#start('redis');
    await new Promise((resolve) => setTimeout(resolve, redisPause));
    for (const role of roles) if (role !== 'redis') this.#start(role);
    while (this.upstream.listeners === 0 || !(await this.#isUp())) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** `kill -9`, and a new process of the same kind after `absence` ms. */
  async replace(role: Role, absence: number): Promise<void> {
    const child = this.#processes.get(role);
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await new Promise((resolve) => setTimeout(resolve, absence));
    this.#start(role);
  }

  /** Asks a process to end, as for an update, and starts another one. */
  async restart(role: Role): Promise<void> {
    const child = this.#processes.get(role);
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    this.#start(role);
  }

  async end(): Promise<void> {
    this.upstream.close();
    for (const child of this.#processes.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  async #isUp(): Promise<boolean> {
    const answers = this.ports.map((port) =>
      fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null),
    );
    return (await Promise.all(answers)).every((answer) => answer?.ok);
  }

  #start(role: Role): void {
    this.#processes.set(role, role === 'redis' ? this.#redis() : this.#process(role));
  }

  #redis(): ChildProcess {
    const socket = this.redisUrl.slice('unix://'.length);
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const args = ['--port', '0', '--unixsocket', socket, '--dir', this.#folder, ...durable];
    return spawn('redis-server', args, { stdio: 'ignore' });
  }

  /** One process without children of its own: a killed primary would leave its workers. */
  #process(role: Exclude<Role, 'redis'>): ChildProcess {
    const isWeb = role !== 'feed';
    const port = this.ports[role === 'web-2' ? 1 : 0] ?? 0;
    const env = {
      ...{ REDIS_URL: this.redisUrl, UPSTREAM_GATEWAY: this.#gateway, SOURCES: 'binance' },
      ...{ AUTH_MODE: 'open', DATA_DIR: this.#folder, LOG_LEVEL: 'fatal', PORT: `${port}` },
    };
    const script = isWeb ? 'scripts/bench/web.ts' : 'cmd/feed.ts';
    return fork(join(root, script), [], {
      env: childEnv(env),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }
}

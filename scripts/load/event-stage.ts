/** The service with one stream of liquidations: Redis, an upstream, and processes that may be killed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { answered, Stage } from '../bench/stage.ts';
import { EventUpstream } from './event-upstream.ts';

type Role = 'feed' | 'history' | 'web';

export class EventStage {
  readonly upstream = new EventUpstream();
  readonly #stage = new Stage();
  readonly #processes = new Map<Role, ChildProcess>();
  #env: Record<string, string> = {};
  #url = '';

  redisUrl = '';

  /** Of the history. */
  get file(): string {
    return join(this.#stage.folder, 'history.sqlite');
  }

  /** Of the service. */
  get url(): string {
    return this.#url;
  }

  /** Resolves when the upstream is listened to. */
  async begin(): Promise<void> {
    ({ url: this.redisUrl } = await this.#stage.redis());
    const gateway = await this.upstream.listen();
    const port = await this.#stage.port();
    this.#url = `http://127.0.0.1:${port}`;
    this.#env = {
      ...{ REDIS_URL: this.redisUrl, UPSTREAM_GATEWAY: gateway, SOURCES: 'binance' },
      ...{ AUTH_MODE: 'open', DATA_DIR: this.#stage.folder, LOG_LEVEL: 'fatal' },
      ...{ PORT: `${port}`, WEB_CONCURRENCY: '1' },
    };
    for (const role of ['history', 'feed', 'web'] as const) this.start(role);
    const body = await answered(`${this.#url}/healthz`);
    await body.body?.cancel();
    while (this.upstream.listeners === 0) await new Promise((wait) => setTimeout(wait, 50));
  }

  start(role: Role): void {
    this.#processes.set(role, this.#stage.run(`cmd/${role}.ts`, [], this.#env));
  }

  /** The id of a process. */
  pidOf(role: Role): number | undefined {
    return this.#processes.get(role)?.pid;
  }

  /** `kill -9`, and a new process of the same kind. */
  async replace(role: Role): Promise<void> {
    const child = this.#processes.get(role);
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    this.start(role);
  }

  async end(): Promise<void> {
    this.upstream.close();
    await this.#stage.end();
  }
}

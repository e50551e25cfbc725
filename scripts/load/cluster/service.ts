/** The processes of a cluster: each of a role, killed and started again one by one. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { developmentIssuer } from '../../../cmd/process/issuer.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { ended, type Stage, webWorker } from '../../bench/stage.ts';
import type { ClusterOptions } from './options.ts';
import { type ClusterRedis, startClusterRedis } from './redis.ts';

const scripts = {
  feed: 'cmd/feed.ts',
  web: webWorker,
  compute: 'cmd/compute.ts',
  history: 'cmd/history.ts',
} as const;
type ProcessRole = keyof typeof scripts;
/** What is killed. */
export const roles = ['redis', 'feed', 'web', 'compute', 'history'] as const;
export type Role = (typeof roles)[number];

interface Member {
  role: ProcessRole;
  /** Of a web process; 0 otherwise. */
  port: number;
  /** Null while it is away. */
  child: ChildProcess | null;
}

/** What the processes share. */
interface Shared {
  readonly redis: ClusterRedis;
  readonly ports: readonly number[];
  /** Bearer of an account without limits. */
  readonly token: string;
  /** Of the PostgreSQL; empty where there is no history. */
  readonly historyUrl: string;
  readonly env: Record<string, string>;
}

async function startShared(stage: Stage, options: ClusterOptions): Promise<Shared> {
  const ports: number[] = [];
  for (let i = 0; i < options.web; i++) ports.push(await stage.port());
  const gateway = await stage.port();
  const world = ['--port', gateway, '--symbols', options.assets, '--seed', options.seed];
  stage.run('scripts/simulator/main.ts', world.map(String));
  const settings = ['shared_buffers=64MB', 'max_connections=60'];
  const [redis, postgres, issuer] = await Promise.all([
    startClusterRedis(stage, options.ha),
    options.history > 0 ? startPostgres(settings) : null,
    developmentIssuer(stage.folder, null),
  ]);
  stage.teardown(() => postgres?.stop());
  const token = await issuer.token({ sub: 'load', plan: 'local', expires: 86_400 });
  const { jwksUrl, issuer: name, audience } = issuer.provider;
  const env = {
    REDIS_URL: redis.url,
    UPSTREAM_GATEWAY: `http://127.0.0.1:${gateway}`,
    AUTH_JWKS_URL: jwksUrl,
    AUTH_ISSUER: name,
    AUTH_AUDIENCE: audience,
    LOG_FORMAT: 'json',
    SIMULATED_DATA: 'true',
    COMPUTE_THREADS: '1',
    ...(postgres === null ? {} : { HISTORY_URL: postgres.url }),
    ...(options.sources === null ? {} : { SOURCES: options.sources }),
  };
  return { redis, ports, token, historyUrl: postgres?.url ?? '', env };
}

export class Cluster {
  readonly shared: Shared;
  /** Processes that ended without being killed, and were started again. */
  died = 0;
  readonly #absence: number;
  readonly #stage: Stage;
  readonly #members: Member[];
  #redisIsWhole = true;

  private constructor(stage: Stage, options: ClusterOptions, shared: Shared) {
    this.#stage = stage;
    this.#absence = options.absence * 1_000;
    this.shared = shared;
    const some = (role: ProcessRole, count: number) =>
      Array.from({ length: count }, () => ({ role, port: 0, child: null }));
    this.#members = [
      ...some('feed', options.feeds),
      ...shared.ports.map((port) => ({ role: 'web' as const, port, child: null })),
      ...some('compute', options.compute),
      ...some('history', options.history),
    ];
    for (const member of this.#members) this.#start(member);
  }

  /** Starts everything; the service may not be ready yet. */
  static async start(stage: Stage, options: ClusterOptions): Promise<Cluster> {
    return new Cluster(stage, options, await startShared(stage, options));
  }

  /**
   * Roles of which one more process may be killed: another one of the same role goes on, or there is one alone. Of the web processes
   * so many are ready: where several are wanted another one must be, since nobody else can answer.
   */
  killable(ready: number): Role[] {
    return roles.filter((role) => {
      if (role === 'redis') return this.#redisIsWhole;
      if (role === 'web' && this.shared.ports.length > 1 && ready < 2) return false;
      const all = this.#members.filter((member) => member.role === role);
      return this.#running(role).length > (all.length > 1 ? 1 : 0);
    });
  }

  /** Ends a process of the role, and starts a new one after the absence; resolves when that is started. */
  async replace(role: Role, random: () => number, signal: NodeJS.Signals): Promise<void> {
    if (role === 'redis') {
      this.#redisIsWhole = false;
      await this.shared.redis.replace(this.#absence);
      this.#redisIsWhole = true;
      return;
    }
    const running = this.#running(role);
    const member = running[Math.floor(random() * running.length)];
    if (!member) return;
    await this.#end(member, signal);
    await rest(this.#absence);
    this.#start(member);
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map((member) => this.#end(member, 'SIGKILL')));
  }

  #running(role: Role): Member[] {
    return this.#members.filter((one) => one.role === role && one.child !== null);
  }

  #start(member: Member): void {
    const env = { ...this.shared.env, PORT: `${member.port}` };
    const child = this.#stage.run(scripts[member.role], [], env);
    member.child = child;
    child.once('exit', () => {
      // Who is ended is no member's child any more.
      if (member.child !== child) return;
      this.died++;
      this.#start(member);
    });
  }

  async #end(member: Member, signal: NodeJS.Signals): Promise<void> {
    const { child } = member;
    member.child = null;
    if (child !== null) await ended(child, signal);
  }
}

/** The processes of a cluster: each of a role, killed and started again one by one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { developmentIssuer } from '../../../cmd/process/issuer.ts';
import { freePort } from '../../../cmd/process/port.ts';
import { childEnv } from '../../../config/config.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import type { ClusterOptions } from './options.ts';
import { type ClusterRedis, startClusterRedis } from './redis.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** As the Procfile starts them. */
const flags = {
  feed: ['--max-semi-space-size=16', '--v8-pool-size=1', '--heap-growing-percent=60'],
  web: [],
  compute: [],
  history: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'],
} as const;
type ProcessRole = keyof typeof flags;
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

export class Cluster {
  readonly redis: ClusterRedis;
  readonly ports: readonly number[];
  /** Bearer of an account without limits. */
  readonly token: string;
  /** Processes that ended without being killed, and were started again. */
  died = 0;
  readonly #options: ClusterOptions;
  readonly #members: Member[];
  readonly #env: Record<string, string>;
  readonly #simulator: ChildProcess;
  readonly #postgres: TestPostgres | null;
  readonly #folder: string;
  #redisIsWhole = true;

  private constructor(
    options: ClusterOptions,
    { redis, ports, ...parts }: Pick<Cluster, 'redis' | 'ports' | 'token'> & Parts,
  ) {
    this.#options = options;
    this.redis = redis;
    this.ports = ports;
    this.token = parts.token;
    this.#env = parts.env;
    this.#folder = parts.folder;
    this.#simulator = parts.simulator;
    this.#postgres = parts.postgres;
    const { feeds, computes, histories } = options;
    const some = (role: ProcessRole, count: number) =>
      Array.from({ length: count }, () => ({ role, port: 0, child: null }));
    this.#members = [
      ...some('feed', feeds),
      ...ports.map((port) => ({ role: 'web' as const, port, child: null })),
      ...some('compute', computes),
      ...some('history', histories),
    ];
  }

  /** Starts everything; the service may not be ready yet. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
    const ports: number[] = [];
    for (let i = 0; i < options.webs; i++) ports.push(await freePort('127.0.0.1', 0));
    const gateway = await freePort('127.0.0.1', 0);
    const simulator = startSimulator(gateway, options);
    const [redis, postgres, issuer] = await Promise.all([
      startClusterRedis(options.ha),
      options.histories > 0 ? startPostgres(['shared_buffers=64MB', 'max_connections=60']) : null,
      developmentIssuer(folder, null),
    ]);
    const token = await issuer.token({ sub: 'load', plan: 'local', expires: 86_400 });
    const { jwksUrl, issuer: name, audience } = issuer.provider;
    const env = {
      ...{ REDIS_URL: redis.url, UPSTREAM_GATEWAY: `http://127.0.0.1:${gateway}` },
      ...{ AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: name, AUTH_AUDIENCE: audience },
      ...{ DATA_DIR: folder, LOG_LEVEL: 'fatal', LOG_FORMAT: 'json', SIMULATED_DATA: 'true' },
      ...{ WEB_CONCURRENCY: `${options.workers}`, COMPUTE_THREADS: '1' },
      ...(postgres === null ? {} : { HISTORY_URL: postgres.url }),
      ...(options.sources === null ? {} : { SOURCES: options.sources }),
    };
    const parts = { redis, ports, token, env, folder, simulator, postgres };
    const cluster = new Cluster(options, parts);
    for (const member of cluster.#members) cluster.#start(member);
    return cluster;
  }

  /** Process ids of the feed processes that run. */
  feeds(): Set<number> {
    const running = this.#members.filter(({ role, child }) => role === 'feed' && child !== null);
    return new Set(running.map(({ child }) => child?.pid ?? 0));
  }

  /**
   * Roles of which one more process may be killed: another one of the same role goes on, or there is one alone. Of the web processes
   * so many are ready: where several are wanted another one must be, since nobody else can answer.
   */
  killable(ready: number): Role[] {
    return roles.filter((role) => {
      if (role === 'redis') return this.#redisIsWhole;
      if (role === 'web' && this.ports.length > 1 && ready < 2) return false;
      const all = this.#members.filter((member) => member.role === role);
      const running = all.filter(({ child }) => child !== null);
      return running.length > (all.length > 1 ? 1 : 0);
    });
  }

  /** `kill -9` of a process of the role, and a new one after the absence; resolves when that is started. */
  async replace(role: Role, random: () => number): Promise<void> {
    const { absence } = this.#options;
    if (role === 'redis') {
      this.#redisIsWhole = false;
      await this.redis.replace(absence);
      this.#redisIsWhole = true;
      return;
    }
    const running = this.#members.filter((one) => one.role === role && one.child !== null);
    const member = running[Math.floor(random() * running.length)];
    if (!member) return;
    await kill(member);
    await rest(absence);
    this.#start(member);
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(kill));
    await kill({ child: this.#simulator });
    await this.redis.stop();
    await this.#postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #start(member: Member): void {
    const { role, port } = member;
    // One worker has no primary, so that `kill -9` ends all of it at once.
    const isAlone = role === 'web' && this.#options.workers === 1;
    const script = isAlone ? 'scripts/bench/web.ts' : `cmd/${role}.ts`;
    const child = fork(join(root, script), [], {
      env: childEnv({ ...this.#env, PORT: `${port}` }),
      execArgv: [...flags[role]],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    member.child = child;
    child.once('exit', () => {
      // Who is killed is no member's child any more.
      if (member.child !== child) return;
      this.died++;
      this.#start(member);
    });
  }
}

interface Parts {
  env: Record<string, string>;
  folder: string;
  simulator: ChildProcess;
  postgres: TestPostgres | null;
}

function startSimulator(port: number, { assets, seed }: ClusterOptions): ChildProcess {
  const args = ['--port', `${port}`, '--symbols', `${assets}`, '--seed', `${seed}`];
  return fork(join(root, 'scripts/simulator/main.ts'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function kill(member: Pick<Member, 'child'>): Promise<void> {
  const { child } = member;
  member.child = null;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

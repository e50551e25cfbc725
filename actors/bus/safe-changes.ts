import { parseRedisUrl } from '../../config/redis-url.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BusLog } from './log.ts';
import { closeAtOnce, connect } from './redis.ts';
import { Commands, type Script } from './script.ts';

/** Counts the waits for replicas. */
const waitsKey = 'auth:waits';

/** How long replicas may take to have a change, ms. */
const patience = 500;
/** Replicas that have been behind for longer are named, ms. */
const mostBehind = 10_000;

/** How Redis says that it is not the master, or not any more: what it has may be old. */
const deposed = /^(READONLY|NOREPLICAS)\b/;

/** A change of keys, and whether as many replicas have it as the URL asks for. */
interface Change {
  reply: unknown;
  isSafe: boolean;
}

interface SafeChangesOptions {
  /** The connection for changes where no replica is waited for. */
  commands: Commands;
  /** Of the connection for changes where replicas are. */
  name: string;
  clock: Clock;
  log: Pick<BusLog, 'info' | 'warn' | 'error'>;
}

/**
 * Changes that no fail-over may lose. They have a connection of their own, since WAIT keeps back what comes behind it.
 * https://redis.io/docs/latest/commands/wait/
 */
export class SafeChanges {
  readonly #commands: Commands;
  readonly #replicas: number;
  readonly #clock: Clock;
  /** When the replicas last had everything. */
  #safe: number;
  #isSafe = true;
  #isMaster = true;
  #look: Promise<boolean> | null = null;

  /** Throws RangeError when `url` is not a Redis URL. */
  constructor(url: string, { commands, name, clock, log }: SafeChangesOptions) {
    this.#replicas = parseRedisUrl(url).replicas;
    this.#commands =
      this.#replicas === 0 ? commands : new Commands(connect(url, { name, log }), []);
    this.#clock = clock;
    this.#safe = clock.monotonic();
  }

  close(): void {
    closeAtOnce(this.#commands.redis);
  }

  /** Whether the server has not said that it is no master. */
  get isMaster(): boolean {
    return this.#isMaster;
  }

  /** What is wrong, and what to do; null while nothing is. */
  problem(): string | null {
    const behind = this.#clock.monotonic() - this.#safe;
    if (this.#isSafe || behind <= mostBehind) return null;
    const some =
      this.#replicas === 1 ? 'no replica has' : `fewer than ${this.#replicas} replicas have`;
    return `${some} had the latest data of REDIS_URL for ${Math.round(behind / 1_000)} s: no API key can be made, and revocations are not confirmed. Start the replica, or look at its network and load (docs/operating.md#several-servers-of-redis).`;
  }

  /** Runs a script. Rejects when Redis is away, late or refuses; the change may then have been made or not. */
  async run(
    { lua }: Script,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<Change> {
    // In one turn, so that all of it goes through one connection: to another one WAIT would say nothing of this change.
    const reply = this.#commands.send('EVAL', lua, keys.length, ...keys, ...args);
    const confirmed = this.#confirm();
    return { reply: await reply, isSafe: await confirmed };
  }

  /** Whether the replicas keep up; asked once at a time. Never rejects. */
  look(): Promise<boolean> {
    this.#look ??= this.#confirm().finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  /** Whether a change can be expected to be confirmed: the replicas had the latest one, or have it now. Never rejects. */
  async canChange(): Promise<boolean> {
    return this.#isSafe || this.look();
  }

  /** Whether the replicas have everything that was written before. Never rejects. */
  async #confirm(): Promise<boolean> {
    if (this.#replicas === 0) return true;
    // WAIT counts from the latest write of its connection: there is always one.
    const written = this.#commands.send('INCR', waitsKey).then(
      () => true,
      (error: Error) => !deposed.test(error.message),
    );
    const having = this.#commands.send('WAIT', this.#replicas, patience).catch(() => 0);
    this.#isMaster = await written;
    this.#isSafe = Number(await having) >= this.#replicas;
    if (this.#isSafe) this.#safe = this.#clock.monotonic();
    return this.#isSafe;
  }
}

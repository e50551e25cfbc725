/** Lua scripts, sent by hash. https://redis.io/docs/latest/develop/programmability/eval-intro/ */
import { createHash } from 'node:crypto';
import { call, firstAttempt, type Redis } from './redis.ts';

export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export const script = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

/**
 * How Redis begins its error where it answers and takes no writes: `maxmemory` is reached, it is a replica, its disk
 * fails, too few replicas follow. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
const refusals = /^(OOM|READONLY|MISCONF|NOREPLICAS)\b/;

/**
 * The connection of all commands that do not block. Commands sent in one turn of the event loop
 * leaves in one write. Until the first attempt to connect has ended, commands wait for it.
 */
export class Commands {
  readonly redis: Redis;
  readonly #opened: Promise<void>;
  #takesWrites = true;
  #corked = false;

  /** Loads `scripts` on every connect; one that a flush removed is sent whole when it is next used. */
  constructor(redis: Redis, scripts: readonly Script[]) {
    this.redis = redis;
    this.#opened = firstAttempt(redis);
    redis.on('ready', () => {
      // A new connection may lead to another server: the next write shows it.
      this.#takesWrites = true;
      for (const { lua } of scripts) redis.script('LOAD', lua).catch(() => {});
    });
  }

  /** Rejects when Redis is away, late or refuses. */
  async send(command: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    await this.#opened;
    this.#cork();
    return call(this.redis, command, args);
  }

  /** Runs a script; rejects like `send`. */
  async run(
    { sha, lua }: Script,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    try {
      return await this.send('EVALSHA', sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.send('EVAL', lua, keys.length, ...keys, ...args);
    }
  }

  /** False from the time Redis refused a write until it takes one again. */
  get takesWrites(): boolean {
    return this.#takesWrites;
  }

  /** Runs a script that always writes, and takes note of whether Redis lets it; rejects like `send`. */
  async write(...args: Parameters<Commands['run']>): Promise<unknown> {
    try {
      const result = await this.run(...args);
      this.#takesWrites = true;
      return result;
    } catch (error) {
      if (error instanceof Error && refusals.test(error.message)) this.#takesWrites = false;
      throw error;
    }
  }

  #cork(): void {
    const { stream } = this.redis;
    if (this.#corked || this.redis.status !== 'ready') return;
    this.#corked = true;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}

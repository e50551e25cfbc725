/** Lua scripts, sent by hash. https://redis.io/docs/latest/develop/programmability/eval-intro/ */
import { createHash } from 'node:crypto';
import { firstAttempt, type Redis } from './redis.ts';

export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export const script = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

/**
 * The connection that carries every command that does not block. What is sent in one turn of the event loop
 * leaves in one write. Until the first attempt to connect has ended, commands wait for it.
 */
export class Commands {
  readonly redis: Redis;
  readonly #opened: Promise<void>;
  #corked = false;

  /** Loads `scripts` on every connect; one that a flush removed is sent whole when it is next used. */
  constructor(redis: Redis, scripts: readonly Script[]) {
    this.redis = redis;
    this.#opened = firstAttempt(redis);
    redis.on('ready', () => {
      for (const { lua } of scripts) redis.script('LOAD', lua).catch(() => {});
    });
  }

  /** Rejects when Redis is away, late or says no. */
  async send(command: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    await this.#opened;
    this.#cork();
    return this.redis.callBuffer(command, ...args);
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

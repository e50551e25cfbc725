/** Commands to Redis, and Lua scripts, sent by hash. https://redis.io/docs/latest/develop/programmability/eval-intro/ */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { Command } from 'ioredis';
import { type BusLog, reason, silent } from './log.ts';
import { commandDeadline, firstAttempt, type Redis } from './redis.ts';

export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export const script = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

/** Whether a value is so long that copies of it cost more than another command. */
export const isLong = (value: unknown): boolean => Buffer.isBuffer(value) && value.length >= 4_096;

/**
 * A command whose long values go to the socket as they are. ioredis copies all arguments into one buffer: at 1,000 replies
 * of 50 KB a second the memory of these copies makes V8 collect its whole heap several times a second.
 */
class LongCommand extends Command {
  override toWritable(socket: object): string | Buffer {
    if (!(socket instanceof Writable)) return super.toWritable(socket);
    let text = `*${this.args.length + 1}\r\n$${this.name.length}\r\n${this.name}\r\n`;
    for (const arg of this.args) {
      if (!Buffer.isBuffer(arg)) {
        text += `$${Buffer.byteLength(String(arg))}\r\n${String(arg)}\r\n`;
        continue;
      }
      socket.write(`${text}$${arg.length}\r\n`);
      socket.write(arg);
      text = '\r\n';
    }
    return text;
  }
}

/** Sends a command, and waits for its reply however long that takes; it has buffers in the place of texts. */
export const call = (
  redis: Redis,
  name: string,
  args: readonly (string | number | Buffer)[],
): Promise<unknown> => {
  if (!args.some(isLong)) return redis.callBuffer(name, ...args);
  const command = new LongCommand(name, [...args], { replyEncoding: null });
  redis.sendCommand(command);
  return command.promise;
};

/**
 * How Redis begins its error where it answers and takes no writes: `maxmemory` is reached, it is a replica, its disk
 * fails, too few replicas follow. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
const refusals = /^(OOM|READONLY|MISCONF|NOREPLICAS)\b/;

/** Errors of commands that have been logged already, as those of one outage. */
const logged = new WeakSet<Error>();

/** True for an error of a command that needs no line of its own in the log: the outage that it is of has one. */
export const isLogged = (error: unknown): boolean => error instanceof Error && logged.has(error);

/** Logs an outage once at its beginning and once at its end, however many commands fail meanwhile. */
class Outage {
  readonly #log: BusLog;
  readonly #words: { begun: string; ended: string };
  #failed = 0;

  constructor(log: BusLog, words: { begun: string; ended: string }) {
    this.#log = log;
    this.#words = words;
  }

  failed(error: unknown): void {
    if (this.#failed === 0) this.#log.warn({ error: reason(error) }, this.#words.begun);
    this.#failed += 1;
    if (error instanceof Error) logged.add(error);
  }

  ended(): void {
    if (this.#failed > 0) this.#log.info({ commands: this.#failed }, this.#words.ended);
    this.#failed = 0;
  }
}

/**
 * Bytes that may wait to be taken from one connection. More of them means that Redis takes commands more slowly than they are made: each
 * would be answered after its deadline, and the memory of the process would grow.
 */
const mostWaiting = 64 * 2 ** 20;

/** A reply, or an error once it is late. In a process that was held up the replies that have come are read first. */
function inTime<T>(reply: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const isLate = () => reject(new Error(`no answer in ${commandDeadline} ms`));
  const timer = setTimeout(() => setImmediate(isLate), commandDeadline);
  void reply.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** Whether Redis has answered, with an error. */
const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/**
 * The connection of all commands that do not block. Commands sent in one turn of the event loop
 * leaves in one write. Until the first attempt to connect has ended, commands wait for it.
 */
export class Commands {
  readonly redis: Redis;
  readonly #opened: Promise<void>;
  readonly #silence: Outage;
  readonly #refusal: Outage;
  /** Why it took no write; null from the time it takes one. */
  #refused: Error | null = null;
  /** Of the connection; null while there is one. */
  #error: Error | null = null;
  #corked = false;

  /**
   * Loads `scripts` on every connect; one that a flush removed is sent whole when it is next used. Logs once when commands begin
   * to fail, and once when they succeed again.
   */
  constructor(redis: Redis, scripts: readonly Script[], log: BusLog = silent) {
    this.redis = redis;
    this.#silence = new Outage(log, {
      begun: 'Redis does not answer commands',
      ended: 'Redis answers commands again',
    });
    this.#refusal = new Outage(log, {
      begun: 'Redis takes no writes',
      ended: 'Redis takes writes again',
    });
    this.#opened = firstAttempt(redis);
    redis.on('error', (error: Error) => {
      this.#error = error;
    });
    redis.on('ready', () => {
      this.#error = null;
      // A new connection may lead to another server: the next write shows it.
      this.#refused = null;
      for (const { lua } of scripts) redis.script('LOAD', lua).catch(() => {});
    });
  }

  /** Rejects when Redis is away, late or refuses, at once where too much waits for it already. */
  async send(command: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    await this.#opened;
    this.#cork();
    try {
      // Absent until the first attempt to connect has begun.
      const { writableLength = 0 } = this.redis.stream ?? {};
      if (writableLength > mostWaiting)
        throw new Error(`${writableLength} bytes wait for Redis, which takes them too slowly`);
      const reply = await inTime(call(this.redis, command, args));
      this.#silence.ended();
      return reply;
    } catch (error) {
      if (!isReply(error) && this.redis.status !== 'end') this.#silence.failed(error);
      throw error;
    }
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
    return this.#refused === null;
  }

  /** Why there is no connection, or why writes are refused; null while nothing is known to be wrong. */
  get fault(): Error | null {
    return this.redis.status === 'ready' ? this.#refused : this.#error;
  }

  /** Runs a script that always writes, and takes note of whether Redis lets it; rejects like `send`. */
  async write(...args: Parameters<Commands['run']>): Promise<unknown> {
    try {
      const result = await this.run(...args);
      this.#refused = null;
      this.#refusal.ended();
      return result;
    } catch (error) {
      if (error instanceof Error && refusals.test(error.message)) {
        this.#refused = error;
        this.#refusal.failed(error);
      }
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

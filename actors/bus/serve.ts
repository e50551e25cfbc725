import { type Cancel, every, within } from '../kernel/clock.ts';
import { type Entry, readStreams } from './codec.ts';
import { beat, block, group, queryKey, replyLength, replyLife } from './keys.ts';
import { claim, die, join, leave, live } from './liveness.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';
import type { RedisTime } from './redis-time.ts';
import { type Answers, type AnyAnswers, own, Responder, type Serving, Source } from './respond.ts';
import { type Commands, isLogged, isLong, script } from './script.ts';

export const finishScript = script(`
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if KEYS[2] then
  if ARGV[6] then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'id', ARGV[5], 'data', ARGV[6])
  end
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
return 1`);

/** How a long reply is added without a script: Lua of Redis hashes every byte of its arguments. */
const added = ['MAXLEN', '~', replyLength, '*'] as const;
/** How long a stop waits for queries in progress, ms. */
const stopTimeoutMs = 5_000;
/** Reads entries that were not delivered yet. */
const undelivered = '>';

/**
 * Serves any number of sources, which come and go, by one connection. A query is read when its source has room for it,
 * so that one slow source takes no room from the others; an unread query waits for a process with room. A query whose
 * server dies is answered by the next one: handlers may run twice for it. How long a query has waited is said by the clock of Redis.
 */
export class QueryServer {
  readonly #context: BusContext;
  readonly #vital: () => Commands;
  readonly #commands: Commands;
  readonly #time: RedisTime;
  readonly #sources = new Map<string, Source>();
  /** Queries in progress, by source and entry id; those of stopped sources included. */
  readonly #inProgress = new Set<string>();
  #loop: Loop | null = null;
  #connection = '';
  /** True while a blocking read is under way. */
  #reading = false;
  #changed: () => void = () => {};
  #looked = Number.NEGATIVE_INFINITY;
  #stopBeats: Cancel = () => {};

  /** Signs of life go by `vital`, whatever waits for the other connection. */
  constructor(
    { vital, ...context }: BusContext & { vital(): Commands },
    commands: Commands,
    time: RedisTime,
  ) {
    this.#context = context;
    this.#vital = vital;
    this.#commands = commands;
    this.#time = time;
  }

  /** Throws when the source is served already. */
  serve(name: string, answers: Answers | AnyAnswers, concurrency: number): Serving {
    if (this.#sources.has(name)) throw new Error(`serve: ${name} is served already`);
    const responder = new Responder(this.#context, name, answers, concurrency);
    const source = new Source(name, responder, concurrency);
    this.#sources.set(name, source);
    this.#looked = Number.NEGATIVE_INFINITY;
    if (this.#loop) this.#wake();
    else this.#start();
    let stopped: Promise<void> | null = null;
    return {
      ready: source.ready.promise,
      stop: () => {
        stopped ??= this.#stop(source);
        return stopped;
      },
    };
  }

  /** Stops every source and ends the connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#sources.values()].map((source) => this.#stop(source)));
    this.#stopBeats();
    const finished = this.#loop?.finish();
    this.#wake();
    await finished;
  }

  #start(): void {
    this.#loop = new Loop(this.#context, {
      name: 'queries',
      blocking: block,
      begin: (redis) => this.#begin(redis),
      round: (redis) => this.#round(redis),
    });
    this.#stopBeats = every(this.#context.clock, beat, () => this.#beat());
  }

  async #stop(source: Source): Promise<void> {
    this.#sources.delete(source.name);
    this.#wake();
    source.ready.resolve();
    const { clock, process } = this.#context;
    await within(clock, stopTimeoutMs, this.#finished(source));
    if (this.#sources.size === 0) await die(this.#vital(), process).catch(() => {});
    if (this.#sources.has(source.name)) return;
    await leave(this.#commands, process, source.name).catch(() => {});
  }

  async #finished(source: Source): Promise<void> {
    while (source.inRead || source.inProgress > 0) await this.#change();
  }

  /** Resolves when a source comes or goes, or a query has ended. */
  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#changed;
    this.#changed = () => {
      before();
      resolve();
    };
    return promise;
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = () => {};
    changed();
  }

  /** Makes the loop look at the sources again: ends a blocking read. */
  #wake(): void {
    this.#notify();
    if (this.#reading) void this.#unblock();
  }

  /** The command for the read may still be on its way: it is then asked for again. */
  async #unblock(): Promise<void> {
    for (let attempt = 0; attempt < 10 && this.#reading; attempt++) {
      const ended = await this.#commands
        .send('CLIENT', 'UNBLOCK', this.#connection)
        .catch(() => null);
      if (ended === 1 || ended === null) return;
    }
  }

  async #begin(redis: Redis): Promise<void> {
    this.#connection = String(await redis.callBuffer('CLIENT', 'ID'));
    // Before the first query is read: how long it has waited.
    await this.#time.ask(this.#commands);
    for (const source of this.#sources.values()) {
      source.joined = false;
      source.cursor = own;
    }
    await this.#join();
  }

  async #join(): Promise<void> {
    const fresh = [...this.#sources.values()].filter(({ joined }) => !joined);
    if (fresh.length === 0) return;
    await live(this.#vital(), this.#context.process);
    await Promise.all(
      fresh.map(async (source) => {
        await join(this.#commands, source.name);
        source.joined = true;
        source.ready.resolve();
      }),
    );
  }

  async #round(redis: Redis): Promise<void> {
    await this.#join();
    await this.#lookAround();
    const sources = [...this.#sources.values()].filter(({ joined, room }) => joined && room > 0);
    if (sources.length === 0) {
      await within(this.#context.clock, beat, this.#change());
      return;
    }
    for (const source of sources) source.inRead = true;
    try {
      const more = await this.#read(redis, sources);
      await Promise.all(more.map((source) => this.#readRest(redis, source)));
    } finally {
      for (const source of sources) source.inRead = false;
    }
    this.#notify();
  }

  /** Waits for queries of any source. Gives the sources that may have more, which they have room for. */
  async #read(redis: Redis, sources: readonly Source[]): Promise<Source[]> {
    const cursors = sources.map(({ cursor }) => cursor);
    // COUNT holds for each stream: the source with the least room decides it.
    const count = Math.min(...sources.map(({ room }) => room));
    const from = ['GROUP', group, this.#context.process, 'COUNT', count, 'BLOCK', block, 'STREAMS'];
    const keys = sources.map(({ name }) => queryKey(name));
    this.#reading = true;
    const read = redis.callBuffer('XREADGROUP', ...from, ...keys, ...cursors);
    const streams = readStreams(
      await read.finally(() => {
        this.#reading = false;
      }),
    );
    return sources.filter((source, i) => {
      const entries = streams.get(queryKey(source.name)) ?? [];
      if (cursors[i] !== undelivered) source.cursor = entries.at(-1)?.id ?? undelivered;
      for (const entry of entries) this.#take(source, entry);
      return cursors[i] === undelivered && entries.length === count && source.room > 0;
    });
  }

  /** Reads as many of the queries that wait at one source as it has room for. */
  async #readRest(redis: Redis, source: Source): Promise<void> {
    const from = ['GROUP', group, this.#context.process, 'COUNT', source.room, 'STREAMS'];
    const key = queryKey(source.name);
    const streams = readStreams(await redis.callBuffer('XREADGROUP', ...from, key, undelivered));
    for (const entry of streams.get(key) ?? []) this.#take(source, entry);
  }

  #beat(): void {
    if (this.#sources.size > 0) live(this.#vital(), this.#context.process).catch(() => {});
  }

  /** Once a second, and for every new source, between reads: claims queries dropped here or by a process that died. */
  async #lookAround(): Promise<void> {
    const now = this.#context.clock.monotonic();
    if (now - this.#looked < beat) return;
    this.#looked = now;
    // At once: one after the other they would keep the reads waiting.
    await Promise.all(
      [...this.#sources.values()].map((source) => {
        if (source.dropped) source.cursor = own;
        source.dropped = false;
        return this.#claim(source);
      }),
    );
  }

  async #claim(source: Source): Promise<void> {
    const room = Math.min(source.room, 1_000);
    if (room === 0) return;
    const entries = await claim(this.#commands, this.#context.process, source.name, room);
    if (entries.length === 0) return;
    const fields = { source: source.name, queries: entries.length };
    this.#context.log.warn(fields, 'claimed the queries of a process that died');
    for (const entry of entries) this.#take(source, entry);
  }

  #take(source: Source, entry: Entry): void {
    const key = `${source.name} ${entry.id}`;
    if (this.#inProgress.has(key)) return;
    this.#inProgress.add(key);
    source.inProgress += 1;
    this.#work(source, entry)
      .catch((error: unknown) => {
        source.dropped = true;
        const fields = { source: source.name, error: reason(error) };
        if (!isLogged(error)) this.#context.log.warn(fields, 'reply not sent');
      })
      .finally(() => {
        this.#inProgress.delete(key);
        const wasFull = source.room === 0;
        source.inProgress -= 1;
        if (wasFull) this.#wake();
        else this.#notify();
      });
  }

  async #work({ name, responder }: Source, { id: entry, fields }: Entry): Promise<void> {
    const reply = await responder.respond(fields, this.#time.since(entry));
    const to = fields?.get('to')?.toString();
    const id = fields?.get('id');
    if (reply && to && id) {
      const args = [group, entry, replyLength, replyLife, id];
      // First, so that a reply that Redis refuses leaves the query for another try.
      if (isLong(reply)) await this.#commands.send('XADD', to, ...added, 'id', id, 'data', reply);
      else args.push(reply);
      await this.#commands.run(finishScript, [queryKey(name), to], args);
    } else await this.#commands.run(finishScript, [queryKey(name)], [group, entry]);
  }
}

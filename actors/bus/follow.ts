import { type Topic, type Topics, topics } from '../topics/index.ts';
import { decode, type Entry, readEntries, readNumber, readPairs, readStreams } from './codec.ts';
import { block, feedKey, lastKey, seqKey } from './keys.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';
import { isThere, type LogPosition, placeInLog } from './resume.ts';

export type { LogPosition } from './resume.ts';

/**
 * Handlers of the values of each topic; called with the same value again after every reload. An entry of a log comes once,
 * in order, with its position: a follower that starts `from` there gets the entries after it.
 */
export type Handlers = {
  [T in Topic]?: (key: string, value: Topics[T], at: LogPosition) => void;
};

/** How topics are followed. */
export interface FollowOptions {
  /** Where to begin; a log that is not named is read from its first entry. */
  from?: Partial<Record<Topic, LogPosition>>;
  /** Called before a log is read from its first entry again: Redis was emptied, or is another one. */
  onRestart?(topic: Topic): void;
  /** Called after the handlers have been given new values. */
  onChange?(): void;
}

export interface FollowCounts {
  delivered: number;
  /** Entries that could not be read. */
  skipped: number;
  /** Calls of a handler that threw. */
  thrown: number;
  /** How often a topic's hash was read, the first time included. */
  loads: number;
}

export interface Follower {
  /** Resolves when every topic's last values have been delivered; when stopped before, then too. */
  readonly ready: Promise<void>;
  /** `down` until the first load and while Redis is away. */
  state(): 'up' | 'down';
  /** When Redis last answered a read, Unix ms; null before it first did. */
  lastHeard(): number | null;
  counts(): Readonly<FollowCounts>;
  stop(): Promise<void>;
}

/** Entries per topic and read: a reading may have 200 KB. */
const batch = 64;

/** Entries of a log that are read at once at the start. */
const logBatch = 512;

interface Position extends LogPosition {
  /** A newer sequence number than ours at the last check; it must have been read by the next one. */
  due: number;
}

class Following implements Follower {
  readonly ready: Promise<void>;
  readonly #context: BusContext;
  readonly #handlers: Handlers;
  readonly #options: FollowOptions;
  readonly #positions = new Map<Topic, Position>();
  readonly #counts: FollowCounts = { delivered: 0, skipped: 0, thrown: 0, loads: 0 };
  readonly #loop: Loop;
  #becomeReady: () => void = () => {};
  #heard: number | null = null;
  #checked = 0;

  constructor(context: BusContext, handlers: Handlers, options: FollowOptions) {
    this.#context = context;
    this.#handlers = handlers;
    this.#options = options;
    for (const topic of topicsOf(handlers)) {
      this.#positions.set(topic, { id: '', seq: 0, due: 0, ...options.from?.[topic] });
    }
    if (this.#positions.size === 0) throw new RangeError('follow: at least one topic is needed');
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    this.#loop = new Loop(context, {
      name: 'follow',
      blocking: block,
      begin: (redis) => this.#begin(redis),
      round: (redis) => this.#round(redis),
    });
  }

  state(): 'up' | 'down' {
    return this.#loop.state;
  }

  lastHeard(): number | null {
    return this.#heard;
  }

  counts(): Readonly<FollowCounts> {
    return { ...this.#counts };
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#becomeReady();
  }

  async #begin(redis: Redis): Promise<void> {
    for (const [topic, position] of this.#positions) {
      position.due = 0;
      const goesOn = !topics[topic].log && (await isThere(redis, topic, position));
      if (!goesOn) await this.#load(redis, topic);
    }
    this.#becomeReady();
  }

  #load(redis: Redis, topic: Topic): Promise<void> {
    return topics[topic].log ? this.#readLog(redis, topic) : this.#readLast(redis, topic);
  }

  /** Reads a log from our place to its end. */
  async #readLog(redis: Redis, topic: Topic): Promise<void> {
    const position = this.#positions.get(topic) ?? { id: '', seq: 0 };
    const place = await placeInLog(redis, topic, position);
    this.#positions.set(topic, { id: '', seq: 0, ...place, due: 0 });
    if (place === null) this.#options.onRestart?.(topic);
    for (let read = logBatch; read === logBatch; ) {
      const id = this.#positions.get(topic)?.id;
      const after = id ? `(${id}` : '-';
      const range = [feedKey(topic), after, '+', 'COUNT', logBatch];
      const entries = readEntries(await redis.callBuffer('XRANGE', ...range));
      this.#accept(topic, entries);
      read = entries.length;
    }
    this.#counts.loads += 1;
    this.#heard = this.#context.clock.now();
  }

  /** Reads the stream's end and the hash in one transaction, so that nothing falls between them. */
  async #readLast(redis: Redis, topic: Topic): Promise<void> {
    const results = await redis
      .multi()
      .callBuffer('XREVRANGE', feedKey(topic), '+', '-', 'COUNT', 1)
      .callBuffer('GET', seqKey(topic))
      .callBuffer('HGETALL', lastKey(topic))
      .exec();
    const [end, seq, hash] = (results ?? []).map(([error, value]) => {
      if (error) throw error;
      return value;
    });
    const at = { id: readEntries(end)[0]?.id ?? '0-0', seq: readNumber(seq) || 0 };
    this.#positions.set(topic, { ...at, due: 0 });
    this.#counts.loads += 1;
    this.#heard = this.#context.clock.now();
    for (const [key, payload] of readPairs(hash)) this.#deliver(topic, { key, payload }, at);
  }

  async #round(redis: Redis): Promise<void> {
    const topics = [...this.#positions.keys()];
    const ids = topics.map((topic) => this.#positions.get(topic)?.id || '0-0');
    const options = ['COUNT', batch, 'BLOCK', block, 'STREAMS'];
    const reply = await redis.callBuffer('XREAD', ...options, ...topics.map(feedKey), ...ids);
    const streams = readStreams(reply);
    for (const topic of topics) {
      const entries = streams.get(feedKey(topic));
      if (entries && !this.#accept(topic, entries)) await this.#reload(redis, topic, 'gap');
    }
    const now = this.#context.clock.now();
    this.#heard = now;
    if (now - this.#checked >= block || now < this.#checked) {
      this.#checked = now;
      await this.#check(redis, topics);
    }
  }

  /** Delivers entries that continue from where we are; false at the first that does not. */
  #accept(topic: Topic, entries: readonly Entry[]): boolean {
    const position = this.#positions.get(topic);
    if (!position) return true;
    for (const { id, fields } of entries) {
      const key = fields?.get('key');
      const payload = fields?.get('data');
      const seq = readNumber(fields?.get('seq'));
      position.id = id;
      if (!key || !payload || Number.isNaN(seq)) {
        this.#skip(topic, 'fields are missing');
        continue;
      }
      if (topics[topic].log) {
        if (seq <= position.seq) continue;
        this.#missed(topic, seq - position.seq - 1);
      } else if (seq !== position.seq + 1) return false;
      position.seq = seq;
      this.#deliver(topic, { key: key.toString(), payload }, { id, seq });
    }
    return true;
  }

  /** Entries of a log were trimmed before we read them; at the first read they are older than this process. */
  #missed(topic: Topic, count: number): void {
    if (count === 0 || this.#counts.loads === 0) return;
    this.#context.log.warn({ topic, count }, 'entries of a log were trimmed unread');
  }

  /**
   * Compares the published with the read sequence numbers. It detects losses that XREAD alone would not:
   * a wiped server, and entries whose ids are lower than ours because the new server's clock is behind.
   */
  async #check(redis: Redis, topics: readonly Topic[]): Promise<void> {
    const reply = await redis.callBuffer('MGET', ...topics.map(seqKey));
    const newest: unknown[] = Array.isArray(reply) ? reply : [];
    for (const [i, topic] of topics.entries()) {
      const position = this.#positions.get(topic);
      if (!position) continue;
      const seq = readNumber(newest[i]) || 0;
      const missed = position.seq < position.due;
      position.due = seq > position.seq ? seq : 0;
      if (seq < position.seq || missed) await this.#reload(redis, topic, 'wiped or overtaken');
    }
  }

  async #reload(redis: Redis, topic: Topic, why: string): Promise<void> {
    this.#context.log.warn(
      { topic, why },
      'stream is not continuous, reading the last values again',
    );
    // The ids of what we have not read may be lower than ours; what we have read is known by its number.
    const position = this.#positions.get(topic);
    if (position) position.id = '';
    await this.#load(redis, topic);
  }

  #deliver<T extends Topic>(
    topic: T,
    { key, payload }: { key: string; payload: Buffer },
    at: LogPosition,
  ): void {
    let value: Topics[T];
    try {
      value = decode<Topics[T]>(payload);
    } catch (error) {
      this.#skip(topic, reason(error));
      return;
    }
    try {
      this.#handlers[topic]?.(key, value, at);
      this.#counts.delivered += 1;
      this.#options.onChange?.();
    } catch (error) {
      this.#counts.thrown += 1;
      this.#context.log.error({ topic, error: reason(error) }, 'a handler threw');
    }
  }

  #skip(topic: Topic, why: string): void {
    this.#counts.skipped += 1;
    this.#context.log.warn({ topic, why }, 'stream entry skipped');
  }
}

function topicsOf(handlers: Handlers): Topic[] {
  const names: Topic[] = [];
  let topic: Topic;
  for (topic in topics) if (handlers[topic]) names.push(topic);
  return names;
}

/** Delivers the last values of the topics, then everything that is published. Throws when there is no topic. */
export const follow = (
  context: BusContext,
  handlers: Handlers,
  options: FollowOptions = {},
): Follower => new Following(context, handlers, options);

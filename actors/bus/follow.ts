import { type Topic, type Topics, topics } from '../topics/index.ts';
import { decode, type Entry, readEntries, readNumber, readPairs, readStreams } from './codec.ts';
import { block, feedKey, lastKey, seqKey } from './keys.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';

/** Handlers of the values of each topic; called with the same value again after every reload. */
export type Handlers = { [T in Topic]?: (key: string, value: Topics[T]) => void };

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

interface Position {
  id: string;
  seq: number;
  /** A newer sequence number than ours at the last check; due to be read by the next. */
  due: number;
}

class Following implements Follower {
  readonly ready: Promise<void>;
  readonly #context: BusContext;
  readonly #handlers: Handlers;
  readonly #positions = new Map<Topic, Position>();
  readonly #counts: FollowCounts = { delivered: 0, skipped: 0, thrown: 0, loads: 0 };
  readonly #loop: Loop;
  #becomeReady: () => void = () => {};
  #heard: number | null = null;
  #checked = 0;

  constructor(context: BusContext, handlers: Handlers) {
    this.#context = context;
    this.#handlers = handlers;
    for (const topic of topicsOf(handlers)) this.#positions.set(topic, { id: '', seq: 0, due: 0 });
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
    for (const topic of this.#positions.keys()) await this.#load(redis, topic);
    this.#becomeReady();
  }

  /** Reads the stream's end and the hash in one transaction, so that nothing falls between them. */
  async #load(redis: Redis, topic: Topic): Promise<void> {
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
    const id = readEntries(end)[0]?.id ?? '0-0';
    this.#positions.set(topic, { id, seq: readNumber(seq) || 0, due: 0 });
    this.#counts.loads += 1;
    this.#heard = this.#context.clock.now();
    for (const [key, payload] of readPairs(hash)) this.#deliver(topic, key, payload);
  }

  async #round(redis: Redis): Promise<void> {
    const topics = [...this.#positions.keys()];
    const ids = topics.map((topic) => this.#positions.get(topic)?.id ?? '0-0');
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
      } else if (seq !== position.seq + 1) {
        return false;
      } else {
        position.seq = seq;
        this.#deliver(topic, key.toString(), payload);
      }
    }
    return true;
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
    await this.#load(redis, topic);
  }

  #deliver<T extends Topic>(topic: T, key: string, payload: Buffer): void {
    let value: Topics[T];
    try {
      value = decode<Topics[T]>(payload);
    } catch (error) {
      this.#skip(topic, reason(error));
      return;
    }
    try {
      this.#handlers[topic]?.(key, value);
      this.#counts.delivered += 1;
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
export const follow = (context: BusContext, handlers: Handlers): Follower =>
  new Following(context, handlers);

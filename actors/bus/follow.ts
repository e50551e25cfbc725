/** Follows topics: their last values, then every entry. */
import { schemas, type Topic, type Topics, topics } from '../topics/index.ts';
import {
  decodeEntry,
  type FeedEntry,
  readFeed,
  readFeeds,
  readNumber,
  readPairs,
} from './codec.ts';
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
  /**
   * Called before a log goes on after an earlier entry: the latest ones are no more, since a promoted replica lacks them. It has
   * others after `at`, whose numbers, and maybe ids, were those of the lost ones.
   */
  onLost?(topic: Topic, at: LogPosition): void;
}

export interface Follower {
  /** Resolves when every topic's last values have been delivered; when stopped before, then too. */
  readonly ready: Promise<void>;
  /** `down` until the first load and while Redis is away. */
  state(): 'up' | 'down';
  stop(): Promise<void>;
}

function topicsOf(handlers: Handlers): Topic[] {
  const names: Topic[] = [];
  let topic: Topic;
  for (topic in topics) if (handlers[topic]) names.push(topic);
  return names;
}

/** Entries per topic and read: a reading may have 200 KB. */
const batch = 64;

/** Entries of a log that are read at once at the start. */
const logBatch = 512;

/** Of the entries of a log that were read so many are remembered at least: to find where a promoted replica went on. */
const remembered = 1_024;

interface Position extends LogPosition {
  /** A newer sequence number than ours at the last check; it must have been read by the next one. */
  due: number;
  /** The last entries of a log that were read, oldest first. */
  read: LogPosition[];
}

/** The oldest are forgotten, many at a time. */
function remember(read: LogPosition[], one: LogPosition): void {
  read.push(one);
  if (read.length > 2 * remembered) read.splice(0, remembered);
}

/** Reads topics out of Redis, the last values first, then every entry, each once and in order, until it is stopped. */
class Reader implements Follower {
  readonly ready: Promise<void>;
  readonly #context: BusContext;
  readonly #handlers: Handlers;
  readonly #options: FollowOptions;
  readonly #positions = new Map<Topic, Position>();
  readonly #ofFeed = new Map<string, Topic>();
  readonly #loop: Loop;
  #becomeReady: () => void = () => {};
  #checked = Number.NEGATIVE_INFINITY;

  constructor(context: BusContext, handlers: Handlers, options: FollowOptions) {
    this.#context = context;
    this.#handlers = handlers;
    this.#options = options;
    for (const topic of topicsOf(handlers)) {
      const from = options.from?.[topic];
      const read = from && from.id !== '' ? [from] : [];
      this.#positions.set(topic, { id: '', seq: 0, ...from, due: 0, read });
      this.#ofFeed.set(feedKey(topic), topic);
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
    const position = this.#positions.get(topic) ?? { id: '', seq: 0, read: [] };
    const place = await placeInLog(redis, topic, position, position.read);
    const end = position.read.findLastIndex(({ seq }) => seq <= (place?.seq ?? 0));
    const read = position.read.slice(0, end + 1);
    this.#positions.set(topic, { id: '', seq: 0, ...place, due: 0, read });
    if (place === null) this.#options.onRestart?.(topic);
    else if (place.seq < position.seq) this.#options.onLost?.(topic, place);
    for (let read = logBatch; read === logBatch; ) {
      const id = this.#positions.get(topic)?.id;
      const after = id ? `(${id}` : '-';
      const range = [feedKey(topic), after, '+', 'COUNT', logBatch];
      const entries = readFeed(await redis.callBuffer('XRANGE', ...range));
      this.#accept(topic, entries);
      read = entries.length;
    }
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
    const at = { id: readFeed(end)[0]?.id ?? '0-0', seq: readNumber(seq) || 0 };
    this.#positions.set(topic, { ...at, due: 0, read: [] });
    for (const [key, payload] of readPairs(hash)) this.#deliver(topic, key, payload, at);
  }

  async #round(redis: Redis): Promise<void> {
    const how = ['COUNT', batch, 'BLOCK', block, 'STREAMS', ...this.#ofFeed.keys()];
    const ids = [...this.#positions.values()].map(({ id }) => id || '0-0');
    for (const [feed, entries] of readFeeds(await redis.callBuffer('XREAD', ...how, ...ids))) {
      const topic = this.#ofFeed.get(feed);
      if (topic === undefined) continue;
      const goesOn = this.#isNext(topic, entries[0]) && this.#accept(topic, entries);
      if (!goesOn) await this.#reload(redis, topic, 'gap');
    }
    const now = this.#context.clock.monotonic();
    if (now - this.#checked >= block) {
      this.#checked = now;
      await this.#check(redis, [...this.#positions.keys()]);
    }
  }

  /** False for an entry of a log that does not continue it: some were trimmed, or the server has another log by now. */
  #isNext(topic: Topic, { seq }: Pick<FeedEntry, 'seq'> = { seq: Number.NaN }): boolean {
    const position = this.#positions.get(topic);
    return !topics[topic].log || Number.isNaN(seq) || seq - 1 === position?.seq;
  }

  /** Gives entries that continue from where we are; false at the first that does not. */
  #accept(topic: Topic, entries: readonly FeedEntry[]): boolean {
    const position = this.#positions.get(topic);
    if (!position) return true;
    for (const { id, seq, key, data } of entries) {
      position.id = id;
      if (!key || !data || Number.isNaN(seq)) {
        this.#context.log.warn({ topic, why: 'fields are missing' }, 'stream entry skipped');
        continue;
      }
      if (topics[topic].log) {
        if (seq <= position.seq) continue;
        this.#missed(topic, position.seq, seq - position.seq - 1);
        remember(position.read, { id, seq });
      } else if (seq !== position.seq + 1) return false;
      position.seq = seq;
      this.#deliver(topic, key.toString(), data, { id, seq });
    }
    return true;
  }

  /** What cannot be read is left out, and a handler that throws is called again with the next value; both are logged. */
  #deliver<T extends Topic>(topic: T, key: string, payload: Buffer, at: LogPosition): void {
    const { log } = this.#context;
    let values: [string, Topics[T]][];
    try {
      values = decodeEntry<Topics[T]>(key, payload, schemas[topic]);
    } catch (error) {
      log.warn({ topic, why: reason(error) }, 'stream entry skipped');
      return;
    }
    for (const [own, value] of values) {
      try {
        this.#handlers[topic]?.(own, value, at);
      } catch (error) {
        log.error({ topic, error: reason(error) }, 'a handler threw');
      }
    }
  }

  /** Entries of a log were trimmed after one that was read: of a new log they are older than this process. */
  #missed(topic: Topic, after: number, count: number): void {
    if (after > 0 && count > 0)
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
    await this.#load(redis, topic);
  }
}

/** Delivers the last values of the topics, then everything that is published. Throws RangeError when there is no topic. */
export const follow = (
  context: BusContext,
  handlers: Handlers,
  options: FollowOptions = {},
): Follower => new Reader(context, handlers, options);

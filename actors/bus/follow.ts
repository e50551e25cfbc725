import { schemas, type Topic, type Topics, topics } from '../topics/index.ts';
import { decode } from './codec.ts';
import { reason } from './log.ts';
import type { BusContext } from './loop.ts';
import { correctTimes } from './own-times.ts';
import { type Payload, Reader, type Sink } from './reader.ts';
import type { LogPosition } from './resume.ts';

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
  /** Called before a log goes on after an earlier entry: a fail-over lost the latest ones, and others may be in their place. */
  onLost?(topic: Topic, at: LogPosition): void;
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

class Following implements Follower, Sink {
  readonly ready: Promise<void>;
  readonly #clock: BusContext['clock'];
  readonly #log: BusContext['log'];
  readonly #handlers: Handlers;
  readonly #options: FollowOptions;
  readonly #counts = { delivered: 0, skipped: 0, thrown: 0 };
  readonly #reader: Reader;

  constructor(context: BusContext, handlers: Handlers, options: FollowOptions) {
    this.#clock = context.clock;
    this.#log = context.log;
    this.#handlers = handlers;
    this.#options = options;
    this.#reader = new Reader(context, this, { topics: topicsOf(handlers), ...options });
    this.ready = this.#reader.ready;
  }

  state(): 'up' | 'down' {
    return this.#reader.state;
  }

  lastHeard(): number | null {
    return this.#reader.heard;
  }

  counts(): Readonly<FollowCounts> {
    return { ...this.#counts, loads: this.#reader.loads };
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  values(topic: Topic, values: ReadonlyMap<string, Buffer>, at: LogPosition): void {
    for (const [key, payload] of values) this.entry(topic, { key, payload }, at);
  }

  entry<T extends Topic>(topic: T, { key, payload }: Payload, at: LogPosition): void {
    let value: Topics[T];
    try {
      value = decode<Topics[T]>(payload, schemas[topic]);
      correctTimes(value, this.#clock.now());
    } catch (error) {
      this.skipped(topic, reason(error));
      return;
    }
    try {
      this.#handlers[topic]?.(key, value, at);
      this.#counts.delivered += 1;
    } catch (error) {
      this.#counts.thrown += 1;
      this.#log.error({ topic, error: reason(error) }, 'a handler threw');
    }
  }

  skipped(topic: Topic, why: string): void {
    this.#counts.skipped += 1;
    this.#log.warn({ topic, why }, 'stream entry skipped');
  }

  restarted(topic: Topic): void {
    this.#options.onRestart?.(topic);
  }

  lost(topic: Topic, at: LogPosition): void {
    this.#options.onLost?.(topic, at);
  }
}

function topicsOf(handlers: Handlers): Topic[] {
  const names: Topic[] = [];
  let topic: Topic;
  for (topic in topics) if (handlers[topic]) names.push(topic);
  return names;
}

/**
 * Delivers the last values of the topics, then everything that is published. Throws RangeError when there is no topic.
 */
export const follow = (
  context: BusContext,
  handlers: Handlers,
  options: FollowOptions = {},
): Follower => new Following(context, handlers, options);

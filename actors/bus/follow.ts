import { schemas, type Topic, type Topics, topics } from '../topics/index.ts';
import { decodeEntry } from './codec.ts';
import { reason } from './log.ts';
import type { BusContext } from './loop.ts';
import { Reader, type ReaderOptions } from './reader.ts';
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
export type FollowOptions = Pick<ReaderOptions, 'from' | 'onRestart' | 'onLost'>;

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

/**
 * Delivers the last values of the topics, then everything that is published. What cannot be read is left out, and a handler that
 * throws is called again with the next value; both are logged. Throws RangeError when there is no topic.
 */
export function follow(
  context: BusContext,
  handlers: Handlers,
  options: FollowOptions = {},
): Follower {
  const { log } = context;
  const deliver = <T extends Topic>(topic: T, key: string, payload: Buffer, at: LogPosition) => {
    let values: [string, Topics[T]][];
    try {
      values = decodeEntry<Topics[T]>(key, payload, schemas[topic]);
    } catch (error) {
      log.warn({ topic, why: reason(error) }, 'stream entry skipped');
      return;
    }
    for (const [own, value] of values) {
      try {
        handlers[topic]?.(own, value, at);
      } catch (error) {
        log.error({ topic, error: reason(error) }, 'a handler threw');
      }
    }
  };
  return new Reader(context, { ...options, topics: topicsOf(handlers), deliver });
}

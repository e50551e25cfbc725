/** All topics of a relay, and the reads of followers that it answers as Redis would. */
import { type Topic, topics } from '../../topics/index.ts';
import { feedKey, lastKey, seqKey } from '../keys.ts';
import type { Payload } from '../reader.ts';
import type { LogPosition } from '../resume.ts';
import { HeldTopic, idOf } from './held-topic.ts';
import type { Reply } from './resp.ts';
import * as resp from './resp.ts';

/** A request that the relay cannot answer; Redis could. */
export class RequestError extends Error {
  override name = 'RequestError';
}

/** An XREAD. */
export interface StreamRead {
  /** The names of the streams and the ids, as they were asked. */
  asked: readonly string[];
  /** Equal for reads of which the replies are equal. */
  same: string;
  most: number;
  /** Ms; null for one that does not wait. */
  block: number | null;
}

/** Throws RequestError for a form that followers do not use. */
export function streamReadOf([, ...args]: readonly string[]): StreamRead {
  const at = args.findIndex((word) => word.toUpperCase() === 'STREAMS');
  const options = new Map<string, number>();
  for (let i = 0; i + 1 < at; i += 2)
    options.set(args[i]?.toUpperCase() ?? '', Number(args[i + 1]));
  const asked = args.slice(at + 1);
  const isRead = at >= 0 && asked.length > 0 && asked.length % 2 === 0;
  if (!isRead) throw new RequestError('XREAD without streams and ids');
  return {
    asked,
    same: args.join(' '),
    most: options.get('COUNT') ?? Number.POSITIVE_INFINITY,
    block: options.get('BLOCK') ?? null,
  };
}

export class HeldTopics {
  readonly #topics = new Map<Topic, HeldTopic>();
  readonly #streams = new Map<string, HeldTopic>();
  readonly #hashes = new Map<string, HeldTopic>();
  readonly #numbers = new Map<string, HeldTopic>();

  constructor(names: readonly Topic[]) {
    for (const name of names) {
      const held = new HeldTopic(topics[name]);
      this.#topics.set(name, held);
      this.#streams.set(feedKey(name), held);
      this.#hashes.set(lastKey(name), held);
      this.#numbers.set(seqKey(name), held);
    }
  }

  /** See `HeldTopic.replace`. */
  replace(topic: Topic, values: ReadonlyMap<string, Buffer>, at: LogPosition): boolean {
    return of(this.#topics, topic).replace(values, at);
  }

  /** See `HeldTopic.add`. */
  add(topic: Topic, entry: Payload, at: LogPosition): boolean {
    return of(this.#topics, topic).add(entry, at);
  }

  restart(topic: Topic): void {
    of(this.#topics, topic).restart();
  }

  /** See `HeldTopic.cutBack`. */
  cutBack(topic: Topic, at: LogPosition): void {
    of(this.#topics, topic).cutBack(at);
  }

  keep(topic: Topic, keys: ReadonlySet<string>): void {
    of(this.#topics, topic).keep(keys);
  }

  /** Whether a key has the newest number of a log. */
  isLogNumber(key: string): boolean {
    return this.#numbers.get(key)?.isLog === true;
  }

  /** The entries behind the ids, by stream; null where there are none. Throws RequestError. */
  read({ asked, most }: StreamRead): Reply | null {
    const count = asked.length / 2;
    const found: Reply[] = [];
    for (let at = 0; at < count; at++) {
      const name = asked[at] ?? '';
      const entries = of(this.#streams, name).after(idIn(asked[count + at]), most);
      if (entries.length > 0) found.push(resp.list([resp.text(name), resp.list(entries)]));
    }
    return found.length === 0 ? null : resp.list(found);
  }

  /** The reply to any other read of a follower. Throws RequestError. */
  answer([command = '', name = '', ...args]: readonly string[]): Reply {
    switch (command.toUpperCase()) {
      case 'GET':
        return numberOf(of(this.#numbers, name));
      case 'MGET':
        return resp.list([name, ...args].map((one) => numberOf(of(this.#numbers, one))));
      case 'HGETALL':
        return of(this.#hashes, name).values();
      case 'XREVRANGE':
        return resp.list(of(this.#streams, name).upTo(args[0] === '+' ? null : idIn(args[0])));
      case 'XRANGE': {
        const [from = '', , , most] = args;
        const after = from.startsWith('(') ? idIn(from.slice(1)) : beginning;
        return resp.list(of(this.#streams, name).after(after, Number(most)));
      }
      default:
        throw new RequestError(`a relay does not know the command ${command}`);
    }
  }
}

const beginning = [0, 0] as const;

/** Null where nothing was ever published. */
const numberOf = ({ seq }: HeldTopic): Reply => (seq === 0 ? resp.nil : resp.text(`${seq}`));

function idIn(text = ''): ReturnType<typeof idOf> {
  const id = idOf(text);
  if (id.some(Number.isNaN)) throw new RequestError(`${text} is no id of an entry`);
  return id;
}

function of<K extends string>(topics: ReadonlyMap<K, HeldTopic>, name: K): HeldTopic {
  const held = topics.get(name);
  if (!held) throw new RequestError(`a relay does not hold ${name}`);
  return held;
}

/** What is published on a topic, and its last values. */
import { schemas, type Topic, type Topics, topics } from '../topics/index.ts';
import { decode, encode, readPairs } from './codec.ts';
import { feedKey, fenceKey, lastKey, seqKey } from './keys.ts';
import { type BusLog, reason } from './log.ts';
import { type Commands, isLogged, script } from './script.ts';

/** The lease that a publisher holds, and the fencing number it got with it. */
export interface Fence {
  name: string;
  fence: number;
}

/** `refused`: a newer holder has the lease. `unavailable`: Redis is away or did not answer in time. */
export type Published = 'published' | 'refused' | 'unavailable';

/**
 * Lua: `appendAll` adds entries to a stream of a topic, each a key and its data in `values`, and removes those that are older than
 * `keep` ms, and above `most` in number where that is not 0. The id of the entry tells the time, so that one clock decides. `append`
 * adds one. Both give the id of the last entry.
 */
export const appendLua = `
local function appendAll(feed, numbers, values, keep, most)
  local count = #values / 2
  local seq = redis.call('INCRBY', numbers, count) - count
  local id
  for i = 1, count do
    id = redis.call('XADD', feed, '*', 'key', values[2 * i - 1], 'seq', seq + i, 'data', values[2 * i])
  end
  local ms = tonumber(string.match(id, '^%d+'))
  redis.call('XTRIM', feed, 'MINID', '~', string.format('%d', ms - tonumber(keep)))
  if tonumber(most) > 0 then redis.call('XTRIM', feed, 'MAXLEN', '~', most) end
  return id
end
local function append(feed, numbers, key, data, keep, most)
  return appendAll(feed, numbers, {key, data}, keep, most)
end
`;

/** How the stream of a topic is kept, as `append` of `appendLua` takes it. */
export const keptOf = (topic: Topic): [keep: number, most: number] => {
  const { keep, most = 0 } = topics[topic];
  return [keep, most];
};

/**
 * Appends values of several topics, in their order, and replaces the last values. Keeps the newest fencing number of each lease that
 * it has seen: it may have been granted by another server. Keys: three of each topic, then one of each lease. Arguments: the number of
 * topics and of leases, two of each topic as of `keptOf`, the fencing numbers, and of each value the places of its topic and of its
 * lease (0 without one), its key and its data. Gives for each value 1, or 0 where a newer holder has the lease.
 */
export const publishScript = script(`${appendLua}
local topics, leases = tonumber(ARGV[1]), tonumber(ARGV[2])
local held = {[0] = true}
for i = 1, leases do
  local key, fence = KEYS[3 * topics + i], ARGV[2 + 2 * topics + i]
  local newest = tonumber(redis.call('GET', key) or 0)
  held[i] = newest <= tonumber(fence)
  if newest < tonumber(fence) then redis.call('SET', key, fence) end
end
local taken, found = {}, {}
for i = 3 + 2 * topics + leases, #ARGV, 4 do
  local isHeld = held[tonumber(ARGV[i + 1])]
  taken[#taken + 1] = isHeld and 1 or 0
  if isHeld then
    local topic = tonumber(ARGV[i])
    local own = found[topic] or {}
    found[topic] = own
    own[#own + 1] = ARGV[i + 2]
    own[#own + 1] = ARGV[i + 3]
  end
end
for topic = 1, topics do
  local own = found[topic]
  if own then
    appendAll(KEYS[3 * topic - 2], KEYS[3 * topic], own, ARGV[1 + 2 * topic], ARGV[2 + 2 * topic])
    redis.call('HSET', KEYS[3 * topic - 1], unpack(own))
  end
end
return taken`);

interface Publication<T extends Topic> {
  topic: T;
  key: string;
  value: Topics[T];
  lease?: Fence | undefined;
}

/** A value that waits for the end of the turn. */
interface Waiting {
  topic: Topic;
  key: string;
  bytes: Buffer;
  lease: Fence | undefined;
  done(outcome: Published): void;
}

/** Values of one call of the script, and bytes of all but its last: Redis does nothing else meanwhile. */
const perCall = { values: 64, bytes: 64 * 1024 };

/** The values of one call of the script, as it takes them. */
class Call {
  readonly values: Waiting[] = [];
  readonly #topics = new Map<Topic, number>();
  readonly #leases = new Map<string, { fence: number; place: number }>();
  readonly #entries: (string | number | Buffer)[] = [];
  #bytes = 0;

  /** Adds a value; false where another call must have it: this one is full, or has another fencing number of its lease. */
  add(value: Waiting): boolean {
    const { topic, key, bytes, lease } = value;
    const known = lease && this.#leases.get(lease.name);
    if (known && known.fence !== lease.fence) return false;
    if (this.values.length >= perCall.values || this.#bytes >= perCall.bytes) return false;
    if (lease && !known) {
      this.#leases.set(lease.name, { fence: lease.fence, place: this.#leases.size + 1 });
    }
    const place = lease ? (this.#leases.get(lease.name)?.place ?? 0) : 0;
    if (!this.#topics.has(topic)) this.#topics.set(topic, this.#topics.size + 1);
    this.#entries.push(this.#topics.get(topic) ?? 0, place, key, bytes);
    this.#bytes += bytes.length;
    this.values.push(value);
    return true;
  }

  get keys(): string[] {
    const ofTopics = [...this.#topics.keys()].flatMap((topic) => [
      ...[feedKey(topic), lastKey(topic), seqKey(topic)],
    ]);
    return [...ofTopics, ...[...this.#leases.keys()].map(fenceKey)];
  }

  get args(): (string | number | Buffer)[] {
    const kept = [...this.#topics.keys()].flatMap(keptOf);
    const fences = [...this.#leases.values()].map(({ fence }) => fence);
    return [this.#topics.size, this.#leases.size, ...kept, ...fences, ...this.#entries];
  }
}

/** Publishes: what is published in one turn of the event loop leaves at its end, together. */
export class Publisher {
  readonly #commands: Commands;
  readonly #log: BusLog;
  #waiting: Waiting[] = [];

  constructor(commands: Commands, log: BusLog) {
    this.#commands = commands;
    this.#log = log;
  }

  /** Appends to the stream and replaces the last value, both or neither. Rejects only where the value cannot be encoded. */
  async publish<T extends Topic>({ topic, key, value, lease }: Publication<T>): Promise<Published> {
    const bytes = encode(value, schemas[topic]);
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    return new Promise((done) => {
      this.#waiting.push({ topic, key, bytes, lease, done });
    });
  }

  /** Sends what waits. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let call = new Call();
    for (const value of waiting) {
      if (call.add(value)) continue;
      void this.#send(call);
      call = new Call();
      call.add(value);
    }
    if (call.values.length > 0) void this.#send(call);
  }

  async #send({ values, keys, args }: Call): Promise<void> {
    let taken: unknown[] = [];
    try {
      const reply = await this.#commands.write(publishScript, keys, args);
      if (Array.isArray(reply)) taken = reply;
    } catch (error) {
      const topic = [...new Set(values.map((one) => one.topic))].join(', ');
      if (!isLogged(error)) this.#log.warn({ topic, error: reason(error) }, 'not published');
    }
    for (const [i, { done }] of values.entries()) {
      const outcome = taken[i];
      done(outcome === 1 ? 'published' : outcome === 0 ? 'refused' : 'unavailable');
    }
  }
}

/** The last value of one key; undefined where there is none, or none that can be read. Rejects when Redis is away. */
export async function lastOf<T extends Topic>(
  commands: Commands,
  topic: T,
  key: string,
): Promise<Topics[T] | undefined> {
  const payload = await commands.send('HGET', lastKey(topic), key);
  if (!Buffer.isBuffer(payload)) return undefined;
  try {
    return decode<Topics[T]>(payload, schemas[topic]);
  } catch {
    return undefined;
  }
}

/** The keys that have a last value in a topic. Rejects when Redis is away. */
export async function keysOf(commands: Commands, topic: Topic): Promise<string[]> {
  const reply = await commands.send('HKEYS', lastKey(topic));
  return Array.isArray(reply) ? reply.map(String) : [];
}

/** Removes the last values of these keys; nothing is published. Rejects when Redis is away. */
export async function forget(
  commands: Commands,
  topic: Topic,
  keys: readonly string[],
): Promise<void> {
  if (keys.length > 0) await commands.send('HDEL', lastKey(topic), ...keys);
}

/** The last value of every key of a topic; unreadable values are left out. Rejects when Redis is away. */
export async function last<T extends Topic>(
  commands: Commands,
  topic: T,
): Promise<Map<string, Topics[T]>> {
  const values = new Map<string, Topics[T]>();
  for (const [key, payload] of readPairs(await commands.send('HGETALL', lastKey(topic)))) {
    try {
      values.set(key, decode<Topics[T]>(payload, schemas[topic]));
    } catch {
      // Written by a version that this one does not understand: treated as absent.
    }
  }
  return values;
}

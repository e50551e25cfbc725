/** What is published on a topic, and its last values. */
import { schemas, type Topic, type Topics, topics } from '../topics/index.ts';
import { decode, encode, encodeJoined, readPairs } from './codec.ts';
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
 * Appends entries of several topics, in their order, and replaces the last values of state topics. Keeps the newest fencing number of
 * each lease that it has seen: another server may have given it. Keys: three of each topic, then one of each lease. Arguments:
 * the number of topics and of leases, two of each topic as of `keptOf` and 1 where it is a log, the fencing numbers, and of each entry
 * the place of its topic, those of its leases as a list, its key and its data. Gives for each entry 1, or 0 where a newer holder has
 * one of its leases.
 */
export const publishScript = script(`${appendLua}
local topics, leases = tonumber(ARGV[1]), tonumber(ARGV[2])
local held = {}
for i = 1, leases do
  local key, fence = KEYS[3 * topics + i], ARGV[2 + 3 * topics + i]
  local newest = tonumber(redis.call('GET', key) or 0)
  held[i] = newest <= tonumber(fence)
  if newest < tonumber(fence) then redis.call('SET', key, fence) end
end
local taken, found = {}, {}
for i = 3 + 3 * topics + leases, #ARGV, 4 do
  local isHeld = true
  for place in string.gmatch(ARGV[i + 1], '%d+') do isHeld = isHeld and held[tonumber(place)] end
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
    appendAll(KEYS[3 * topic - 2], KEYS[3 * topic], own, ARGV[3 * topic], ARGV[1 + 3 * topic])
    if ARGV[2 + 3 * topic] == '0' then redis.call('HSET', KEYS[3 * topic - 1], unpack(own)) end
  end
end
return taken`);

/** A value that waits for the end of the turn. */
interface Waiting {
  key: string;
  value: unknown;
  lease: Fence | undefined;
  done(outcome: Published): void;
}

/** An entry of a stream: a value, or several of a topic whose values are joined. */
interface Entry {
  topic: Topic;
  values: readonly Waiting[];
  bytes: Buffer;
}

/** Entries of one call of the script, and bytes of all but its last: Redis does nothing else meanwhile. */
const perCall = { entries: 64, bytes: 64 * 1024 };

/** The entries of one call of the script, as it takes them. */
class Call {
  readonly entries: Entry[] = [];
  readonly #topics = new Map<Topic, number>();
  readonly #leases = new Map<string, { fence: number; place: number }>();
  readonly #args: (string | number | Buffer)[] = [];
  #bytes = 0;

  /** Adds an entry; false where another call must have it: this one is full, or has another fencing number of a lease. */
  add(entry: Entry): boolean {
    const { topic, values, bytes } = entry;
    const isFull = this.entries.length >= perCall.entries || this.#bytes >= perCall.bytes;
    if (isFull || values.some(({ lease }) => lease && this.#isOther(lease))) return false;
    const places = new Set(values.flatMap(({ lease }) => (lease ? this.#place(lease) : [])));
    if (!this.#topics.has(topic)) this.#topics.set(topic, this.#topics.size + 1);
    const key = values.length === 1 ? (values[0]?.key ?? '') : '';
    this.#args.push(this.#topics.get(topic) ?? 0, [...places].join(), key, bytes);
    this.#bytes += bytes.length;
    this.entries.push(entry);
    return true;
  }

  #isOther({ name, fence }: Fence): boolean {
    return (this.#leases.get(name)?.fence ?? fence) !== fence;
  }

  #place({ name, fence }: Fence): number {
    const known = this.#leases.get(name) ?? { fence, place: this.#leases.size + 1 };
    this.#leases.set(name, known);
    return known.place;
  }

  get keys(): string[] {
    const ofTopics = [...this.#topics.keys()].flatMap((topic) => [
      feedKey(topic),
      lastKey(topic),
      seqKey(topic),
    ]);
    return [...ofTopics, ...[...this.#leases.keys()].map(fenceKey)];
  }

  get args(): (string | number | Buffer)[] {
    const kept = [...this.#topics.keys()].flatMap((topic) => [
      ...keptOf(topic),
      topics[topic].log ? 1 : 0,
    ]);
    const fences = [...this.#leases.values()].map(({ fence }) => fence);
    return [this.#topics.size, this.#leases.size, ...kept, ...fences, ...this.#args];
  }
}

/** Publishes: what is published in one turn of the event loop leaves at its end, together. */
export class Publisher {
  readonly #commands: Commands;
  readonly #log: BusLog;
  #waiting: Entry[] = [];
  /** Values of topics whose values are joined; bytes are made of them at the end of the turn. */
  readonly #joining = new Map<Topic, Waiting[]>();
  #isPlanned = false;

  constructor(commands: Commands, log: BusLog) {
    this.#commands = commands;
    this.#log = log;
  }

  /**
   * Appends to the stream and, of a state topic, replaces the last value, both or neither. Rejects only where the value cannot be
   * encoded, a joined one never: it is not changed afterwards.
   */
  readonly publish = async <T extends Topic>(
    topic: T,
    key: string,
    value: Topics[T],
    lease?: Fence,
  ): Promise<Published> => {
    const { promise, resolve: done } = Promise.withResolvers<Published>();
    const one = { key, value, lease, done };
    if (topics[topic].joined) {
      const known = this.#joining.get(topic);
      if (known) known.push(one);
      else this.#joining.set(topic, [one]);
    } else this.#alone(topic, one);
    this.#plan();
    return promise;
  };

  /** Sends what waits. */
  flush(): void {
    this.#isPlanned = false;
    for (const [topic, values] of this.#joining) this.#join(topic, values);
    this.#joining.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    let call = new Call();
    for (const entry of waiting) {
      if (call.add(entry)) continue;
      void this.#send(call);
      call = new Call();
      call.add(entry);
    }
    if (call.entries.length > 0) void this.#send(call);
  }

  /** Once all that has been planned in this turn of the event loop is done: its promises too. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    process.nextTick(() => this.flush());
  }

  #alone(topic: Topic, one: Waiting): void {
    this.#waiting.push({ topic, values: [one], bytes: encode(one.value, schemas[topic]) });
  }

  #join(topic: Topic, values: readonly Waiting[]): void {
    const [one] = values;
    if (one && values.length === 1) {
      this.#alone(topic, one);
      return;
    }
    const bytes = encodeJoined(values, schemas[topic]);
    const half = Math.ceil(values.length / 2);
    if (bytes.length <= perCall.bytes) this.#waiting.push({ topic, values, bytes });
    else for (const part of [values.slice(0, half), values.slice(half)]) this.#join(topic, part);
  }

  async #send({ entries, keys, args }: Call): Promise<void> {
    let taken: unknown[] = [];
    try {
      const reply = await this.#commands.write(publishScript, keys, args);
      if (Array.isArray(reply)) taken = reply;
    } catch (error) {
      const topic = [...new Set(entries.map((one) => one.topic))].join(', ');
      if (!isLogged(error)) this.#log.warn({ topic, error: reason(error) }, 'not published');
    }
    for (const [i, entry] of entries.entries()) this.#settle(entry, taken[i]);
  }

  /** A newer holder of one lease refuses a joined entry: its values are sent one by one. */
  #settle({ topic, values }: Entry, taken: unknown): void {
    if (taken === 0 && values.length > 1) {
      for (const one of values) this.#alone(topic, one);
      this.#plan();
      return;
    }
    const outcome = taken === 1 ? 'published' : taken === 0 ? 'refused' : 'unavailable';
    for (const { done } of values) done(outcome);
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

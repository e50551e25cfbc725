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
 * Lua: `append` adds an entry to a stream of a topic, and removes those that are older than `keep` ms, and above `most` in number
 * where that is not 0. The id of the entry tells the time, so that one clock decides. Gives the id.
 */
export const appendLua = `
local function append(feed, numbers, key, data, keep, most)
  local seq = redis.call('INCR', numbers)
  local id = redis.call('XADD', feed, '*', 'key', key, 'seq', seq, 'data', data)
  local ms = tonumber(string.match(id, '^%d+'))
  redis.call('XTRIM', feed, 'MINID', '~', string.format('%d', ms - tonumber(keep)))
  if tonumber(most) > 0 then redis.call('XTRIM', feed, 'MAXLEN', '~', most) end
  return id
end
`;

/** How the stream of a topic is kept, as `append` of `appendLua` takes it. */
export const keptOf = (topic: Topic): [keep: number, most: number] => {
  const { keep, most = 0 } = topics[topic];
  return [keep, most];
};

/** Keeps the newest fencing number of the lease that it has seen: it may have been granted by another server. */
export const publishScript = script(`${appendLua}
if KEYS[4] then
  local newest = tonumber(redis.call('GET', KEYS[4]) or 0)
  if newest > tonumber(ARGV[5]) then return 0 end
  if newest < tonumber(ARGV[5]) then redis.call('SET', KEYS[4], ARGV[5]) end
end
append(KEYS[1], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`);

interface Publication<T extends Topic> {
  topic: T;
  key: string;
  value: Topics[T];
  lease?: Fence | undefined;
}

/** Appends to the stream and replaces the last value, both or neither. Never rejects. */
export async function publish<T extends Topic>(
  commands: Commands,
  log: BusLog,
  { topic, key, value, lease }: Publication<T>,
): Promise<Published> {
  const keys = [feedKey(topic), lastKey(topic), seqKey(topic)];
  const args: (string | number | Buffer)[] = [key, encode(value, schemas[topic]), ...keptOf(topic)];
  if (lease) {
    keys.push(fenceKey(lease.name));
    args.push(lease.fence);
  }
  try {
    return (await commands.write(publishScript, keys, args)) === 0 ? 'refused' : 'published';
  } catch (error) {
    if (!isLogged(error)) log.warn({ topic, error: reason(error) }, 'not published');
    return 'unavailable';
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

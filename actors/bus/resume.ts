/** Where a follower goes on after its connection was lost: on the same server, or on a replica that has become the master. */
import { readEntries, readNumber } from './codec.ts';
import { feedKey, seqKey } from './keys.ts';
import type { Redis } from './redis.ts';

/** A position in a log: an entry of its stream, and its sequence number. */
export interface LogPosition {
  id: string;
  seq: number;
}

/** The newest entry of a topic's stream that does not come after `id`; undefined where there is none. */
async function entryAt(redis: Redis, topic: string, id: string): Promise<LogPosition | undefined> {
  const range = [feedKey(topic), id, '-', 'COUNT', 1] as const;
  const [entry] = readEntries(await redis.callBuffer('XREVRANGE', ...range));
  return entry && { id: entry.id, seq: readNumber(entry.fields?.get('seq')) };
}

/** Whether the stream has the entry at a position: what follows it then follows what was read. */
export async function isThere(redis: Redis, topic: string, at: LogPosition): Promise<boolean> {
  const found = at.id === '' ? undefined : await entryAt(redis, topic, at.id);
  return found?.id === at.id && found.seq === at.seq;
}

/**
 * Where the reading of a log goes on; null where it begins again with the first entry, because Redis was emptied or is another
 * one. A promoted replica may lack the latest entries, and gives their numbers again: there the ids say what is new, which
 * are later than those of the lost entries as long as the clocks of the servers differ by less than a fail-over takes.
 */
export async function placeInLog(
  redis: Redis,
  topic: string,
  at: LogPosition,
): Promise<LogPosition | null> {
  const found = at.id === '' ? undefined : await entryAt(redis, topic, at.id);
  if (found) return found.seq > at.seq ? null : { id: at.id, seq: found.seq };
  const newest = readNumber(await redis.callBuffer('GET', seqKey(topic))) || 0;
  return newest < at.seq ? null : at;
}

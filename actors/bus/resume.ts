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
 * one. `read` are the last entries that were read, oldest first. A promoted replica may lack the latest of them, and have others
 * in their place whose numbers and ids come before: whoever had not noticed the fail-over went on writing to the former
 * master, and was read there. What follows the newest entry that the two have in common is new.
 */
export async function placeInLog(
  redis: Redis,
  topic: string,
  at: LogPosition,
  read: readonly LogPosition[],
): Promise<LogPosition | null> {
  const found = at.id === '' ? undefined : await entryAt(redis, topic, at.id);
  if (found) {
    const isKnown = (one: LogPosition) => one.id === found.id && one.seq === found.seq;
    const known = read.findLast(isKnown) ?? (await lastThere(redis, topic, read));
    if (known) return known;
    const [first = at] = read;
    const before = await entryAt(redis, topic, first.id);
    // Nothing was written in the time of what was read.
    return before?.id === found.id && found.seq <= at.seq ? found : null;
  }
  const newest = readNumber(await redis.callBuffer('GET', seqKey(topic))) || 0;
  return newest < at.seq ? null : at;
}

/** The newest of these entries that the stream has. */
async function lastThere(
  redis: Redis,
  topic: string,
  read: readonly LogPosition[],
): Promise<LogPosition | undefined> {
  for (const one of read.toReversed()) if (await isThere(redis, topic, one)) return one;
  return undefined;
}

/** The logs of a day, as a service has them that has run for long: what holds them grows until its first day is over. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createBus } from '../../actors/bus/bus.ts';
import { encode } from '../../actors/bus/codec.ts';
import { feedKey, seqKey } from '../../actors/bus/keys.ts';
import {
  type Liquidations,
  type OptionTrades,
  schemas,
  type Topics,
} from '../../actors/topics/index.ts';
import { day } from '../../config/time.ts';
import { ended, type Stage } from '../bench/stage.ts';

/** An entry of a log, with its key. */
type Logged = [
  topic: 'liquidations' | 'optionTrades',
  key: string,
  entry: Liquidations | OptionTrades,
];

/** How long a feed is listened to, and entries that are written at once. */
const listened = 60_000;
const atOnce = 1_000;

/** What a feed with a Redis of its own writes to the logs, by time. */
async function heard(stage: Stage, env: Readonly<Record<string, string>>): Promise<Logged[]> {
  const { url } = await stage.redis();
  const bus = createBus({ url, process: 'soak' });
  const found: Logged[] = [];
  bus.follow({
    liquidations: (key, entry) => found.push(['liquidations', key, entry]),
    optionTrades: (key, entry) => found.push(['optionTrades', key, entry]),
  });
  const feed = stage.run('cmd/feed.ts', [], { ...env, REDIS_URL: url });
  await rest(listened);
  await ended(feed, 'SIGTERM');
  await bus.close();
  return found.sort(([, , a], [, , b]) => a.at - b.at);
}

/** The same entry so many ms earlier. */
function earlier<E extends Topics[Logged[0]]>(entry: E, ms: number): E {
  const { at, since, events } = entry;
  const past = events.map((event) => ({ ...event, timestamp: event.timestamp - ms }));
  return { ...entry, at: at - ms, since: since && since - ms, events: past };
}

/** Writes entries to the logs of an empty Redis, ascending in their time; `idOf` gives the time of Redis for that of an entry. */
async function write(
  redis: Redis,
  entries: Iterable<Logged>,
  idOf: (at: number) => number,
): Promise<void> {
  const counts = new Map<string, number>();
  let pipeline = redis.pipeline();
  const send = async () => {
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    pipeline = redis.pipeline();
  };
  for (const [topic, key, entry] of entries) {
    const seq = (counts.get(topic) ?? 0) + 1;
    counts.set(topic, seq);
    const data = encode(entry, schemas[topic]);
    pipeline.xadd(feedKey(topic), `${idOf(entry.at)}-*`, 'key', key, 'seq', seq, 'data', data);
    if (pipeline.length >= atOnce) await send();
  }
  for (const [topic, seq] of counts) pipeline.set(seqKey(topic), seq);
  await send();
}

/**
 * Writes the day before now to the logs of an empty Redis: what a feed brings in a minute, again and again. `env` is that of all
 * processes, `speed` that of their clocks.
 */
export async function fillLogs(
  stage: Stage,
  { redis, env, speed }: { redis: Redis; env: Readonly<Record<string, string>>; speed: number },
): Promise<void> {
  const entries = await heard(stage, env);
  const times = entries.map(([, , { at }]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const repeated = function* (): Iterable<Logged> {
    for (let back = Math.ceil(day / (last - first)); back >= 0; back--)
      for (const [topic, key, entry] of entries)
        yield [topic, key, earlier(entry, back * (last - first))];
  };
  const now = Date.now();
  await write(redis, repeated(), (at) => Math.floor(now - (last - at) / speed));
}

/** Followers on one machine, each on Redis itself and all behind a relay: what Redis sends, and what it all takes. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Bus, createBus } from '../../actors/bus/bus.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { cpuOf } from './load.ts';
import { percentile, preciseNow, printTable } from './report.ts';
import { Stage } from './stage.ts';

const counts = [1, 4, 16, 32];
/** Seconds before a measurement, and of it. */
const lengths = { warmUp: 4, measured: 12 };
/**
 * What is published: lists of so many markets, each whole every ten seconds, and once a second what has changed in it. Of
 * whole lists and of changes, so many rows.
 */
const traffic = { lists: 40, whole: 500, changed: 20, every: 1_000, wholeEvery: 10 };

const rowsOf = (count: number, price: number): PriceRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ market: `S${at}USDT`, kind: 'spot', symbol: `S${at}`, quote: 'USDT' },
    ...{ price: price + at / 7, bid: price - at / 3, ask: price + at, high: price + 9 },
    ...{ low: price - 8, base: price * 11, volume: price * 13, change: at / 17 },
    stated: Date.now(),
  }));

/** Publishes until it is stopped, and counts what it has published. */
class Publisher {
  readonly #bus: Bus;
  readonly #timer: NodeJS.Timeout;
  count = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
    const apart = traffic.every / traffic.lists;
    let at = 0;
    this.#timer = setInterval(() => this.#publish(at++), apart);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #publish(at: number): void {
    const [list, round] = [at % traffic.lists, Math.floor(at / traffic.lists)];
    const isWhole = (round + list) % traffic.wholeEvery === 0;
    const received = preciseNow();
    const rows = rowsOf(isWhole ? traffic.whole : traffic.changed, 100 + round + list);
    const reading = { source: `exchange-${list}`, part: 'spot', asked: received, received, rows };
    this.count += 1;
    void this.#bus.publish(isWhole ? 'prices' : 'priceChanges', `${list}/spot`, reading);
  }
}

/** For each entry that was published in the time of a measurement. */
interface Found {
  /** Bytes that Redis has sent. */
  sent: number;
  /** Processor time of Redis, of the relay and of one follower, us. */
  redis: number;
  relay: number;
  follower: number;
  /** From the publication to the handler, ms. */
  delays: number[];
}

/** What Redis has sent, bytes, and its process. */
async function redisFigures(redis: Redis): Promise<{ sent: number; pid: number }> {
  const info = await redis.info();
  const number = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1]);
  return { sent: number('total_net_output_bytes'), pid: number('process_id') };
}

async function ready(child: ChildProcess): Promise<void> {
  await once(child, 'message');
}

async function delaysOf(child: ChildProcess): Promise<number[]> {
  const answer = once(child, 'message');
  child.send('delays');
  const [delays] = await answer;
  return delays;
}

/** Measures so many followers, with a relay or without. */
async function measure(count: number, isRelayed: boolean): Promise<Found> {
  const stage = new Stage();
  const socket = stage.redisUrl.slice('unix://'.length);
  const redis = new Redis(socket, { retryStrategy: () => 50 });
  redis.on('error', () => {});
  const bus = createBus({ url: stage.redisUrl, process: 'bench' });
  const script = 'scripts/bench/relay-process.ts';
  const publisher = new Publisher(bus);
  try {
    const path = isRelayed ? join(stage.folder, 'relay.sock') : '-';
    const relay = isRelayed ? stage.run(script, ['relay', stage.redisUrl, path]) : null;
    if (relay !== null) await ready(relay);
    const followers = stage.run(script, ['follow', stage.redisUrl, path, `${count}`]);
    await ready(followers);
    await rest(lengths.warmUp * 1_000);
    await delaysOf(followers);
    const figures = async () => {
      const { sent, pid } = await redisFigures(redis);
      const relayTime = relay === null ? 0 : cpuOf(relay.pid);
      const times = { redis: cpuOf(pid), relay: relayTime, followers: cpuOf(followers.pid) };
      return { ...times, sent, count: publisher.count };
    };
    const before = await figures();
    await rest(lengths.measured * 1_000);
    const after = await figures();
    const each = (of: 'sent' | 'redis' | 'relay' | 'followers') =>
      (after[of] - before[of]) / (after.count - before.count);
    return {
      ...{ sent: each('sent'), redis: each('redis'), relay: each('relay') },
      follower: each('followers') / count,
      delays: await delaysOf(followers),
    };
  } finally {
    publisher.stop();
    redis.disconnect();
    await bus.close();
    await stage.end();
  }
}

export async function benchRelay(): Promise<void> {
  const rows: string[][] = [];
  const sent = new Map<string, number>();
  for (const count of counts) {
    for (const isRelayed of [false, true]) {
      const found = await measure(count, isRelayed);
      sent.set(`${count} ${isRelayed}`, found.sent);
      rows.push([
        `${count} ${isRelayed ? 'behind a relay' : 'on Redis'}`,
        ...[found.sent, found.redis, found.relay, found.follower].map((one) => one.toFixed(0)),
        ...[0.5, 0.99].map((part) => percentile(found.delays, part).toFixed(1)),
      ]);
    }
  }
  printTable(
    'Followers on one machine, each in a thread that decodes what comes; for each entry that is published',
    [
      ['', 'Redis sends, B', 'Redis, us', 'relay, us', 'a follower, us', 'delay p50, ms', 'p99'],
      ...rows,
    ],
  );
  const of = (count: number, isRelayed: boolean) => sent.get(`${count} ${isRelayed}`) ?? Number.NaN;
  const [least = 1, most = 1] = [counts[0], counts.at(-1)];
  const further = (isRelayed: boolean) =>
    (100 * (of(most, isRelayed) - of(least, isRelayed))) / (most - least) / of(least, false);
  printTable('What Redis sends for one more follower, % of what it sends for one (goal 1)', [
    ['', '%'],
    ['on Redis', further(false).toFixed(1)],
    ['behind a relay', further(true).toFixed(2)],
  ]);
}

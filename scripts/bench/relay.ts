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
const lengths = { warmUp: 5, measured: 15 };
/**
 * What is published: lists of so many markets, each whole every ten seconds, and twice a second what has changed in it. Of
 * whole lists and of changes, so many rows.
 */
const traffic = { lists: 40, whole: 500, changed: 20, every: 500, wholeEvery: 20 };

const rowsOf = (count: number, price: number): PriceRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ market: `S${at}USDT`, kind: 'spot', symbol: `S${at}`, quote: 'USDT' },
    ...{ price: price + at / 7, bid: price - at / 3, ask: price + at, high: price + 9 },
    ...{ low: price - 8, base: price * 11, volume: price * 13, change: at / 17 },
    stated: Date.now(),
  }));

/** Publishes until it is stopped. */
function publish(bus: Bus): () => void {
  let round = 0;
  const tell = (at: number) => {
    const source = `exchange-${at}`;
    const isWhole = (round + at) % traffic.wholeEvery === 0;
    const received = preciseNow();
    const rows = rowsOf(isWhole ? traffic.whole : traffic.changed, 100 + round + at);
    const reading = { source, part: 'spot', asked: received, received, rows };
    void bus.publish(isWhole ? 'prices' : 'priceChanges', `${source}/spot`, reading);
  };
  const timers = Array.from({ length: traffic.lists }, (_, at) =>
    setTimeout(
      () => timers.push(setInterval(() => tell(at), traffic.every)),
      (at * traffic.every) / traffic.lists,
    ),
  );
  const rounds = setInterval(() => round++, traffic.every);
  return () => {
    clearInterval(rounds);
    for (const timer of timers) clearInterval(timer);
  };
}

interface Found {
  /** Megabytes a second that Redis sends. */
  sent: number;
  /** Processor time, % of a core: of Redis, of the relay and of one follower. */
  redis: number;
  relay: number;
  follower: number;
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
  const stop = publish(bus);
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
      const relayCpu = relay === null ? 0 : cpuOf(relay.pid);
      return {
        sent,
        redis: cpuOf(pid),
        relay: relayCpu,
        followers: cpuOf(followers.pid),
        at: performance.now(),
      };
    };
    const before = await figures();
    await rest(lengths.measured * 1_000);
    const after = await figures();
    const seconds = (after.at - before.at) / 1_000;
    const share = (of: 'redis' | 'relay' | 'followers') => (after[of] - before[of]) / seconds / 1e4;
    return {
      sent: (after.sent - before.sent) / seconds / 1e6,
      ...{ redis: share('redis'), relay: share('relay'), follower: share('followers') / count },
      delays: await delaysOf(followers),
    };
  } finally {
    stop();
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
        ...[`${count} ${isRelayed ? 'behind a relay' : 'on Redis'}`, found.sent.toFixed(3)],
        ...[found.redis, found.relay, found.follower].map((share) => share.toFixed(1)),
        ...[0.5, 0.99].map((part) => percentile(found.delays, part).toFixed(1)),
      ]);
    }
  }
  printTable(
    `Followers of ${traffic.lists} lists of prices on one machine, each in a thread that decodes what comes`,
    [
      [
        '',
        'Redis sends, MB/s',
        'Redis, % of a core',
        'relay',
        'a follower',
        'delay p50, ms',
        'p99',
      ],
      ...rows,
    ],
  );
  const of = (count: number, isRelayed: boolean) => sent.get(`${count} ${isRelayed}`) ?? Number.NaN;
  const [least = 1, most = 1] = [counts[0], counts.at(-1)];
  const further = (of(most, true) - of(least, true)) / (most - least) / of(least, false);
  const alone = (of(most, false) - of(least, false)) / (most - least) / of(least, false);
  printTable('What Redis sends for one more follower, % of what it sends for one (goal 1)', [
    ['', '%'],
    ['on Redis', (100 * alone).toFixed(1)],
    ['behind a relay', (100 * further).toFixed(2)],
  ]);
}

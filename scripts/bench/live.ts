/** Live prices at 6,000 frames a second over all exchanges: how old the prices are, and what feed, web and Redis take. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow, Reading } from '../../actors/topics/index.ts';
import { cpuOf } from './load.ts';
import { percentile, printTable } from './report.ts';
import { onStage, type Stage, webWorker } from './stage.ts';

const frames = 6_000;
const symbols = 60;
/**
 * Seconds: at most until the streams tell prices, then until all are subscribed to and the lists of a first start are computed,
 * and of each measurement.
 */
const lengths = { patience: 75, settled: 25, measured: 30 };
/** Share of the streams that have to tell prices before anything is measured. */
const enough = 0.9;
const goals = {
  exchanges: 18,
  btc: { p50: 1_000, p99: 3_000 },
  all: 5_000,
  feed: { core: 45, megabytes: 350 },
  folding: 15,
  redis: 6,
};

/** The service and its upstream: where it is, and the ids of its processes. */
interface Service {
  url: string;
  redisUrl: string;
  pids: { upstream: number; feed: number; web: number };
}

/** Starts upstream, feed and web. */
async function start(stage: Stage): Promise<Service> {
  const { url: redisUrl } = await stage.redis();
  const [gateway, port] = [await stage.port(), await stage.port()];
  const args = [gateway, frames, symbols].map(String);
  const upstream = stage.run('scripts/bench/live-upstream.ts', args);
  await once(upstream, 'message');
  const env = {
    ...{ REDIS_URL: redisUrl, UPSTREAM_GATEWAY: `http://127.0.0.1:${gateway}`, PORT: `${port}` },
    ...{ AUTH_MODE: 'open', ORDER_BOOK_ASSETS: '1', LIVE_INTERVAL: '0' },
  };
  const feed = stage.run('cmd/feed.ts', [], env);
  const web = stage.run(webWorker, [], env);
  const [one = 0, two = 0, three = 0] = [upstream, feed, web].map(({ pid }) => pid);
  const pids = { upstream: one, feed: two, web: three };
  return { url: `http://127.0.0.1:${port}`, redisUrl, pids };
}

interface Status {
  data: { sources: Record<string, { feeds: { topic: string; part: string; state: string }[] }> };
}

/** Resolves when the streams tell prices. */
async function settled({ url }: Service): Promise<void> {
  const end = performance.now() + lengths.patience * 1_000;
  for (let [up, all] = [0, 0]; all === 0 || up < enough * all; await rest(1_000)) {
    const answer = await fetch(`${url}/v1/status`).catch(() => null);
    if (answer?.ok) {
      const { data } = (await answer.json()) as Status;
      const feeds = Object.values(data.sources).flatMap((source) => source.feeds);
      const streams = feeds.filter(({ topic }) => topic === 'priceChanges');
      [up, all] = [streams.filter(({ state }) => state === 'up').length, streams.length];
    }
    if (performance.now() > end) throw new Error(`only ${up} of ${all} streams tell prices`);
  }
  await rest(lengths.settled * 1_000);
}

/** Megabytes that Redis has got and sent. */
function redisTraffic(redisUrl: string): number {
  const socket = redisUrl.slice('unix://'.length);
  const text = execFileSync('redis-cli', ['-s', socket, 'info', 'stats'], { encoding: 'utf8' });
  const bytesOf = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(text)?.[1]);
  return (bytesOf('total_net_input_bytes') + bytesOf('total_net_output_bytes')) / 1e6;
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const whole = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** Prints what the processes take while nothing asks them; the upstream, which only sends, is the reference. */
async function costs({ pids, redisUrl }: Service): Promise<void> {
  const taken = () => [...Object.values(pids).map(cpuOf), redisTraffic(redisUrl)];
  const before = taken();
  await rest(lengths.measured * 1_000);
  const [upstream = 0, feed = 0, web = 0, redis = 0] = taken().map(
    (value, i) => (value - (before[i] ?? 0)) / lengths.measured,
  );
  const core = (name: string, us: number, goal: number | string) => [
    ...[`${name}, % of a core`, whole(us / 1e4), `${goal}`, us / upstream],
  ];
  printTable(`At ${frames} frames a second, without requests`, [
    ['', 'figure', 'goal', 'to the upstream'],
    core('the upstream, which sends them', upstream, ''),
    core('feed', feed, goals.feed.core),
    core('web', web, goals.folding),
    ['feed, MB', whole(residentMegabytes(pids.feed)), `${goals.feed.megabytes}`, ''],
    ['Redis, MB a second, in and out', whole(redis), `${goals.redis}`, ''],
  ]);
}

interface Btc {
  data: { exchanges: Record<string, { updated_at: number }> };
}

/** The ages of BTC's prices at every exchange, and those of all markets as the bus has them, ms. */
async function ages({ url, redisUrl }: Service) {
  const dispatcher = new Agent({ connections: 1 });
  const bus = createBus({ url: redisUrl, process: 'bench' });
  const newest = new Map<string, number>();
  const take = (_key: string, { source, part, rows, received }: Reading<PriceRow>): void => {
    for (const row of rows) newest.set(`${source}/${part}/${row.market}`, row.received ?? received);
  };
  const following = bus.follow({ prices: take, priceChanges: take });
  await following.ready;
  const btc = new Map<string, number[]>();
  const all: number[] = [];
  const end = performance.now() + lengths.measured * 1_000;
  for (let at = 0; performance.now() < end; at++) {
    const { body } = await request(`${url}/v1/prices?symbol=BTC`, { dispatcher });
    const { data } = (await body.json()) as Btc;
    const now = Date.now();
    for (const [exchange, { updated_at }] of Object.entries(data.exchanges)) {
      const own = btc.get(exchange) ?? [];
      btc.set(exchange, own);
      own.push(now - updated_at);
    }
    if (at % 10 === 0) for (const received of newest.values()) all.push(now - received);
    await rest(100);
  }
  await following.stop();
  await bus.close();
  await dispatcher.close();
  return { btc, all, markets: newest.size };
}

function printAges({ btc, all, markets }: Awaited<ReturnType<typeof ages>>): void {
  const rows = [...btc]
    .map(([name, of]) => ({ name, p50: percentile(of, 0.5), p99: percentile(of, 0.99) }))
    .sort((a, b) => a.p50 - b.p50);
  const { p50, p99 } = goals.btc;
  const met = rows.filter((row) => row.p50 <= p50 && row.p99 <= p99).length;
  printTable(
    `Age of BTC's price in GET /v1/prices, ms (goal: p50 ${p50}, p99 ${p99} on ${goals.exchanges} exchanges): ` +
      `met by ${met} of ${rows.length}`,
    [['', 'p50', 'p99'], ...rows.map((row) => [row.name, whole(row.p50), whole(row.p99)])],
  );
  printTable(`Age of all ${markets} followed markets, ms`, [
    ['p50', 'goal', 'p99'],
    [whole(percentile(all, 0.5)), `${goals.all}`, whole(percentile(all, 0.99))],
  ]);
}

/** Prints costs and ages at the usual interval of publication. */
export const benchLive = (): Promise<void> =>
  onStage(async (stage) => {
    const service = await start(stage);
    await settled(service);
    await costs(service);
    printAges(await ages(service));
  });

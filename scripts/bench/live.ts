/** Live prices at 6,000 frames a second over all exchanges: how old the prices are, and what feed, web and Redis take. */
import { execFileSync } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow, Reading } from '../../actors/topics/index.ts';
import { type LiveService, startLive } from './live-service.ts';
import { cpuOf } from './load.ts';
import { percentile, printTable } from './report.ts';
import { onStage } from './stage.ts';
import { residentMegabytes } from './usage.ts';

const frames = 6_000;
/** Of each measurement, seconds. */
const measured = 30;
const goals = {
  exchanges: 18,
  btc: { p50: 1_000, p99: 3_000 },
  all: 5_000,
  feed: { core: 45, megabytes: 350 },
  folding: 15,
  redis: 6,
};

/** Megabytes that Redis has got and sent. */
function redisTraffic(redisUrl: string): number {
  const socket = redisUrl.slice('unix://'.length);
  const text = execFileSync('redis-cli', ['-s', socket, 'info', 'stats'], { encoding: 'utf8' });
  const bytesOf = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(text)?.[1]);
  return (bytesOf('total_net_input_bytes') + bytesOf('total_net_output_bytes')) / 1e6;
}

const whole = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** Prints what the processes take while nothing asks them; the upstream, which only sends, is the reference. */
async function costs({ pids, redisUrl }: LiveService): Promise<void> {
  const taken = () => [...Object.values(pids).map(cpuOf), redisTraffic(redisUrl)];
  const before = taken();
  await rest(measured * 1_000);
  const [upstream = 0, feed = 0, web = 0, redis = 0] = taken().map(
    (value, i) => (value - (before[i] ?? 0)) / measured,
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
async function ages({ url, redisUrl }: LiveService) {
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
  const end = performance.now() + measured * 1_000;
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
    const service = await startLive(stage, frames);
    await costs(service);
    printAges(await ages(service));
  });

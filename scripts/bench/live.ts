/**
 * Live prices at 6,000 frames a second over all exchanges: how old the prices are, how long a frame takes to a client, and
 * what feed, web and Redis take.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow, Reading } from '../../actors/topics/index.ts';
import type { Lag } from './live-upstream.ts';
import { type Ways, waysOfAnswers, waysOfStream } from './live-way.ts';
import { percentile, printTable } from './report.ts';
import { Stage } from './stage.ts';
import { familyOf, type Usage, usageOf, usageOfFamily, waitedBy } from './usage.ts';

const frames = 6_000;
const symbols = 60;
/**
 * Seconds: at most until the streams tell prices, and then until all are subscribed to and the lists of a first start are
 * computed; of each measurement, and of one with the interval at 0.
 */
const lengths = { patience: 180, settled: 45, measured: 30, quick: 60 };
/** Share of the streams that have to tell prices before anything is measured. */
const enough = 0.9;
const goals = {
  exchanges: 18,
  btc: { p50: 1_000, p99: 3_000 },
  all: 5_000,
  answer: 15,
  feed: { core: 45, megabytes: 350 },
  folding: 15,
  redis: 6,
};

type Ages = Map<string, number[]>;

interface Service {
  url: string;
  feed: number;
  web: number;
}

const note = (ages: Ages, name: string, age: number): void => {
  const known = ages.get(name);
  if (known) known.push(age);
  else ages.set(name, [age]);
};

/** Starts feed and web. */
async function start(stage: Stage, gateway: string, interval: number): Promise<Service> {
  const port = await stage.port();
  const env = {
    ...{ REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: gateway, DATA_DIR: stage.folder },
    ...{ AUTH_MODE: 'open', LOG_LEVEL: 'fatal', ORDER_BOOK_ASSETS: '1' },
    ...{ LIVE_PUBLISH: `${interval}`, LIVE_INTERVAL: '0' },
    ...{ PORT: `${port}`, WEB_CONCURRENCY: '1' },
  };
  const feed = stage.run('cmd/feed.ts', [], env);
  const web = stage.run('cmd/web.ts', [], env);
  const service = { url: `http://127.0.0.1:${port}`, feed: feed.pid ?? 0, web: web.pid ?? 0 };
  await settled(service);
  return service;
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

interface Btc {
  data: { exchanges: Record<string, { updated_at: number; venue_time: number | null }> };
}

/** The ages of BTC's prices at every exchange, and those of all markets as the bus has them, ms. */
async function ages({ url }: Service, redisUrl: string) {
  const dispatcher = new Agent({ connections: 1 });
  const bus = createBus({ url: redisUrl, process: 'bench' });
  const newest = new Map<string, number>();
  const take = (_key: string, { source, part, rows, received }: Reading<PriceRow>): void => {
    for (const row of rows) newest.set(`${source}/${part}/${row.market}`, row.received ?? received);
  };
  const following = bus.follow({ prices: take, priceChanges: take });
  await following.ready;
  const found = { btc: new Map() as Ages, all: [] as number[] };
  const end = performance.now() + lengths.measured * 1_000;
  for (let at = 0; performance.now() < end; at++) {
    const { body } = await request(`${url}/v1/prices?symbol=BTC`, { dispatcher });
    const { data } = (await body.json()) as Btc;
    const now = Date.now();
    for (const [exchange, { updated_at }] of Object.entries(data.exchanges))
      note(found.btc, exchange, now - updated_at);
    if (at % 10 === 0) for (const received of newest.values()) found.all.push(now - received);
    await rest(100);
  }
  await following.stop();
  await bus.close();
  await dispatcher.close();
  return { ...found, markets: newest.size };
}

/** Megabytes that Redis has got and sent. */
function redisTraffic(redisUrl: string): number {
  const socket = redisUrl.slice('unix://'.length);
  const text = execFileSync('redis-cli', ['-s', socket, 'info', 'stats'], { encoding: 'utf8' });
  const bytesOf = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(text)?.[1]);
  return (bytesOf('total_net_input_bytes') + bytesOf('total_net_output_bytes')) / 1e6;
}

/** What the processes take while nothing asks them. */
async function costs({ feed, web }: Service, redisUrl: string) {
  const taken = () => ({
    feed: usageOf(feed),
    web: usageOfFamily(web),
    redis: redisTraffic(redisUrl),
  });
  const before = taken();
  await rest(lengths.measured * 1_000);
  const after = taken();
  const share = (of: 'feed' | 'web'): number =>
    (100 * (after[of].seconds - before[of].seconds)) / lengths.measured;
  const megabytes = ({ megabytes: size }: Usage) => size;
  return {
    ...{ feed: share('feed'), web: share('web'), megabytes: megabytes(after.feed) },
    redis: (after.redis - before.redis) / lengths.measured,
  };
}

const whole = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

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
    ['', 'p50', 'goal', 'p99'],
    ['', whole(percentile(all, 0.5)), `${goals.all}`, whole(percentile(all, 0.99))],
  ]);
}

function printCosts(found: Awaited<ReturnType<typeof costs>>): void {
  printTable(`At ${frames} frames a second, without requests`, [
    ['', 'figure', 'goal'],
    ['feed, % of a core', whole(found.feed), `${goals.feed.core}`],
    ['feed, MB', whole(found.megabytes), `${goals.feed.megabytes}`],
    ['web, % of a core', whole(found.web), `${goals.folding}`],
    ['Redis, MB a second, in and out', whole(found.redis), `${goals.redis}`],
  ]);
}

/** Ages and costs at the usual interval. */
async function usual(gateway: string): Promise<void> {
  const stage = new Stage();
  try {
    const service = await start(stage, gateway, 250);
    printCosts(await costs(service, stage.redisUrl));
    printAges(await ages(service, stage.redisUrl));
  } finally {
    await stage.end();
  }
}

/** Asks the upstream what it has sent since it was last asked. */
async function lagOf(upstream: ChildProcess): Promise<Lag> {
  upstream.send('lag');
  const [lag] = await once(upstream, 'message');
  return lag;
}

/** What delays a frame on its way beside our processes. */
interface Around {
  frames: number;
  upstream: number;
  asker: number;
  feed: number;
  web: number;
}

/** Measures ways, and what is around them. */
async function wayed(
  { url, feed, web }: Service,
  upstream: ChildProcess,
  measure: typeof waysOfAnswers,
): Promise<{ ways: Ways; around: Around }> {
  const worker = familyOf(web).at(-1) ?? web;
  const waited = () => ({ feed: waitedBy(feed), web: waitedBy(worker) });
  await lagOf(upstream);
  const asker = monitorEventLoopDelay({ resolution: 1 });
  asker.enable();
  const before = waited();
  const ways = await measure(url, lengths.quick);
  const after = waited();
  const lag = await lagOf(upstream);
  const share = (of: 'feed' | 'web') => (100 * (after[of] - before[of])) / lengths.quick;
  return {
    ways,
    around: {
      ...{ frames: lag.frames / lengths.quick, upstream: lag.p99 },
      ...{ asker: asker.percentile(99) / 1e6 - 1, feed: share('feed'), web: share('web') },
    },
  };
}

/** The way of a frame where every change is published at once. */
async function quick(gateway: string, upstream: ChildProcess): Promise<void> {
  const stage = new Stage();
  try {
    const service = await start(stage, gateway, 0);
    const answers = await wayed(service, upstream, waysOfAnswers);
    const stream = await wayed(service, upstream, waysOfStream);
    const row = (name: string, ms: readonly number[], goal = '') => [
      ...[name, whole(percentile(ms, 0.5)), whole(percentile(ms, 0.99)), goal, `${ms.length}`],
    ];
    const rows = (name: string, { ways }: typeof answers) => [
      row(name, ways.whole, `${goals.answer}`),
      row('  to the feed', ways.toFeed),
      row('  from there to the client', ways.toClient),
    ];
    printTable('From the frame to the client with the interval at 0, ms', [
      ['', 'p50', 'p99', 'goal of p99', 'samples'],
      ...rows('GET /v1/prices, asked every 2 ms', answers),
      ...rows('Server-Sent Events', stream),
    ]);
    const both = (name: string, of: (around: Around) => number) => [
      ...[name, whole(of(answers.around)), whole(of(stream.around))],
    ];
    printTable('Around that, while answers were asked for and while they were streamed', [
      ['', 'answers', 'stream'],
      both('frames a second', ({ frames: sent }) => sent),
      both('from the moment in a frame to its sending, p99, ms', (around) => around.upstream),
      both('delays of the asking process, p99, ms', ({ asker }) => asker),
      both('feed waited for a processor, % of the time', ({ feed }) => feed),
      both('web waited for a processor, % of the time', ({ web }) => web),
    ]);
  } finally {
    await stage.end();
  }
}

export async function benchLive(): Promise<void> {
  const stage = new Stage();
  try {
    const port = await stage.port();
    const args = [`${port}`, `${frames}`, `${symbols}`];
    const upstream = stage.run('scripts/bench/live-upstream.ts', args);
    await once(upstream, 'message');
    const gateway = `http://127.0.0.1:${port}`;
    await usual(gateway);
    await quick(gateway, upstream);
  } finally {
    await stage.end();
  }
}

/**
 * Two simulated days of recording, while every process is killed (SIGKILL) at random moments; then what is stored is
 * compared with what was true: `npm run kills [-- --postgres] [--days 2] [--seed 1] [--every 150]`, `every` being the mean
 * number of readings, a third of a minute each, between two kills of one process. Ends with 1 where a row is wrong, or one
 * that must be there is not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silent } from '../../../actors/bus/log.ts';
import { SeriesAnswers } from '../../../actors/history/answers.ts';
import { PostgresStore } from '../../../actors/history/postgres.ts';
import { SqliteFile } from '../../../actors/history/sqlite-file.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { Child } from './child.ts';
import { series } from './series.ts';
import { SteppedClock } from './stepped-clock.ts';
import { compare, type Happened } from './truth.ts';
import { exchanges, minute, start, tick } from './world.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    days: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '150' },
  },
});
let state = Number(values.seed);
/** Uniform in [0, 1), the same for a seed (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const strikes = () => random() < 1 / Number(values.every);
/** For how many readings a process stays away. */
const absence = () => 1 + Math.floor(random() ** 3 * 90);
/** For how long a sample is surely under way to the store at most: a committed one is never lost, ms of simulated time. */
const settled = values.postgres ? 5 * minute : 2 * tick;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const folder = mkdtempSync(join(tmpdir(), 'tidemark-kills-'));
const socket = join(folder, 'redis.sock');
const redisUrl = `unix://${socket}`;
const postgres = values.postgres ? await startPostgres() : null;
const path = postgres?.url ?? join(folder, 'history.sqlite');

function startRedis(): ChildProcess {
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const args = ['--port', '0', '--unixsocket', socket, '--dir', folder, ...durable];
  return spawn('redis-server', args, { stdio: 'ignore' });
}

let redis = startRedis();
await sleep(500);
const end = start + Number(values.days) * 24 * 60 * minute;
const calm = end - 60 * minute;
const happened: Happened = { end, published: new Map(), attempted: new Map(), recorded: new Set() };
const kills = { history: 0, feed: 0, redis: 0, postgres: 0 };
let feed: Child | null = null;
let history: Child | null = null;
const backAt = { feed: 0, history: 0, postgres: 0 };
/** The last time that Redis took of the exchange whose readings the history is waited for with. */
let newest = 0;
/** Ends of minutes that were sampled by the present process and may not be stored yet. */
let unsure: number[] = [];
let bornAt = 0;
let storeBack = 0;

function note(map: Map<string, Set<number>>, topic: string, time: number): void {
  const times = map.get(topic) ?? new Set();
  map.set(topic, times.add(time));
}

async function tellFeed(now: number): Promise<void> {
  if (!feed) return;
  for (const topic of ['openInterest', 'prices', 'liquidations']) {
    for (const exchange of exchanges) note(happened.attempted, `${topic} ${exchange}`, now);
  }
  const telling = feed.tell(now);
  if (now < calm && strikes()) {
    await sleep(random() * 4);
    await feed.kill();
    kills.feed++;
  }
  const report = await telling;
  if (report === null) {
    feed = null;
    backAt.feed = now + absence() * tick;
    return;
  }
  for (const topic of report.published ?? []) note(happened.published, topic, now);
  if (report.published?.includes(`openInterest ${exchanges.at(-1)}`)) newest = now;
}

async function tellHistory(now: number): Promise<void> {
  if (!history) return;
  const telling = history.tell({ now, newest });
  if (now < calm && strikes()) {
    await sleep(random() * 12);
    await history.kill();
    kills.history++;
  }
  const report = await telling;
  if (report === null) {
    history = null;
    unsure = [];
    backAt.history = now + absence() * tick;
    return;
  }
  // PostgreSQL takes its own time to be back, and simulated time goes on faster.
  if (now - storeBack >= 20 * minute) {
    for (const time of unsure.filter((one) => one <= now - settled)) happened.recorded.add(time);
    unsure = unsure.filter((one) => one > now - settled);
  }
  const boundary = Math.floor(now / minute) * minute;
  if (now - boundary < tick && boundary - bornAt > minute) unsure.push(boundary);
}

async function begin(now: number): Promise<void> {
  if (postgres && backAt.postgres > 0 && backAt.postgres <= now) {
    await postgres.start();
    backAt.postgres = 0;
    storeBack = now;
  }
  if (!feed && backAt.feed <= now) {
    feed = new Child('feed.ts', [redisUrl]);
    await feed.begun();
  }
  if (!history && backAt.history <= now) {
    history = new Child('history.ts', [redisUrl, path, String(now)]);
    await history.begun();
    bornAt = now;
  }
}

async function strikeServers(now: number): Promise<void> {
  if (strikes()) {
    redis.kill('SIGKILL');
    kills.redis++;
    await sleep(20);
    redis = startRedis();
    await sleep(300);
  }
  if (postgres && backAt.postgres === 0 && strikes()) {
    await postgres.kill();
    kills.postgres++;
    storeBack = Number.POSITIVE_INFINITY;
    backAt.postgres = now + absence() * tick;
  }
}

async function endAll(): Promise<void> {
  await feed?.kill();
  await history?.kill();
}

const begunAt = performance.now();
for (let now = start + 5_000; now < end + 15 * minute; now += tick) {
  if (now < calm) await strikeServers(now);
  await begin(now);
  // First, so that the end of a minute is sampled with the readings of before.
  await tellHistory(now);
  await tellFeed(now);
  if ((now - start - 5_000) % (6 * 60 * minute) === 0) {
    const took = Math.round((performance.now() - begunAt) / 1_000);
    console.log(
      `hour ${(now - start - 5_000) / (60 * minute)}: ${JSON.stringify(kills)}, ${took} s`,
    );
  }
}
// What the feed said last is stored too.
for (const more of [1, 2, 3]) await tellHistory(end + 15 * minute + more * tick);
await endAll();
const clock = new SteppedClock(end);
const store = postgres
  ? new PostgresStore(path, series, silent)
  : new SqliteFile({ path, series, clock, log: silent });
const found = await compare(store, happened);
const answers = new SeriesAnswers({ series, store, clock });
for (const exchange of exchanges) {
  const params = { series: 'open-interest', keys: [`${exchange}/stable/BTC`], step: '5m' } as const;
  const reply = await answers.series({ ...params, limit: 576, to: end - minute });
  if (reply.ok)
    console.log(`coverage of ${exchange}: ${JSON.stringify(reply.value.value.rows[0]?.coverage)}`);
}
await store.close();
redis.kill('SIGKILL');
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
const { wrong, lost, ...figures } = found;
console.log(JSON.stringify({ kills, ...figures, wrong: wrong.length, lost: lost.length }));
for (const line of [...wrong.slice(0, 10), ...lost.slice(0, 10)]) console.log(line);
process.exit(wrong.length + lost.length === 0 ? 0 : 1);

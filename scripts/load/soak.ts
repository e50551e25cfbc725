/** `npm run soak`: the whole service for a day, or less, with steady clients, and whether it stays as it was. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { feedKey } from '../../actors/bus/keys.ts';
import { topics } from '../../actors/topics/index.ts';
import { day } from '../../config/time.ts';
import { cpuOf } from '../bench/load.ts';
import { median, printTable } from '../bench/report.ts';
import { answered, keyOf, onStage, type Stage, webWorker } from '../bench/stage.ts';
import { residentMegabytes } from '../bench/usage.ts';
import { helpOf, readOptions } from './arguments.ts';
import { Target } from './attacks/target.ts';
import type { RawClient } from './raw-client.ts';
import { fillLogs } from './soak-logs.ts';

const known = {
  texts: {
    out: 'file for all samples and the result, JSON',
    sources: 'sources that the feed runs, as in SOURCES; all when absent',
  },
  numbers: {
    minutes: ['length of the run', 1_440, 1, 100_000],
    speed: ['how often faster than that the clock of all processes goes', 1, 1, 60],
  },
  flags: { help: 'this text' },
} as const;

const help = `npm run soak -- [options]

Measures a service of its own with steady clients every minute. Exit status 1 where something has grown or slowed down.

${helpOf(known)}
`;

const minute = 60_000;
const symbols = ['BTC', 'ETH', 'SOL', 'XRP'];
/** One of these every so many ms, in turn. */
const every = 200;
const asked = symbols.flatMap((symbol) => [
  `/v1/prices?symbol=${symbol}`,
  `/v1/futures/pairs-markets?symbol=${symbol}`,
  `/v1/orderbook?exchange=binance&symbol=${symbol}USDT`,
  `/v1/indicators?symbol=${symbol}USDT`,
  `/v1/open-interest/aggregated-history?symbol=${symbol}&interval=5m&limit=12`,
]);
/** So many connections follow these. */
const connections = 10;
const followed = symbols.map((symbol) => `/v1/prices?symbol=${symbol}`);
/** Fires at nearly every change of a price. */
const alert = {
  name: 'soak',
  path: '/v1/prices?symbol=BTC',
  pointer: '/exchanges/*/price',
  condition: { type: 'change', percent: 0.001, within: 60 },
  deliver: [],
};

/** Medians of the quarters of a run. */
type Quarters = Readonly<Record<'first' | 'second' | 'third' | 'last', number>>;

/** 5 % and `slack` more than in the second quarter at most: the first one is warm-up. */
const level = (slack: number) => (of: Quarters) => of.last <= of.second * 1.05 + slack;
/** What is recorded grows, but not faster and faster: by a quarter and 8 MB more than in the step before at most. */
const pace = ({ second, third, last }: Quarters) =>
  last - third <= Math.max(0, third - second) * 1.25 + 8;
/** 10 % more or less than in the first quarter at most. */
const rate = ({ first, last }: Quarters) => Math.abs(last / first - 1) <= 0.1;

/** What must hold, by the first word of a figure's name. */
const rules = new Map<string, (quarters: Quarters) => boolean>([
  ['memory', level(0)],
  ['descriptors', level(8)],
  ['stored', level(1)],
  ['logs', pace],
  ['keys', level(50)],
  ['disk', pace],
  ['answers', rate],
  ['messages', rate],
]);

/** Judges the values of a figure, four or more at equal intervals over so many hours. `perHour` is without the first quarter. */
export function judge(name: string, values: readonly number[], hours: number) {
  const cut = (index: number) => (values.length * index) >> 2;
  const quarter = (index: number) => median(values.slice(cut(index), cut(index + 1)));
  const quarters = { first: quarter(0), second: quarter(1), third: quarter(2), last: quarter(3) };
  const perHour = (slope(values.slice(cut(1))) * values.length) / hours;
  const [word = ''] = name.split(' ');
  return { ...quarters, perHour, ok: rules.get(word)?.(quarters) ?? true };
}

/** Of the line that fits best (least squares), a step. */
function slope(values: readonly number[]): number {
  const along = values.map((_, i) => i - (values.length - 1) / 2);
  const products = along.reduce((sum, x, i) => sum + x * (values[i] ?? 0), 0);
  return products / along.reduce((sum, x) => sum + x * x, 0);
}

/** What is run: its length, the speed of its clock, and the environment that this takes. */
interface Run {
  minutes: number;
  speed: number;
  env: Readonly<Record<string, string>>;
}

/** A clock that begins now and goes `speed` times as fast as that of the system. */
const clockOf = (speed: number) => [Date.now(), 8.64e15, Date.now(), speed].join(',');

/** Starts everything; resolves when it is ready. */
async function startService(stage: Stage, run: Run) {
  const [gateway, port] = [await stage.port(), await stage.port()];
  const upstream = `http://127.0.0.1:${gateway}`;
  const url = new URL(`http://127.0.0.1:${port}`);
  const server = await stage.redis();
  stage.run('scripts/simulator/main.ts', ['--port', `${gateway}`], run.env);
  await answered(`${upstream}/_control/clock`);
  const env = {
    ...run.env,
    REDIS_URL: server.url,
    UPSTREAM_GATEWAY: upstream,
    PORT: `${port}`,
    LOG_LEVEL: 'error',
  };
  const redis = new Redis(server.url.replace('unix://', ''));
  stage.teardown(() => redis.disconnect());
  await fillLogs(stage, { redis, env, speed: run.speed });
  const pids = new Map([['redis', server.pid]]);
  for (const role of ['web', 'feed', 'compute', 'history', 'alerts']) {
    const child = stage.run(role === 'web' ? webWorker : `cmd/${role}.ts`, [], env);
    pids.set(role, child.pid ?? 0);
    child.once('exit', (code, signal) => console.error(`${role} has ended: ${code ?? signal}`));
  }
  await answered(`${url}readyz`);
  const key = await keyOf(server.url, 'soak', 'local');
  return { target: new Target(url, { key }), pids, redis };
}

/** Starts steady clients; gives a function that counts what they have received so far. */
async function startClients(stage: Stage, target: Target) {
  const { data, message } = await target.call('/v1/alerts', { method: 'POST', body: alert });
  if (!data) throw new Error(`the alert is refused: ${message}`);
  const followers: RawClient[] = [];
  for (let i = 0; i < connections; i++) followers.push(await target.follow(followed));
  let [turn, answers] = [0, 0];
  const timer = setInterval(async () => {
    const path = asked[turn++ % asked.length] ?? '';
    const { status } = await target.call(path).catch(() => ({ status: 0 }));
    if (status === 200) answers += 1;
  }, every);
  stage.teardown(() => {
    clearInterval(timer);
    for (const one of followers) one.close();
  });
  const messages = () => followers.reduce((sum, { count }) => sum + count, 0);
  return () => ({ 'answers a second': answers, 'messages a second': messages() });
}

/** Bytes of the files in a folder; those that go meanwhile do not count. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

/** The logs that are kept for a day or longer. At a faster clock they grow all the time: Redis trims them by its own. */
const logs = Object.entries(topics).flatMap(([topic, { log, keep }]) =>
  log && keep >= day ? feedKey(topic) : [],
);

/** What Redis stores, MB: of the logs of a day, and of everything else. */
async function stored(redis: Redis): Promise<Sample> {
  const sizes = await Promise.all(logs.map((key) => redis.memory('USAGE', key, 'SAMPLES', 100)));
  const ofLogs = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / 2 ** 20;
  const all = Number(/used_memory:(\d+)/.exec(await redis.info())?.[1]) / 2 ** 20;
  return { 'stored in Redis without the logs (MB)': all - ofLogs, 'logs in Redis (MB)': ofLogs };
}

/** Figures by name. */
type Sample = Readonly<Record<string, number>>;

/** Those that are counted from the start on, until `between` makes rates of them. */
const counted = /^(answers|messages|processor)/;

const between = (before: Sample, now: Sample, seconds: number): Sample =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      return [name, counted.test(name) ? (value - (before[name] ?? 0)) / seconds : value];
    }),
  );

/** Samples at equal intervals; `onSample` is told all so far. Rejects where a process has ended. */
async function measure(stage: Stage, run: Run, onSample: (all: Sample[]) => void) {
  const length = run.minutes * minute;
  const { pids, redis, target } = await startService(stage, run);
  const received = await startClients(stage, target);
  const look = async (): Promise<Sample> => ({
    ...Object.fromEntries(
      [...pids].flatMap(([role, pid]) => [
        // That of Redis is what it stores, which has rules of its own.
        [`${role === 'redis' ? 'size' : 'memory'} of ${role} (MB)`, residentMegabytes(pid)],
        [`descriptors of ${role}`, readdirSync(`/proc/${pid}/fd`).length],
        [`processor of ${role} (%)`, cpuOf(pid) / 1e4],
      ]),
    ),
    ...(await stored(redis)),
    'keys in Redis': await redis.dbsize(),
    'disk (MB)': bytesIn(stage.folder) / 2 ** 20,
    ...received(),
  });
  const samples: Sample[] = [];
  const step = Math.min(minute, length / 16);
  await rest(minute);
  let [at, before] = [performance.now(), await look()];
  for (let next = at + step; samples.length < length / step; next += step) {
    await rest(next - performance.now());
    const [now, found] = [performance.now(), await look()];
    samples.push(between(before, found, (now - at) / 1_000));
    [at, before] = [now, found];
    onSample(samples);
  }
  return samples;
}

/** Whether nothing has grown or slowed down. */
export async function soak(args: string[]): Promise<boolean> {
  const options = readOptions(args, known);
  if (options.is('help')) {
    console.log(help);
    return true;
  }
  const { minutes, speed } = options.numbers;
  const [out, sources] = [options.text('out'), options.text('sources')];
  const env = {
    ...(speed > 1 ? { REPLAY_CLOCK: clockOf(speed) } : {}),
    ...(sources ? { SOURCES: sources } : {}),
  };
  const write = (samples: readonly Sample[], figures: object = []) =>
    out && writeFileSync(out, JSON.stringify({ minutes, speed, figures, samples }, null, 1));
  const samples = await onStage((stage) => measure(stage, { minutes, speed, env }, write));
  const figures = Object.keys(samples[0] ?? {}).map((name) => {
    const values = samples.map((sample) => sample[name] ?? Number.NaN);
    return { name, ...judge(name, values, (minutes * speed) / 60) };
  });
  write(samples, figures);
  printTable(`Medians of the quarters of ${minutes} minutes, ${speed} times as fast`, [
    ['', 'first', 'second', 'third', 'last', 'an hour', ''],
    ...figures.map(({ ok, ...figure }) => [...Object.values(figure), ok ? '' : 'FAILED']),
  ]);
  return figures.every(({ ok }) => ok);
}

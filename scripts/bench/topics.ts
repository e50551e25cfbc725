/**
 * What single topics cost feed, web and history: their share of what the processes do, by the stacks of profiles, times the processor
 * time that the system counts. Nothing is asked, but for a live book of 1,000 levels, trades, a reference rate and a liquidity, which
 * four clients follow in every second round.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { printTable } from './report.ts';
import { answered, Stage } from './stage.ts';
import { sharesOf } from './topic-shares.ts';
import { familyOf, usageOf } from './usage.ts';

const assets = 1_000;
/** The exchanges whose trades are heard, one with options, and the jobs over all of them. */
const sources =
  'binance,okx,bybit,kraken,coinbase,bitstamp,bitfinex,deribit,reference-rate,order-books';
/** Seconds: until all exchanges are known and reference rates have their volumes, of a round, and until a profile is written. */
const lengths = { settled: 240, measured: 60, written: 10 };
const rounds = 2;
/** Percent of a core, and of reference rates, ms a second. */
const goals = { feed: 5, web: 3, reference: 2 };

const followed = [
  ['/v1/orderbook/deep?exchange=binance&symbol=BTC&depth=1000', 'levels'],
  ['/v1/trades?exchange=binance&symbol=BTC', 'log'],
  ['/v1/reference-rate?symbol=BTC', 'full'],
  ['/v1/liquidity?symbol=BTC', 'full'],
] as const;

interface Service {
  url: string;
  folder: string;
  pids: Readonly<Record<'feed' | 'web' | 'history', number>>;
}
type Role = keyof Service['pids'];
const roles: readonly Role[] = ['feed', 'web', 'history'];

async function start(stage: Stage): Promise<Service> {
  const [gateway, port] = [await stage.port(), await stage.port()];
  stage.run('scripts/simulator/main.ts', ['--port', `${gateway}`, '--symbols', `${assets}`]);
  const profiler = pathToFileURL(join(import.meta.dirname, 'profiler.ts'));
  profiler.searchParams.set('folder', stage.folder);
  const env = {
    ...{ REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: `http://127.0.0.1:${gateway}` },
    ...{ DATA_DIR: stage.folder, AUTH_MODE: 'open', LOG_LEVEL: 'fatal', SOURCES: sources },
    ...{ PORT: `${port}`, WEB_CONCURRENCY: '1', NODE_OPTIONS: `--import=${profiler}` },
  };
  const [feed = 0, web = 0, history = 0] = roles.map(
    (role) => stage.run(`cmd/${role}.ts`, [], env).pid,
  );
  const url = `http://127.0.0.1:${port}`;
  await rest(lengths.settled * 1_000);
  await answered(`${url}/healthz`);
  return { url, folder: stage.folder, pids: { feed, web: familyOf(web)[1] ?? web, history } };
}

/** Reads streams until the signal. */
async function follow(url: string, signal: AbortSignal): Promise<void> {
  const streams = followed.map(async ([path, mode]) => {
    const response = await fetch(`${url}/v1/stream?${new URLSearchParams({ path, mode })}`, {
      signal,
    });
    for await (const _ of response.body ?? []) signal.throwIfAborted();
  });
  await Promise.allSettled(streams);
}

/** Percent of a core: of each topic, and of the process. */
type Costs = Record<Role, { whole: number; topics: ReadonlyMap<string, number> }>;

async function round({ url, folder, pids }: Service, isFollowed: boolean): Promise<Costs> {
  const ending = new AbortController();
  const following = isFollowed ? follow(url, ending.signal) : null;
  const toggle = () => {
    for (const pid of Object.values(pids)) process.kill(pid, 'SIGUSR2');
  };
  const taken = () => ({
    at: performance.now(),
    ...{ feed: usageOf(pids.feed), web: usageOf(pids.web), history: usageOf(pids.history) },
  });
  if (isFollowed) await rest(lengths.written * 1_000);
  toggle();
  const before = taken();
  await rest(lengths.measured * 1_000);
  const after = taken();
  toggle();
  ending.abort();
  await following;
  await rest(lengths.written * 1_000);
  const costsOf = (role: Role) => {
    const whole = (1e5 * (after[role].seconds - before[role].seconds)) / (after.at - before.at);
    const shares = sharesOf(JSON.parse(readFileSync(join(folder, `${pids[role]}.json`), 'utf8')));
    return { whole, topics: new Map([...shares].map(([name, share]) => [name, share * whole])) };
  };
  return { feed: costsOf('feed'), web: costsOf('web'), history: costsOf('history') };
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

function print(title: string, found: readonly Costs[]): void {
  const names = [...(found[0]?.feed.topics.keys() ?? [])];
  const at = (role: Role, name: string) =>
    range(found.map((one) => one[role].topics.get(name) ?? 0));
  printTable(`${title}, % of a core (goals: feed ${goals.feed}, web ${goals.web})`, [
    ['', ...roles],
    ...names.map((name) => [name, ...roles.map((role) => at(role, name))]),
    ['the whole process', ...roles.map((role) => range(found.map((one) => one[role].whole)))],
  ]);
  const rates = found.map(({ web }) => 10 * (web.topics.get('reference rate') ?? 0));
  console.log(
    `reference rates of a web process, ms a second (goal: ${goals.reference}): ${range(rates)}`,
  );
}

export async function benchTopics(): Promise<void> {
  const stage = new Stage();
  try {
    const service = await start(stage);
    const found: { quiet: Costs[]; followed: Costs[] } = { quiet: [], followed: [] };
    for (let i = 0; i < rounds; i++) {
      found.quiet.push(await round(service, false));
      found.followed.push(await round(service, true));
    }
    print('New topics, nobody asks', found.quiet);
    print('New topics, four clients follow', found.followed);
  } finally {
    await stage.end();
  }
}

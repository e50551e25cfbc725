/**
 * The indicator service without its HTTP front: the view and the bus of a web process in this one, compute, candle and
 * simulator processes beside it.
 */
import { type Bus, createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { allIntervals, type ComputeParams } from '../../actors/topics/index.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import { Snapshot } from '../../http/answers/snapshots.ts';
import { classicQuestion } from '../../http/routes/indicators.ts';
import { type Job, runJob } from '../../indicators/job.ts';
import { blockOf, bytesOf } from '../../indicators/job-columns.ts';
import { readEntries } from '../../indicators/job-entries.ts';
import { percentile, printTable } from './report.ts';
import { answered, Stage } from './stage.ts';

const markets = { cold: 400, atOnce: 16 };
const posts = { count: 1_500, atOnce: 32 };

/** Runs `work` for 0 to `count` - 1, so many at once: how many a second, and the latencies in ms. */
async function load(
  { count, atOnce }: { count: number; atOnce: number },
  work: (i: number) => Promise<unknown>,
): Promise<{ rate: number; p50: number; p99: number }> {
  const took: number[] = [];
  const begun = performance.now();
  let next = 0;
  const one = async () => {
    for (let i = next++; i < count; i = next++) {
      const since = performance.now();
      await work(i);
      took.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const rate = (count * 1_000) / (performance.now() - begun);
  return { rate, p50: percentile(took, 0.5), p99: percentile(took, 0.99) };
}

const columns = ['', 'a second', 'p50 ms', 'p99 ms', 'ratio'] as const;
type Measured = Awaited<ReturnType<typeof load>>;
const line = (name: string, { rate, p50, p99 }: Measured, reference: Measured) =>
  [name, rate, p50, p99, rate / reference.rate] as const;

/** Symbols of the simulated spot exchange. */
async function symbolsOf(gateway: string): Promise<string[]> {
  const answer = await answered(`${gateway}/data-api.binance.vision/api/v3/exchangeInfo`);
  const found = (await answer.text()).matchAll(/"symbol":"(\w+)","status":"TRADING"/g);
  return [...found].flatMap(([, symbol]) => symbol ?? []);
}

async function coldReads(bus: Bus, queries: FrontQueries, symbols: readonly string[]) {
  const of = (i: number) => ({
    symbol: symbols[i % symbols.length] ?? '',
    interval: allIntervals[Math.floor(i / symbols.length) % allIntervals.length] ?? '4h',
  });
  const size = { count: markets.cold, atOnce: markets.atOnce };
  const barsOf = (i: number) => {
    const { symbol, interval } = of(i);
    const params = { market: symbol, interval, limit: 501 };
    return bus.query({ source: 'binance', name: 'candles', params });
  };
  await load(size, barsOf);
  // The same way but for the compute process and what it does.
  const bars = await load(size, barsOf);
  let answers = 0;
  const cold = await load(size, async (i) => {
    if ((await queries.read(classicQuestion(of(i)), '')) instanceof Snapshot) answers += 1;
  });
  printTable(`Cold GETs, ${markets.atOnce} at once (${answers} of ${markets.cold} are answers)`, [
    columns,
    line('501 candles alone, the reference', bars, bars),
    line('cold indicators', cold, bars),
  ]);
  const hot = classicQuestion(of(0));
  const rounds = 200_000;
  const begun = performance.now();
  for (let i = 0; i < rounds; i++) void queries.read(hot, '');
  const ns = ((performance.now() - begun) * 1e6) / rounds;
  printTable('Repeated GETs, before the front', [['a ready answer', ns, 'ns']]);
}

const chosen = ['rsi', 'macd', 'bbands', 'atr', 'ema:50', 'ema:200', 'stoch', 'adx', 'cci', 'obv'];

/** 500 candles of a calm market. */
const block = () =>
  blockOf(
    Array.from({ length: 500 }, (_, i) => {
      const price = 100 + 5 * Math.sin(i / 7);
      const [open, high, low] = [price - 0.3, price + 1.2, price - 1.1];
      return { timestamp: i * 3.6e6, open, high, low, close: price, volume: 10 + (i % 7) };
    }),
  );

async function computing(bus: Bus, threads: number, series: boolean) {
  const indicators = readEntries(chosen);
  const own = { rows: bytesOf(block()), interval: null, limit: 500 };
  const request: ComputeParams = { market: null, own, indicators, series };
  const post = () => bus.query({ source: 'compute', name: 'compute', params: request });
  await load({ count: 300, atOnce: posts.atOnce }, post);
  const measured = await load(posts, post);
  const name = `${threads} thread${threads > 1 ? 's' : ''}, ${series ? 'series' : 'last values'}`;
  return { name, measured };
}

async function inLoop(series: boolean): Promise<Measured> {
  const job: Job = {
    ...{ head: {}, entries: readEntries(chosen), block: block() },
    ...{ limit: 500, series, candles: false },
  };
  const work = async () => runJob(job);
  await load({ count: 300, atOnce: 1 }, work);
  return load({ count: 500, atOnce: 1 }, work);
}

/** Cold and repeated GETs, then POSTs with ten indicators of 500 candles for one and two threads. */
export async function benchIndicatorService(compute = 'cmd/compute.ts'): Promise<void> {
  const stage = new Stage();
  const port = await stage.port();
  const gateway = `http://127.0.0.1:${port}`;
  const env = { REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: gateway };
  stage.run('scripts/simulator/main.ts', ['--port', String(port)]);
  const bus = createBus({ url: stage.redisUrl, process: `bench-${process.pid}` });
  const queries = new FrontQueries({ bus, clock, random: Math.random });
  try {
    const symbols = await symbolsOf(gateway);
    stage.run('scripts/bench/quick-candles.ts', [], env);
    const rows: ReturnType<typeof line>[] = [];
    const references = new Map([
      [false, await inLoop(false)],
      [true, await inLoop(true)],
    ]);
    for (const threads of [1, 2]) {
      const child = stage.run(compute, [], { ...env, COMPUTE_THREADS: String(threads) });
      const { source, name, params } = classicQuestion({ symbol: 'BTCUSDT', interval: '1M' });
      await bus.query({ source, name, params }, { deadline: 30_000 });
      if (threads === 1) await coldReads(bus, queries, symbols);
      for (const [series, reference] of references) {
        const { name, measured } = await computing(bus, threads, series);
        rows.push(line(name, measured, reference));
      }
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    const title = `POST, ten indicators of 500 own candles, ${posts.atOnce} at once; ratio to the bare job in one loop`;
    printTable(title, [columns, ...rows]);
  } finally {
    queries.stop();
    await bus.close();
    await stage.end();
  }
}

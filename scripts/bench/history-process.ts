/** A history process on a file of a year: what it takes while it records, and how it answers over the bus. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Bus, createBus } from '../../actors/bus/bus.ts';
import type { OpenInterestRow, PriceRow } from '../../actors/topics/index.ts';
import { question } from './history-asker.ts';
import { assetOf, exchanges, perpetuals } from './history-file.ts';
import { benchHistoryRates } from './history-rates.ts';
import { cpuOf } from './load.ts';
import { printTable } from './report.ts';
import { Stage } from './stage.ts';

/** How often an exchange gives its prices and its open interest, ms. */
const paces = { prices: 5_000, openInterest: 60_000 };
/** How long the process is watched: more than a sample of five minutes, ms. */
const watched = 330_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function publishing(bus: Bus): () => void {
  const each = <Row>(at: number, rowOf: (symbol: string, i: number) => Row) => {
    const now = Date.now();
    const rows = Array.from({ length: perpetuals }, (_, i) => rowOf(assetOf(at, i), i));
    return { source: exchanges[at] ?? '', part: 'linear', asked: now, received: now, rows };
  };
  const prices = (at: number) =>
    bus.publish(
      'prices',
      `${exchanges[at]}/linear`,
      each(
        at,
        (symbol, i): PriceRow => ({
          ...{ market: `${symbol}USDT`, kind: 'perpetual', symbol, quote: 'USDT', price: 1 + i },
          ...{ volume: 1e6, change: 1, bid: 1, ask: 1, high: 1, low: 1, base: 1, stated: null },
        }),
      ),
    );
  const interest = (at: number) =>
    bus.publish(
      'openInterest',
      `${exchanges[at]}/linear`,
      each(
        at,
        (symbol, i): OpenInterestRow => ({
          ...{ market: `${symbol}USDT`, symbol, quote: 'USDT' },
          ...{ units: 1_000 + i, value: 1e6 + i, mark: 1 + i, stated: null },
        }),
      ),
    );
  const ends = exchanges.flatMap((_, at) => [
    repeat(() => void prices(at), paces.prices, at / exchanges.length),
    repeat(() => void interest(at), paces.openInterest, at / exchanges.length),
  ]);
  for (const at of exchanges.keys()) void prices(at).then(() => interest(at));
  return () => {
    for (const end of ends) end();
  };
}

/** Calls `work` at a pace, ms, from a share of it on: exchanges are asked independently of each other. */
function repeat(work: () => void, pace: number, share: number): () => void {
  let timer = setTimeout(() => {
    timer = setInterval(work, pace);
    work();
  }, pace * share);
  return () => clearTimeout(timer);
}

/** A figure of /proc/PID/status, MB. */
const memoryOf = (pid: number, name: string) =>
  Number(
    new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1],
  ) / 1_024;

/** Prints the figures of a process that records into the file of this path. */
export async function benchHistoryProcess(path: string): Promise<void> {
  const stage = new Stage();
  const bus = createBus({ url: stage.redisUrl, process: 'bench' });
  const stop = publishing(bus);
  try {
    const env = {
      ...{ REDIS_URL: stage.redisUrl, DATA_DIR: dirname(path), SOURCES: 'binance' },
      // As in the Procfile.
      NODE_OPTIONS: '--max-semi-space-size=4',
    };
    const { pid = 0 } = stage.run('cmd/history.ts', [], env);
    for (let ok = false; !ok; await sleep(500)) {
      ({ ok } = await bus.query({ source: 'history', name: 'series', params: question(0) }));
    }
    await sleep(20_000);
    const before = cpuOf(pid);
    const begun = performance.now();
    await sleep(watched);
    const share = (cpuOf(pid) - before) / ((performance.now() - begun) * 1_000);
    printTable(`a history process that records ${exchanges.length} x ${perpetuals} perpetuals`, [
      ['', ''],
      ['share of a processor (goal 0.03)', share],
      ['resident memory, MB (goal 150)', memoryOf(pid, 'VmRSS')],
      ['of it not of files, MB', memoryOf(pid, 'RssAnon')],
    ]);
    await benchHistoryRates(stage, pid);
  } finally {
    stop();
    await bus.close();
    await stage.end();
  }
}

/**
 * The largest list of pools, and our map of prices at about its size: each beside a bare uWebSockets.js that sends its
 * bytes, plain and compressed.
 */
import { createHash } from 'node:crypto';
import { request } from 'undici';
import { createBus } from '../../actors/bus/bus.ts';
import type { DefiReading, Whirlpool } from '../../actors/topics/index.ts';
import type { Load } from './load.ts';
import type { Answers } from './onchain-reference.ts';
import { printTable } from './report.ts';
import { type Ours, own, type Running, startOurs } from './servers.ts';
import { answered, type Stage } from './stage.ts';
import { costRatio, loadAll, ratioOf, rounds } from './turns.ts';

const pools = 500;
/** As many as make the plain map of prices about as large as the plain pools. */
const symbols = 1_705;
const paths = { pools: `/v2/dex/orca/pools?limit=${pools}`, prices: '/v1/prices' };

/** Of a pool or a token: 43 characters that do not compress. */
const address = (name: string) => createHash('sha256').update(name).digest('base64url');

function whirlpool(i: number): Whirlpool {
  const quote = i % 3 === 0 ? 'USDC' : 'SOL';
  return {
    address: address(`pool ${i}`),
    token_a: address(`token ${i}`),
    token_b: address(`token ${quote}`),
    symbol_a: `C${i}`,
    symbol_b: quote,
    price: (1 + ((i * 7919) % 99_991)) / 97_003,
    tvl: 4e7 / (i + 1),
    volume_24h: 1e7 / (1 + ((i * 31) % pools)),
    fee_rate: 0.003,
  };
}

async function publishPools(redisUrl: string): Promise<void> {
  const bus = createBus({ url: redisUrl, process: 'bench-pools' });
  const rows = Array.from({ length: pools }, (_, i) => whirlpool(i));
  const reading: DefiReading = { figure: 'orca', sources: ['orca'], received: Date.now(), rows };
  const outcome = await bus.publish('defi', 'orca', reading);
  await bus.close();
  if (outcome !== 'published') throw new Error(`pools: ${outcome}`);
}

/** What our server sends, byte by byte. */
async function sentAt(url: string, headers: Record<string, string>): Promise<Answers[string]> {
  const answer = await request(url, { headers });
  const body = Buffer.from(await answer.body.arrayBuffer()).toString('base64');
  const kept = Object.entries(answer.headers).filter(([name]) => !own.includes(name));
  return { body, headers: kept.map(([name, value]) => [name, String(value)]) };
}

/** Starts a bare server with our bytes. */
async function startBare(stage: Stage, answers: Answers): Promise<Running> {
  const port = await stage.port();
  const script = 'scripts/bench/onchain-reference.ts';
  const { pid } = stage.run(script, [String(port)], {}, JSON.stringify(answers));
  const base = `http://127.0.0.1:${port}`;
  for (const path of Object.keys(answers)) await (await answered(base + path)).body?.cancel();
  return { base, pid };
}

/** One to another, by requests a second and by processor time; 1 is as good as it. */
function ratios(ours: readonly Load[] = [], its: readonly Load[] = []): [number, number] {
  const outcome = { ours, its };
  return [ratioOf(outcome, 'perSecond'), 1 / costRatio(outcome)];
}

type Row = (string | number)[];

/** The rows of one coding. */
async function compare(stage: Stage, { base, pid, key }: Ours, coding: string): Promise<Row[]> {
  const headers = { ...key, 'accept-encoding': coding };
  const sent = {
    '/pools': await sentAt(base + paths.pools, headers),
    '/prices': await sentAt(base + paths.prices, headers),
  };
  const bare = await startBare(stage, sent);
  const loads = await loadAll([
    { name: 'pools', url: base + paths.pools, pid, headers },
    { name: 'pools, bare', url: `${bare.base}/pools`, pid: bare.pid, headers },
    { name: 'prices', url: base + paths.prices, pid, headers },
    { name: 'prices, bare', url: `${bare.base}/prices`, pid: bare.pid, headers },
  ]);
  const [ourPools, barePools, ourPrices, barePrices] = loads;
  const errors = loads.flat().reduce((sum, one) => sum + one.errors, 0);
  const bytes = (path: keyof typeof sent) => Buffer.byteLength(sent[path].body, 'base64');
  const rows: Row[] = [
    [`pools to a bare server, ${coding}`, bytes('/pools'), ...ratios(ourPools, barePools), errors],
    [`prices to a bare server, ${coding}`, bytes('/prices'), ...ratios(ourPrices, barePrices), '-'],
  ];
  // Compressed, made-up prices are far smaller than made-up pools.
  if (coding !== 'identity') return rows;
  return [...rows, [`pools to prices, ${coding}`, '-', ...ratios(ourPools, ourPrices), '-']];
}

/** Prints how the pools are served: from ready bytes, as the prices are. */
export async function benchPools(stage: Stage): Promise<void> {
  const ours = await startOurs(stage, symbols);
  await publishPools(stage.redisUrl);
  await (await answered(ours.base + paths.pools, { headers: ours.key })).body?.cancel();
  const rows = [
    ...(await compare(stage, ours, 'identity')),
    ...(await compare(stage, ours, 'gzip')),
  ];
  printTable(
    `${paths.pools} and ${paths.prices}, key and quota, 40 connections, ${rounds} rounds`,
    [['', 'bytes', 'by requests/s', 'by CPU time', 'errors'], ...rows],
  );
}

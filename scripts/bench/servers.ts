/** The servers that the front is measured with: ours with keys and quotas, and the references that send its bytes. */
import { once } from 'node:events';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { nginxCommand } from './nginx.ts';
import type { Answer } from './reference.ts';
import { printTable } from './report.ts';
import { answered, type Stage } from './stage.ts';
import { costRatio, loadAll, ratioOf, rounds } from './turns.ts';

const exchanges = 23;
const usualSymbols = 3_000;

const priceRow = (market: string, price: number, stated: number): PriceRow => ({
  market: `${market}USDT`,
  kind: 'spot',
  symbol: market,
  quote: 'USDT',
  price,
  ...{ bid: price * 0.999, ask: price, high: price * 1.1, low: price * 0.9, base: 1e5 },
  volume: 1e7,
  change: 1.5,
  stated,
});

/** Publishes readings of 23 made-up exchanges that all list BTC and share the symbols among them. */
async function publish(redisUrl: string, symbols: number): Promise<void> {
  const bus = createBus({ url: redisUrl, process: 'bench' });
  const received = Date.now();
  for (let i = 0; i < exchanges; i++) {
    const others = Array.from({ length: symbols / exchanges }, (_, n) =>
      priceRow(`C${n * exchanges + i}`, ((n * 7919 + i) % 99_991) / 97, received - n),
    );
    const rows = [priceRow('BTC', 100_000 + i, received - 40), ...others];
    const reading = { source: `exchange-${i}`, part: 'spot', asked: received, received, rows };
    for (;;) {
      if ((await bus.publish('prices', `${reading.source}/spot`, reading)) === 'published') break;
      await new Promise((wait) => setTimeout(wait, 100));
    }
  }
  await bus.close();
}

/** A server: where it is, and the process whose time it takes. */
export interface Running {
  base: string;
  pid: number | undefined;
}
export interface Ours extends Running {
  key: Record<string, string>;
  /** Headers of a key whose account has used up its plan. */
  usedUp: Record<string, string>;
  /** Keys of 100 accounts, each with a limit of its own. */
  others: readonly string[];
  /** Whether it counts its answers and their latencies, as it does at first. */
  count(on: boolean): void;
}

/** Starts our server on readings of 23 exchanges, with keys and quotas. */
export async function startOurs(stage: Stage, symbols = usualSymbols): Promise<Ours> {
  await publish(stage.redisUrl, symbols);
  return startGated(stage);
}

/** Starts our server on the readings that Redis has. */
async function startGated(stage: Stage): Promise<Ours> {
  const port = await stage.port();
  const server = stage.run('scripts/bench/gated.ts', [String(port)], {}, stage.redisUrl);
  const [{ key, usedUp, others }] = await once(server, 'message');
  const headersOf = (text: unknown) => ({ 'x-api-key': String(text) });
  const base = `http://127.0.0.1:${port}`;
  const keys = { key: headersOf(key), usedUp: headersOf(usedUp), others };
  const count = (counting: boolean) => void server.send({ counting });
  const ours = { base, pid: server.pid, ...keys, count };
  for (let i = 0; i < 61; i++) {
    await (await fetch(`${base}/v1/prices?symbol=BTC`, { headers: ours.usedUp })).body?.cancel();
  }
  return ours;
}

/** Starts our server, and a feed process that asks a simulated Bybit, which is at `gateway`. */
export async function startBybit(stage: Stage): Promise<{ ours: Ours; gateway: string }> {
  const port = await stage.port();
  const gateway = `http://127.0.0.1:${port}`;
  stage.run('scripts/simulator/main.ts', ['--port', String(port), '--symbols', '12']);
  const ours = await startOurs(stage, 100);
  const env = { REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: gateway, SOURCES: 'bybit' };
  stage.run('cmd/feed.ts', [], { ...env, DATA_DIR: stage.folder });
  return { ours, gateway };
}

/** Headers that every server writes of itself. */
export const own = ['content-length', 'date', 'connection', 'uwebsockets', 'transfer-encoding'];

/** What our server answers at a path, as the references send it. */
export async function answerOf(
  stage: Stage,
  ours: Pick<Ours, 'base' | 'key'>,
  path: string,
): Promise<Answer> {
  const headers = { ...ours.key, 'accept-encoding': 'identity' };
  const first = await answered(ours.base + path, { headers });
  const body = await first.text();
  const kept = [...first.headers].filter(([name]) => !own.includes(name));
  return { body, headers: kept, redisUrl: stage.redisUrl };
}

/** Starts a server that sends answers of ours as `/v1/prices`: those of uWebSockets.js all in turn, the others the first. */
export async function startReference(
  stage: Stage,
  kind: 'uws' | 'bare' | 'redis' | 'nginx',
  ...answers: readonly [Answer, ...Answer[]]
): Promise<Running> {
  const port = await stage.port();
  const { pid } =
    kind === 'nginx'
      ? stage.shell(nginxCommand(stage.folder, port, answers[0].body))
      : stage.run('scripts/bench/reference.ts', [kind, String(port)], {}, JSON.stringify(answers));
  const base = `http://127.0.0.1:${port}`;
  await (await answered(`${base}/v1/prices`)).body?.cancel();
  return { base, pid };
}

/** Our answer to a path beside bare uWebSockets.js that sends the same bytes: its size, and both ratios to the bare one. */
async function besideBare(stage: Stage, ours: Ours, path: string) {
  const url = ours.base + path;
  await (await answered(url, { headers: ours.key })).body?.cancel();
  const answer = await answerOf(stage, ours, path);
  const bare = await startReference(stage, 'uws', answer);
  const [own = [], its = []] = await loadAll([
    { name: 'ours', url, pid: ours.pid, headers: ours.key },
    { name: 'bare', url: `${bare.base}/v1/prices`, pid: bare.pid, headers: ours.key },
  ]);
  const outcome = { ours: own, its };
  const ratios = [ratioOf(outcome, 'perSecond'), 1 / costRatio(outcome)];
  return [Buffer.byteLength(answer.body), ...ratios];
}

/** Prints our answers to some paths beside bare uWebSockets.js; `goal` is the least that they shall reach by CPU time. */
export async function benchBesideBare(
  stage: Stage,
  ours: Ours,
  { title, goal, paths }: { title: string; goal: number; paths: readonly string[] },
): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const path of paths) rows.push([path, ...(await besideBare(stage, ours, path))]);
  printTable(
    `${title}, key and quota, to bare uWebSockets.js with their bytes, ${rounds} rounds (goal ${goal} by CPU)`,
    [['', 'bytes', 'by requests/s', 'by CPU time'], ...rows],
  );
}

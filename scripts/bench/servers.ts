/** The servers that answers are measured with: ours with keys and quotas, and a bare one that sends its bytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { loadAll, ratioOf, rounds } from './load.ts';
import type { Answer } from './reference.ts';
import { printTable } from './report.ts';
import { answered, keyOf, type Stage, webWorker } from './stage.ts';

const exchanges = 23;
/** Where the bare server answers. */
const path = '/v1/prices';

/** What a request costs is measured, not how few there may be: this plan's limit is out of reach. */
const plans = { heavy: { requests_per_minute: 900_000_000, keys: null, connections: null } };

const priceRow = (market: string, price: number, stated: number): PriceRow => ({
  ...{ market: `${market}USDT`, kind: 'spot', symbol: market, quote: 'USDT', price },
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

/** Our server: where it is, the process whose time it takes, and a key of an account without a limit that counts. */
export interface Ours {
  base: string;
  pid: number | undefined;
  redisUrl: string;
  key: string;
}

/** Starts our server on readings of so many symbols, with keys and quotas. */
export async function startOurs(stage: Stage, symbols = 3_000): Promise<Ours> {
  const { url: redisUrl } = await stage.redis();
  await publish(redisUrl, symbols);
  const port = await stage.port();
  const env = { REDIS_URL: redisUrl, PORT: `${port}`, PLANS: JSON.stringify(plans) };
  const { pid } = stage.run(webWorker, [], env);
  const key = await keyOf(redisUrl, 'heavy', 'heavy');
  return { base: `http://127.0.0.1:${port}`, pid, redisUrl, key };
}

/** Starts our server, and a feed process that asks a simulated Bybit, which is at `gateway`. */
export async function startBybit(stage: Stage): Promise<{ ours: Ours; gateway: string }> {
  const port = await stage.port();
  const gateway = `http://127.0.0.1:${port}`;
  stage.run('scripts/simulator/main.ts', ['--port', String(port), '--symbols', '12']);
  const ours = await startOurs(stage, 100);
  const env = { REDIS_URL: ours.redisUrl, UPSTREAM_GATEWAY: gateway, SOURCES: 'bybit' };
  stage.run('cmd/feed.ts', [], env);
  return { ours, gateway };
}

/** Headers that every server writes of itself. */
const own = ['content-length', 'date', 'connection', 'uwebsockets', 'transfer-encoding'];

/** A request of our server. */
interface Request {
  path: string;
  key: string;
}

/** What our server answers, as the bare one sends it. */
async function answerOf({ base }: Ours, request: Request): Promise<Answer> {
  const headers = { 'x-api-key': request.key, 'accept-encoding': 'identity' };
  const first = await answered(base + request.path, { headers });
  const body = await first.text();
  return { body, headers: [...first.headers].filter(([name]) => !own.includes(name)) };
}

/** Starts the bare server, which sends our answers to these requests in turn. */
export async function startBare(stage: Stage, ours: Ours, requests: readonly Request[]) {
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await answerOf(ours, request));
  const port = await stage.port();
  const { pid } = stage.run('scripts/bench/reference.ts', [`${port}`], {}, JSON.stringify(answers));
  const url = `http://127.0.0.1:${port}${path}`;
  await (await answered(url)).body?.cancel();
  return { url, pid, bytes: Buffer.byteLength(answers[0]?.body ?? '') };
}

/** Requests that are sent in turn. */
interface Mix {
  name: string;
  requests: readonly Request[];
}

/** Our answers beside the bare server: the size of the first, and both ratios, with the least and the greatest by processor. */
async function besideBare(stage: Stage, ours: Ours, { requests }: Mix) {
  const bare = await startBare(stage, ours, requests);
  const lines = (of: (request: Request) => string) => {
    const file = join(stage.folder, `requests-${performance.now()}.txt`);
    writeFileSync(file, requests.map((one) => `${of(one)} ${one.key}\n`).join(''));
    return file;
  };
  const [own = [], its = []] = await loadAll([
    { url: ours.base, pid: ours.pid, inTurn: lines((one) => one.path) },
    { url: bare.url, pid: bare.pid, inTurn: lines(() => path) },
  ]);
  const each = its.map(({ cpuUs }, round) => cpuUs / (own[round]?.cpuUs ?? Number.NaN));
  const spread = `${Math.min(...each).toFixed(3)} to ${Math.max(...each).toFixed(3)}`;
  return [bare.bytes, ratioOf(own, its, 'perSecond'), 1 / ratioOf(own, its), spread];
}

/** Prints our answers beside bare uWebSockets.js that sends the same bytes; `goal` is the least that they shall reach by CPU time. */
export async function benchBesideBare(
  stage: Stage,
  ours: Ours,
  { title, goal, mixes }: { title: string; goal: number; mixes: readonly Mix[] },
): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const mix of mixes) rows.push([mix.name, ...(await besideBare(stage, ours, mix))]);
  printTable(
    `${title}, key and quota, to bare uWebSockets.js with their heads and bodies, ${rounds} rounds (goal ${goal} by CPU)`,
    [['', 'bytes', 'by requests/s', 'by CPU time', 'of all rounds'], ...rows],
  );
}

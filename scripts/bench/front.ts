/** The front against bare uWebSockets.js and against Fastify with Redis, in turns, loaded from another process. */
import { once } from 'node:events';
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow } from '../../actors/topics.ts';
import { type Load, load } from './load.ts';
import type { Answer } from './reference.ts';
import { median, printTable } from './report.ts';
import { answered, Stage } from './stage.ts';

const rounds = 3;
const seconds = 2;
const exchanges = 23;
const symbols = 3_000;

const priceRow = (market: string, price: number, stated: number): PriceRow => ({
  market: `${market}USDT`,
  kind: 'spot',
  symbol: market,
  quote: 'USDT',
  price,
  volume: 1e7,
  change: 1.5,
  stated,
});

/** Publishes readings of 23 made-up exchanges that all list BTC and share 3,000 symbols among them. */
async function publish(redisUrl: string): Promise<void> {
  const bus = createBus({ url: redisUrl, process: 'bench' });
  const received = Date.now();
  for (let i = 0; i < exchanges; i++) {
    const others = Array.from({ length: symbols / exchanges }, (_, n) =>
      priceRow(`C${n * exchanges + i}`, n + 1, received),
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

/** One thing that is loaded. */
interface Run {
  name: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Answers are errors, or 304: wrk counts them as such. */
  refused?: true;
}

const path = '/v1/prices?symbol=BTC';
const own = ['content-length', 'date', 'connection', 'uwebsockets', 'transfer-encoding'];

/** Starts our server, with keys and quotas, and gives the URL and the headers of its two keys. */
async function startOurs(stage: Stage) {
  const port = await stage.port();
  const server = stage.run('scripts/bench/gated.ts', [String(port)], {}, stage.redisUrl);
  const [{ key, usedUp }] = await once(server, 'message');
  const headersOf = (text: unknown) => ({ 'x-api-key': String(text) });
  return { base: `http://127.0.0.1:${port}`, key: headersOf(key), usedUp: headersOf(usedUp) };
}

/** Starts our web process and the references, which send what ours sent. */
async function startServers(stage: Stage): Promise<{ runs: Run[]; bytes: number }> {
  await publish(stage.redisUrl);
  const { base, key, usedUp } = await startOurs(stage);
  const url = base + path;
  const first = await answered(url, { headers: key });
  const body = await first.text();
  const headers = [...first.headers].filter(([name]) => !own.includes(name));
  const answer: Answer = { body, headers, redisUrl: stage.redisUrl };
  const reference = async (kind: string) => {
    const port = await stage.port();
    stage.run('scripts/bench/reference.ts', [kind, String(port)], {}, JSON.stringify(answer));
    await answered(`http://127.0.0.1:${port}${path}`);
    return `http://127.0.0.1:${port}${path}`;
  };
  for (let i = 0; i < 61; i++) await (await fetch(url, { headers: usedUp })).body?.cancel();
  const unchanged = { ...key, 'if-none-match': first.headers.get('etag') ?? '' };
  const runs: Run[] = [
    { name: 'Tidemark, key and quota', url, headers: key },
    { name: 'bare uWebSockets.js, same head and body', url: await reference('uws'), headers: key },
    { name: 'bare uWebSockets.js, same body only', url: await reference('bare'), headers: key },
    { name: 'Fastify reading the body from Redis', url: await reference('redis'), headers: key },
    { name: 'Tidemark, 304', url, headers: unchanged },
    { name: 'Tidemark, 401 (no key)', url, refused: true },
    { name: 'Tidemark, 401 (malformed key)', url, headers: { 'x-api-key': 'x' }, refused: true },
    { name: 'Tidemark, 404', url: `${base}/v1/nothing`, headers: key, refused: true },
    { name: 'Tidemark, 429', url, headers: usedUp, refused: true },
  ];
  return { runs, bytes: body.length };
}

/** Prints requests a second of each, and how the 200 of Tidemark compares: the median of the rounds' own ratios. */
export async function benchFront(): Promise<void> {
  const stage = new Stage();
  try {
    const { runs, bytes } = await startServers(stage);
    const loads: Load[][] = runs.map(() => []);
    for (const { url, headers = {} } of runs) await load(url, { headers, seconds: 1 });
    for (let round = 0; round < rounds; round++) {
      for (const [i, { url, headers = {} }] of runs.entries()) {
        loads[i]?.push(await load(url, { headers, seconds }));
      }
    }
    const ours = loads[0] ?? [];
    const rows = runs.map(({ name, refused }, i) => {
      const own = loads[i] ?? [];
      const ratios = own.map(({ perSecond }, round) => (ours[round]?.perSecond ?? 0) / perSecond);
      return [
        name,
        median(own.map((one) => one.perSecond)),
        median(own.map((one) => one.p99Ms)),
        refused ? '-' : median(own.map((one) => one.errors)),
        median(ratios),
      ];
    });
    printTable(`${path}, ${bytes} bytes, 40 connections (median of ${rounds})`, [
      ['', 'requests/s', 'p99 ms', 'errors', "Tidemark's 200 to it"],
      ...rows,
    ]);
  } finally {
    await stage.end();
  }
}

/** The front against bare uWebSockets.js and against Fastify with Redis, in turns, loaded from another process. */
import { createBus } from '../../actors/bus/bus.ts';
import type { PriceRow } from '../../actors/topics.ts';
import { type Load, load } from './load.ts';
import type { Answer } from './reference.ts';
import { median, printTable } from './report.ts';
import { answered, Stage } from './stage.ts';

const rounds = 5;
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

interface Server {
  name: string;
  url: string;
}

/** Starts our web process and the references, which send what ours sent. */
async function startServers(stage: Stage): Promise<{ servers: Server[]; bytes: number }> {
  await publish(stage.redisUrl);
  const [ours, uws, bare, redis] = [
    await stage.port(),
    await stage.port(),
    await stage.port(),
    await stage.port(),
  ];
  const at = (port: number) => `http://127.0.0.1:${port}/v1/prices?symbol=BTC`;
  stage.run('cmd/web.ts', [], {
    REDIS_URL: stage.redisUrl,
    PORT: String(ours),
    WEB_CONCURRENCY: '1',
  });
  const first = await answered(at(ours));
  const body = await first.text();
  const own = ['content-length', 'date', 'connection', 'uwebsockets', 'transfer-encoding'];
  const headers = [...first.headers].filter(([name]) => !own.includes(name));
  const answer: Answer = { body, headers, redisUrl: stage.redisUrl };
  for (const [kind, port] of [
    ['uws', uws],
    ['bare', bare],
    ['redis', redis],
  ] as const) {
    stage.run('scripts/bench/reference.ts', [kind, String(port)], {}, JSON.stringify(answer));
    await answered(at(port));
  }
  const servers = [
    { name: 'bare uWebSockets.js, same head and body', url: at(uws) },
    { name: 'bare uWebSockets.js, same body only', url: at(bare) },
    { name: 'Fastify reading the body from Redis', url: at(redis) },
    { name: 'Tidemark', url: at(ours) },
  ];
  return { servers, bytes: body.length };
}

/** Prints requests a second of each, and Tidemark's ratio to it: the median of the rounds' own ratios. */
export async function benchFront(): Promise<void> {
  const stage = new Stage();
  try {
    const { servers, bytes } = await startServers(stage);
    const runs: Load[][] = [];
    for (const { url } of servers) await load(url, { seconds: 1 });
    for (let round = 0; round < rounds; round++) {
      const loads: Load[] = [];
      for (const { url } of servers) loads.push(await load(url));
      runs.push(loads);
    }
    const last = servers.length - 1;
    const rows = servers.map(({ name }, i) => {
      const of = (pick: (one: Load) => number) =>
        median(runs.map((run) => pick(run[i] ?? (run[last] as Load))));
      const ratio = median(
        runs.map((run) => (run[last]?.perSecond ?? 0) / (run[i]?.perSecond ?? 1)),
      );
      return [
        name,
        of((one) => one.perSecond),
        of((one) => one.p99Ms),
        of((one) => one.errors),
        ratio,
      ];
    });
    printTable(`/v1/prices?symbol=BTC, ${bytes} bytes, 40 connections (median of ${rounds})`, [
      ['', 'requests/s', 'p99 ms', 'errors', 'Tidemark to it'],
      ...rows,
    ]);
  } finally {
    await stage.end();
  }
}

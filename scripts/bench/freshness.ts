/** From the last byte of an upstream's answer to the first client that can read what was in it. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent, request } from 'undici';
import { percentile, printTable } from './report.ts';
import { answered, Stage } from './stage.ts';

const samples = 100;
const listed = 500;

/** An upstream whose price counts its answers; `sent[n]` is when the last byte with price n was handed over. */
function upstream(sent: number[]): Server {
  let price = 1_000;
  const ids = Array.from({ length: listed }, (_, i) => (i === 0 ? 'BTC' : `C${i}`));
  const info = ids.map((base) => ({
    symbol: `${base}USDT`,
    status: 'TRADING',
    contractType: 'PERPETUAL',
    baseAsset: base,
    quoteAsset: 'USDT',
  }));
  return createServer((asked, reply) => {
    reply.setHeader('content-type', 'application/json');
    if (asked.url?.includes('exchangeInfo')) return reply.end(JSON.stringify({ symbols: info }));
    const now = ++price;
    const rows = ids.map((id) => ({
      symbol: `${id}USDT`,
      lastPrice: String(now),
      quoteVolume: '1e6',
      closeTime: Date.now(),
    }));
    return reply.end(JSON.stringify(rows), () => {
      sent[now] = performance.now();
    });
  });
}

/** Asks again and again, and notes when each price is first seen. */
async function watch(url: string, sent: readonly number[]): Promise<number[]> {
  const dispatcher = new Agent({ connections: 1 });
  const delays: number[] = [];
  let seen = 0;
  while (delays.length < samples) {
    const { body } = await request(url, { dispatcher });
    const answer = await body.json();
    const at = performance.now();
    const price = (answer as { data?: { average_price?: number } }).data?.average_price ?? 0;
    if (price > seen && seen > 0) delays.push(at - (sent[price] ?? at));
    seen = price;
  }
  await dispatcher.close();
  return delays;
}

export async function benchFreshness(): Promise<void> {
  const stage = new Stage();
  const sent: number[] = [];
  const server = upstream(sent).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const gateway = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    // A key's quota would soon end the watching.
    const env = {
      ...{ REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: gateway },
      ...{ AUTH_MODE: 'open', DATA_DIR: stage.folder },
    };
    const port = await stage.port();
    stage.run('cmd/web.ts', [], { ...env, PORT: String(port), WEB_CONCURRENCY: '1' });
    stage.run('scripts/bench/quick-feed.ts', [], env);
    const url = `http://127.0.0.1:${port}/v1/prices?symbol=BTC`;
    await (await answered(url)).body?.cancel();
    const delays = await watch(url, sent);
    printTable(
      `Freshness, ${samples} polls of ${listed} tickers: last upstream byte to first client`,
      [
        ['p50 ms', 'p99 ms'],
        [percentile(delays, 0.5).toFixed(2), percentile(delays, 0.99).toFixed(2)],
      ],
    );
  } finally {
    server.close();
    server.closeAllConnections();
    await stage.end();
  }
}

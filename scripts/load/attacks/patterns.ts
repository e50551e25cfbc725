/** Clients that follow patterns of all symbols: what others notice of them. */
import { percentile } from '../../bench/report.ts';
import { RawClient } from '../push/raw-client.ts';
import { subscribe } from './subscribe.ts';
import type { Target, Verdict } from './target.ts';

/** An answer that takes longer than this and by this factor longer than without an attack was kept waiting, ms. */
const noticed = { least: 25, factor: 5 };
const asked = 200;

/** The 95th percentile of the time of requests, one after another, ms. */
async function slow({ url, key }: Target): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < asked; i++) {
    const began = performance.now();
    const reply = await fetch(new URL('/v1/prices?symbol=BTC', url), {
      headers: { 'x-api-key': key },
    });
    await reply.arrayBuffer();
    times.push(performance.now() - began);
  }
  return percentile(times, 0.95);
}

/** Connections that follow patterns, and what others notice of them. */
async function following(
  target: Target,
  connections: number,
  paths: readonly string[],
): Promise<Verdict> {
  const before = await slow(target);
  const headers = [`x-api-key: ${target.key}`];
  const clients = await Promise.all(
    Array.from({ length: connections }, () => RawClient.open(Number(target.url.port), { headers })),
  );
  for (const client of clients)
    for (const [id, path] of paths.entries()) client.say(subscribe(id, path));
  const during = await slow(target);
  const messages = clients.reduce((sum, { count }) => sum + count, 0);
  for (const client of clients) client.close();
  const most = Math.max(noticed.least, before * noticed.factor);
  return {
    measured: `p95 of others ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during ${messages} messages`,
    bound: `${most.toFixed(1)} ms`,
    // A refusal is one message, a pattern has one for each symbol.
    ok: during <= most && messages > connections * paths.length,
  };
}

/** One client, one pattern. */
export const pattern = (target: Target): Promise<Verdict> =>
  following(target, 1, ['/v1/funding-rates?symbol=*']);

/** With a limit, of which each makes other answers. */
const tables = ['/v1/funding-rates', '/v1/futures/pairs-markets', '/v1/spot/pairs-markets'];

/** Eleven clients with thirty patterns each, of which each makes other answers. */
export const patterns = (target: Target): Promise<Verdict> =>
  following(
    target,
    11,
    Array.from({ length: 30 }, (_, i) => `${tables[i % 3]}?symbol=*&limit=${1 + i}`),
  );

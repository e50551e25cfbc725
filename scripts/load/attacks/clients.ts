/** Clients that follow all symbols, leave, or read nothing: what others notice of them. */
import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { percentile } from '../../bench/report.ts';
import { frame, RawClient } from '../raw-client.ts';
import type { Probe } from './probe.ts';
import type { Attack, Target, Verdict } from './target.ts';

/** An answer that takes longer than this and by this factor longer than without an attack was kept waiting, ms. */
const noticed = { least: 25, factor: 5 };

/** The 95th percentile of the time of another client's requests in six seconds or more, ms. */
export async function slow({ url, own }: Target): Promise<number> {
  const workerData: Probe = { url: new URL('/v1/prices?symbol=BTC', url).href, headers: own };
  const thread = new Worker(new URL('probe.ts', import.meta.url), { workerData });
  const [times = []]: number[][] = await once(thread, 'message');
  return percentile(times, 0.95);
}

/** What the 95th percentile may be at most during an attack, by what it is without one, ms. */
export const slowest = async (target: Target): Promise<number> =>
  Math.max(noticed.least, noticed.factor * (await slow(target)));

/** Connections that follow patterns, and what others notice of them: compared with the slower of the times before and after. */
async function following(
  target: Target,
  connections: number,
  paths: readonly string[],
): Promise<Verdict> {
  const before = await slow(target);
  const clients = await Promise.all(
    Array.from({ length: connections }, () => target.follow(paths)),
  );
  const during = await slow(target);
  const messages = clients.reduce((sum, { count }) => sum + count, 0);
  for (const client of clients) client.close();
  await rest(1_000);
  const without = Math.max(before, await slow(target));
  const most = Math.max(noticed.least, without * noticed.factor);
  return {
    measured: `p95 of others ${without.toFixed(1)} ms without, ${during.toFixed(1)} ms during ${messages} messages`,
    bound: `${most.toFixed(1)} ms`,
    // A refusal is one message, a pattern has one for each symbol.
    ok: during <= most && messages > connections * paths.length,
  };
}

/** With a limit, of which each makes other answers. */
const tables = ['/v1/funding-rates', '/v1/futures/pairs-markets', '/v1/spot/pairs-markets'];

export const patterns: Attack = {
  what: '330 patterns of 11 clients',
  run: (target) =>
    following(
      target,
      11,
      Array.from({ length: 30 }, (_, i) => `${tables[i % 3]}?symbol=*&limit=${1 + i}`),
    ),
};

/** Two clients that follow one pattern at the same moment: the one that leaves takes nothing from the other. */
export const shared: Attack = {
  what: 'two clients follow a pattern, and one leaves',
  async run(target) {
    const two = await Promise.all([0, 1].map(() => target.follow(['/v1/prices?symbol=*'])));
    const [first, second] = two;
    await rest(3_000);
    const counts = two.map(({ count }) => count);
    first?.close();
    await rest(10_000);
    const later = (second?.count ?? 0) - (counts[1] ?? 0);
    second?.close();
    return {
      measured: `${counts.join(' and ')} messages together, ${later} more after one has left`,
      bound: 'some each',
      ok: counts.every((count) => count > 1) && later > 0,
    };
  },
};

/** Connects, without a key or to follow an answer, and reads nothing more. */
async function deaf(target: Target, follows: boolean): Promise<RawClient> {
  const client = follows
    ? await target.follow(['/v1/prices?symbol=BTC'])
    : await RawClient.open(Number(target.url.port));
  client.pause();
  return client;
}

/** Clients with and without a key that send pings and read nothing: the service must end their connections. */
export const pings: Attack = {
  what: 'clients send pings and read nothing',
  async run(target) {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => deaf(target, i % 2 === 0)));
    const ping = frame(Buffer.alloc(100), 0x89);
    const fifty = Buffer.concat(Array.from({ length: 50 }, () => ping));
    for (let round = 0; round < 150; round++) {
      for (const client of all) client.write(fifty);
      await rest(100);
    }
    // A client that reads nothing does not see the end either.
    for (const client of all) client.resume();
    await rest(1_000);
    const left = all.filter(({ isOpen }) => isOpen).length;
    for (const client of all) client.close();
    return { measured: `${left} of 20 still open after 15 s`, bound: '0', ok: left === 0 };
  },
};

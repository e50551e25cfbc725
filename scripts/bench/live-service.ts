/** The service beside an upstream of all exchanges that sends so many frames a second, with the default settings of streams. */
import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { type Stage, webWorker } from './stage.ts';

const symbols = 60;
/** Seconds: at most until the streams tell prices, then until all are subscribed to and the lists of a first start are computed. */
const lengths = { patience: 75, settled: 25 };
/** Share of the streams that have to tell prices before anything is measured. */
const enough = 0.9;

/** Where the service and its upstream are, and the ids of the processes. */
export interface LiveService {
  url: string;
  gateway: string;
  redisUrl: string;
  pids: { upstream: number; feed: number; web: number };
}

interface Status {
  data: { sources: Record<string, { feeds: { topic: string; part: string; state: string }[] }> };
}

/** Resolves when the streams tell prices. */
async function settled(url: string): Promise<void> {
  const end = performance.now() + lengths.patience * 1_000;
  for (let [up, all] = [0, 0]; all === 0 || up < enough * all; await rest(1_000)) {
    const answer = await fetch(`${url}/v1/status`).catch(() => null);
    if (answer?.ok) {
      const { data } = (await answer.json()) as Status;
      const feeds = Object.values(data.sources).flatMap((source) => source.feeds);
      const streams = feeds.filter(({ topic }) => topic === 'priceChanges');
      [up, all] = [streams.filter(({ state }) => state === 'up').length, streams.length];
    }
    if (performance.now() > end) throw new Error(`only ${up} of ${all} streams tell prices`);
  }
  await rest(lengths.settled * 1_000);
}

/** Starts upstream, feed and web; resolves when the streams tell prices. */
export async function startLive(stage: Stage, frames: number): Promise<LiveService> {
  const { url: redisUrl } = await stage.redis();
  const [gatewayPort, port] = [await stage.port(), await stage.port()];
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  const args = [gatewayPort, frames, symbols].map(String);
  const upstream = stage.run('scripts/bench/live-upstream.ts', args);
  await once(upstream, 'message');
  const env = {
    ...{ REDIS_URL: redisUrl, UPSTREAM_GATEWAY: gateway, PORT: `${port}` },
    AUTH_MODE: 'open',
    ORDER_BOOK_ASSETS: '1',
  };
  const feed = stage.run('cmd/feed.ts', [], env);
  const web = stage.run(webWorker, [], env);
  const [one = 0, two = 0, three = 0] = [upstream, feed, web].map(({ pid }) => pid);
  const url = `http://127.0.0.1:${port}`;
  await settled(url);
  return { url, gateway, redisUrl, pids: { upstream: one, feed: two, web: three } };
}

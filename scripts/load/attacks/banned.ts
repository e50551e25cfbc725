/**
 * A ban across a restart: every host of Binance locks the address out for two minutes, and the feed is killed and started again
 * meanwhile. On processes of its own, with the simulated Binance.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { binance } from '../../../actors/venues/binance/index.ts';
import { answered, ended, onStage, type Stage, webWorker } from '../../bench/stage.ts';
import { type Simulator, startSimulator } from '../../simulator/main.ts';
import type { Attack, Verdict } from './target.ts';

/** How long the feed has before the ban, under it, and after its restart; how old its newest price may be in the end; ms. */
const times = { before: 20_000, under: 15_000, after: 30_000, old: 10_000 } as const;
/** Most requests of the feed that was started again, while the ban lasts. */
const mostAsked = 2;

const hosts = Object.values(binance.apis).flatMap((api) =>
  api.hosts.map((host) => new URL(host).hostname),
);

interface Prices {
  data?: { exchanges?: Readonly<Record<string, { updated_at: number }>> };
}

/** The feed that starts inside the ban asks two times at most, and prices out of the stream go on. */
export const banned: Attack = {
  what: 'a feed that is killed and started again while Binance locks its address out; a service of its own, a minute and a half',
  run: () =>
    onStage(async (stage) => {
      const simulator = await startSimulator({ symbols: 30 });
      stage.teardown(() => simulator.close());
      return meetBan(stage, simulator);
    }),
};

async function meetBan(stage: Stage, simulator: Simulator): Promise<Verdict> {
  const { url: redis } = await stage.redis();
  const port = await stage.port();
  const env = {
    REDIS_URL: redis,
    UPSTREAM_GATEWAY: simulator.url,
    SOURCES: 'binance',
    AUTH_MODE: 'open',
    PORT: `${port}`,
  };
  const path = `http://127.0.0.1:${port}/v1/prices?symbol=BTC`;
  const first = stage.run('cmd/feed.ts', [], env);
  stage.run(webWorker, [], env);
  await answered(path);
  await rest(times.before);
  simulator.faults.set(hosts.map((host) => ({ host, kind: 'ban', retryAfter: 120 })));
  const asked = () => simulator.faults.list().reduce((sum, { hits }) => sum + hits, 0);
  await rest(times.under);
  const known = asked();
  await ended(first, 'SIGKILL');
  stage.run('cmd/feed.ts', [], env);
  await rest(times.after);
  const again = asked() - known;
  const { data } = (await (await answered(path)).json()) as Prices;
  const age = Date.now() - (data?.exchanges?.binance?.updated_at ?? 0);
  return {
    measured: `${known} requests met the ban before the restart, ${again} after it; the newest price is ${age} ms old`,
    bound: `${mostAsked} after it, a price of the last ${times.old / 1_000} s`,
    ok: known > 0 && again <= mostAsked && age <= times.old,
  };
}

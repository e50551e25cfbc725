/** A Redis of its own with buses on it, and a plain client that looks and meddles. All of it ends with the test. */
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { type Bus, type BusOptions, createBus } from '../../actors/bus/bus.ts';
import { redisOf, type TestRedis } from './redis.ts';

export interface BusStage {
  server: TestRedis;
  raw: Redis;
  /** Another bus, of a process of its own. */
  join(options?: Partial<BusOptions>, t?: Pick<Test, 'teardown'>): Bus;
}

export async function redisStage(
  t: Pick<Test, 'teardown'>,
  args: readonly string[] = [],
): Promise<BusStage> {
  const server = await redisOf(t, { args });
  const path = server.url.replace('unix://', '');
  const raw = new Redis(path, { lazyConnect: true, retryStrategy: () => 20 });
  raw.on('error', () => {});
  t.teardown(() => raw.disconnect());
  let buses = 0;
  const join = (options: Partial<BusOptions> = {}, until = t) => {
    const about = { url: server.url, process: `p${++buses}`, random: () => 0.01 };
    const bus = createBus({ ...about, ...options });
    until.teardown(() => bus.close());
    return bus;
  };
  return { server, raw, join };
}

/** The same with a first bus, of process `p` where `options` name no other. */
export async function busStage(
  t: Pick<Test, 'teardown'>,
  options: Partial<BusOptions> = {},
): Promise<BusStage & { bus: Bus }> {
  const stage = await redisStage(t);
  return { ...stage, bus: stage.join({ process: 'p', ...options }) };
}

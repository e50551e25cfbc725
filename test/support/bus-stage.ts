/** A Redis of its own with buses on it, and a plain client that looks and meddles. All of it ends with the test. */
import { join as pathOf } from 'node:path';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { type Bus, type BusOptions, createBus } from '../../actors/bus/bus.ts';
import { type Relay, type RelayOptions, startRelay } from '../../actors/bus/relay/relay.ts';
import { type Topic, topics } from '../../actors/topics/index.ts';
import { startRedis, type TestRedis } from './redis.ts';

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
  const server = await startRedis({ args });
  t.teardown(() => server.stop());
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

/** Every topic. */
export const allTopics = Object.keys(topics) as readonly Topic[];

/** The same, with a relay whose followers are those of all buses. */
export async function relayStage(
  t: Pick<Test, 'teardown'>,
  options: Partial<RelayOptions> = {},
): Promise<BusStage & { bus: Bus; relay: Relay; path: string }> {
  const stage = await redisStage(t);
  const path = pathOf(stage.server.dir, 'relay.sock');
  const about = { url: stage.server.url, process: 'host', path, topics: allTopics };
  const relay = await startRelay({ ...about, random: () => 0.01, ...options });
  t.teardown(() => relay.stop());
  const join: BusStage['join'] = (own = {}, until = t) =>
    stage.join({ relay: path, ...own }, until);
  return { ...stage, join, bus: join({ process: 'p' }), relay, path };
}

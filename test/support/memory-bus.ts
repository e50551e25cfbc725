/** The bus of a source in memory. */
import type { Published } from '../../actors/bus/bus.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { Topic, Topics } from '../../actors/topics/index.ts';
import { FakeClock } from './clock.ts';
import { MemoryStore } from './lease-store.ts';
import { silentBus } from './queries.ts';

/** Called with each value before it is kept; what it returns in place of `published` is the outcome, and nothing is kept then. */
export type OnPublish = <T extends Topic>(
  topic: T,
  key: string,
  value: Topics[T],
  lease?: unknown,
) => Published | undefined;

/** A bus with leases, on which no question is answered: what was published last of each key is there to be read. */
export function memoryBus(clock: Clock = new FakeClock(), onPublish: OnPublish = () => undefined) {
  const leases = new MemoryStore(clock);
  const kept = new Map<Topic, Map<string, unknown>>();
  const of = <T extends Topic>(topic: T) =>
    (kept.get(topic) ?? new Map()) as Map<string, Topics[T]>;
  return {
    leases: () => leases,
    last: async <T extends Topic>(topic: T) => of(topic),
    lastOf: async <T extends Topic>(topic: T, key: string) => of(topic).get(key),
    query: silentBus.query,
    async publish<T extends Topic>(
      topic: T,
      key: string,
      value: Topics[T],
      lease?: unknown,
    ): Promise<Published> {
      const refused = onPublish(topic, key, value, lease);
      if (refused !== undefined) return refused;
      kept.set(topic, of(topic).set(key, structuredClone(value)));
      return 'published';
    },
  };
}

export type MemoryBus = ReturnType<typeof memoryBus>;

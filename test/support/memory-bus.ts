/** The last values of a bus, in memory. */
import type { Published } from '../../actors/bus/bus.ts';
import type { Topic, Topics } from '../../actors/topics/index.ts';

/** A bus without followers: what was published last of each key is there to be read. */
export function memoryBus() {
  const last = new Map<string, unknown>();
  return {
    async publish<T extends Topic>(topic: T, key: string, value: Topics[T]): Promise<Published> {
      last.set(`${topic} ${key}`, structuredClone(value));
      return 'published';
    },
    lastOf: async <T extends Topic>(topic: T, key: string) =>
      last.get(`${topic} ${key}`) as Topics[T] | undefined,
  };
}

export type MemoryBus = ReturnType<typeof memoryBus>;

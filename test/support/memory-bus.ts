/** The last values of a bus, in memory. */
import type { Bus } from '../../actors/bus/bus.ts';

export type MemoryBus = Pick<Bus, 'publish' | 'lastOf'>;

/** A bus without followers: what was published last of each key is there to be read. */
export function memoryBus(): MemoryBus {
  const last = new Map<string, unknown>();
  return {
    async publish(topic, key, value) {
      last.set(`${topic} ${key}`, structuredClone(value));
      return 'published';
    },
    lastOf: async (topic, key) => last.get(`${topic} ${key}`) as never,
  };
}

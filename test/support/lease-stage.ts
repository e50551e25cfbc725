/** Contenders for one lease, on a clock that the test moves. */
import { type LeaseOptions, seekLease } from '../../actors/kernel/lease.ts';
import type { LeaseStore } from '../../actors/kernel/lease-store.ts';
import { FakeClock } from './clock.ts';
import { MemoryStore } from './lease-store.ts';

/** One contender on a fake clock, with its store's calls replaceable one by one. */
export function leaseStage(options: Partial<LeaseOptions> = {}) {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const store: LeaseStore = {
    acquire: (...args) => memory.acquire(...args),
    renew: (...args) => memory.renew(...args),
    release: (...args) => memory.release(...args),
  };
  const log: string[] = [];
  const errors: string[] = [];
  const join = (holder: string, more: Partial<LeaseOptions> = {}) =>
    seekLease({
      name: 'binance',
      holder,
      store,
      clock,
      random: () => 0.5,
      onGained: (fence) => void log.push(`${holder} gained ${fence}`),
      onLost: () => void log.push(`${holder} lost`),
      onError: (error) => void errors.push(String(error)),
      ...options,
      ...more,
    });
  return { clock, memory, store, log, errors, join };
}

/** Processes that seek one lease, on a clock that the test moves. */
import { Lease, type LeaseOptions, type LeaseStore } from '../../actors/kernel/lease.ts';
import { FakeClock } from './clock.ts';
import { MemoryStore } from './lease-store.ts';

/** The calls of the store are replaceable one by one; `log` has what the holders do, `errors` what was noted as failed. */
export function leaseStage(options: Partial<LeaseOptions> = {}) {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const store: LeaseStore = {
    acquire: (...args) => memory.acquire(...args),
    renew: (...args) => memory.renew(...args),
    release: (...args) => memory.release(...args),
    standBy: (...args) => memory.standBy(...args),
    look: (...args) => memory.look(...args),
  };
  const log: string[] = [];
  const errors: string[] = [];
  const join = (process: string, more: Partial<LeaseOptions> = {}) =>
    new Lease({
      name: 'binance',
      process,
      store,
      clock,
      random: () => 0.5,
      holder: () => ({
        begin: () => void log.push(`${process} begins`),
        stop: (isHandedOver) => void log.push(`${process} ${isHandedOver ? 'hands over' : 'ends'}`),
      }),
      note: (what, error) => error && errors.push(`${what}: ${error}`),
      ...options,
      ...more,
    }).seek();
  return { clock, memory, store, log, errors, join };
}

import type { IndicatorPool } from '../../indicators/pool.ts';
import type { Bus } from '../bus/bus.ts';
import { type Clock, every } from '../kernel/clock.ts';

/** Time between two reports, ms. */
const interval = 5_000;

/** Publishes the counts of the pool, under the process's id, until stopped. */
export function reportPool(
  pool: Pick<IndicatorPool, 'counts'>,
  { bus, clock, id }: { bus: Pick<Bus, 'publish'>; clock: Clock; id: string },
): { stop(): void } {
  const report = () => {
    void bus.publish('compute', id, { at: clock.now(), ...pool.counts() });
  };
  report();
  return { stop: every(clock, interval, report) };
}

import type { IndicatorPool } from '../../indicators/pool.ts';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../kernel/clock.ts';

/** Time between two reports, ms. */
const every = 5_000;

/** Publishes the counts of the pool, under the process's id, until stopped. */
export function reportPool(
  pool: Pick<IndicatorPool, 'counts'>,
  { bus, clock, id }: { bus: Pick<Bus, 'publish'>; clock: Clock; id: string },
): { stop(): void } {
  let cancel = (): void => {};
  const report = () => {
    cancel = clock.after(every, report);
    void bus.publish('compute', id, { at: clock.now(), ...pool.counts() });
  };
  report();
  return { stop: () => cancel() };
}

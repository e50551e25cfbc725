import type { BusLog } from '../bus/bus.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { StoreError } from './store.ts';

/** Before the next attempt after a failure of the store, ms. */
const pause = 5_000;

interface Options {
  clock: Clock;
  log: BusLog;
  signal: AbortSignal;
  /** What is logged when the store fails: what is read is in the log of the bus still. */
  warning: string;
}

/** Runs `session` again and again until the signal, with a pause after each failure of the store. */
export async function runSessions(
  session: () => Promise<void>,
  { clock, log, signal, warning }: Options,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await session();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.warn({ err: error }, warning);
      await sleep(clock, pause, signal);
    }
  }
}

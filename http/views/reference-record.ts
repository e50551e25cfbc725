/** Has the reference rates of the end of each minute recorded. */
import type { Bus } from '../../actors/bus/bus.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { historySource } from '../../actors/topics/index.ts';
import { minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { ReferenceRateView } from './reference-rate.ts';

/** A timer may fire a little before its time, ms: the minute that it was meant for is the one that has ended. */
const early = 1_000;
/** Rates that were computed longer before the end of a minute, ms, are not its own: they are computed once a second. */
const lateness = 3_000;

interface RecordOptions {
  bus: Pick<Bus, 'query'>;
  clock: Clock;
}

/**
 * Sends the rates at the end of each minute, from the second one on, in which the view has what it needs, until the returned
 * function is called. Every web process does: the history keeps the first row of a minute, and without a history there is none.
 */
export function recordReferenceRates(
  view: Pick<ReferenceRateView, 'computedSince'>,
  { bus, clock }: RecordOptions,
): () => void {
  let cancel: Cancel = () => {};
  const plan = (minutes: number) => {
    const now = clock.now();
    const end = stepAt(now + early, minute) + minutes * minute;
    cancel = clock.after(end - now, () => {
      plan(1);
      const rows = [...view.computedSince(end - lateness)].map(({ symbol, rate, used }) => ({
        key: symbol,
        time: end - minute,
        values: { rate, used },
      }));
      if (rows.length === 0) return;
      const params = { series: 'reference-rate', rows } as const;
      void bus.query({ source: historySource, name: 'record', params });
    });
  };
  plan(2);
  return () => cancel();
}

/** Keeps an answer up to date that is asked for: an order book, bars, a recorded series. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { Snapshot } from '../answers/snapshots.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import type { AccountTarget } from './sources.ts';

/**
 * Time between two questions, ms. An answer that is fresh still is found in memory, so that the upstream is asked no more
 * often than its data can change.
 */
const usual = 5_000;

/** Asks at once, then again and again until cancelled; `accept` gets each answer. */
export function keepAsking(
  { target, account }: AccountTarget,
  clock: Clock,
  accept: (answer: Snapshot | ApiError) => void,
): Cancel {
  const { run, row } = target.endpoint;
  let cancel: Cancel = () => {};
  let isOver = false;
  const ask = async (): Promise<void> => {
    if (!('later' in run)) return;
    const answer = await run.later(target.values, account);
    if (isOver) return;
    const isSnapshot = answer instanceof Snapshot;
    const wait = isSnapshot ? row.followEvery?.(answer.dataText) : undefined;
    cancel = clock.after(wait ?? usual, () => void ask());
    if (isSnapshot || isApiError(answer)) accept(answer);
  };
  void ask();
  return () => {
    isOver = true;
    cancel();
  };
}

/** Sources in order: where one fails, the next is asked. */
import { type Failure, failed, type Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';

export interface OrderOptions {
  clock: Clock;
  /** Unix ms by which all must have ended; infinite where each source has a deadline of its own. */
  until: number;
  /** Below this, ms, the next source is not asked; 0 when absent. */
  leastTime?: number;
  /** A failure that every other source would give too. */
  isFinal?(failure: Failure): boolean;
  /** The failure that is reported of two, the earlier one first; the earlier when absent. */
  worse?(before: Failure, now: Failure): Failure;
}

/**
 * The first success of the sources. Each may take an equal share of the time that is left, of which `ask` gets the end
 * (Unix ms). Without a success the failure is that of the first source, unless the options define another.
 */
export async function inOrder<S, T>(
  sources: readonly S[],
  ask: (source: S, until: number, index: number) => Promise<Result<T>>,
  { clock, until, leastTime = 0, isFinal, worse = (before) => before }: OrderOptions,
): Promise<Result<T>> {
  if (sources.length === 0) return failed('refused', 'no source');
  let failure: Failure | null = null;
  for (const [index, source] of sources.entries()) {
    const now = clock.now();
    if (until - now < leastTime) break;
    const result = await ask(source, now + (until - now) / (sources.length - index), index);
    if (result.ok || isFinal?.(result.failure)) return result;
    failure = failure === null ? result.failure : worse(failure, result.failure);
  }
  return failure === null ? failed('timeout', 'no time left') : { ok: false, failure };
}

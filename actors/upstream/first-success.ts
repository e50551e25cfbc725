/** Fail-over: sources, hosts or endpoints in order, each asked after the one before it has failed. */
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
  /** The failure where no source was asked. */
  none?: Failure;
}

/**
 * The first success of the sources. Each may take an equal share of the time that is left, of which `ask` gets the end
 * (monotonic ms); null passes a source over. Without a success the failure is that of the first source, unless the options define
 * another.
 */
export async function firstSuccess<S, T>(
  sources: readonly S[],
  ask: (source: S, until: number, index: number) => Promise<Result<T> | null>,
  { clock, until, leastTime = 0, isFinal, worse = (before) => before, none }: OrderOptions,
): Promise<Result<T>> {
  let failure: Failure | null = null;
  for (const [index, source] of sources.entries()) {
    const now = clock.monotonic();
    if (until - now < leastTime) break;
    const result = await ask(source, now + (until - now) / (sources.length - index), index);
    if (result === null) continue;
    if (result.ok || isFinal?.(result.failure)) return result;
    failure = failure === null ? result.failure : worse(failure, result.failure);
  }
  return { ok: false, failure: failure ?? none ?? nothingAsked(sources.length) };
}

const nothingAsked = (sources: number): Failure =>
  (sources === 0 ? failed('refused', 'no source') : failed('timeout', 'no time left')).failure;

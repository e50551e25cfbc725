/** When a delivery that failed is tried again. Pure. */
import { day, hour, minute } from '../../config/time.ts';

/** Pauses after the first, second and further failures, ms: the last one repeats. */
export const retryPauses: readonly number[] = [
  5_000,
  15_000,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
];
/** A delivery is given up this long after its event, ms. */
export const retryFor = day;
/** By how much a pause is shorter or longer, as a share of it. */
const jitter = 0.2;

export interface Failed {
  /** Attempts so far. */
  attempts: number;
  /** When delivery began, and now, Unix ms. */
  since: number;
  now: number;
  /** What the receiver asks for, ms; null where it asks for nothing. */
  retryAfter: number | null;
  /** Uniform in [0, 1). */
  random: number;
}

/** The pause after so many failures, ms; `random` is uniform in [0, 1). */
export function pauseAfter(failures: number, random: number): number {
  const place = Math.min(Math.max(failures, 1), retryPauses.length) - 1;
  return (retryPauses[place] ?? hour) * (1 - jitter + 2 * jitter * random);
}

/** When the next attempt is due, Unix ms; null where the delivery is given up. */
export function nextAttempt({ attempts, since, now, retryAfter, random }: Failed): number | null {
  const next = now + Math.max(pauseAfter(attempts, random), retryAfter ?? 0);
  return next - since > retryFor ? null : Math.round(next);
}

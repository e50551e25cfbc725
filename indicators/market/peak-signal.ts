/** A signal that rises towards a threshold. */
export interface PeakState {
  /** Null where it is not a number. */
  value: number | null;
  /** Null without a value, and where it is stale. */
  reached: boolean | null;
  /** Value over threshold, from 0 to 1; null without a value. */
  progress: number | null;
}

/** How near a value is to a threshold above 0. Example: 3 of 4 is not reached, with a progress of 0.75. */
export function peakState(value: number, threshold: number, isStale: boolean): PeakState {
  if (!Number.isFinite(value)) return { value: null, reached: null, progress: null };
  return {
    value,
    reached: isStale ? null : value >= threshold,
    progress: Math.min(1, Math.max(0, value / threshold)),
  };
}

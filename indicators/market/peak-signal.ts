/** How near a value is to a threshold above 0, from 0 to 1; null without a value. Example: 3 of 4 is not reached, with a progress of 0.75. */
export function peakState(value: number, threshold: number, isStale: boolean) {
  if (!Number.isFinite(value)) return { value: null, reached: null, progress: null };
  return {
    value,
    reached: isStale ? null : value >= threshold,
    progress: Math.min(1, Math.max(0, value / threshold)),
  };
}

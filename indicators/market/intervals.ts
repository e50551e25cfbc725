/** Candle intervals and their length in milliseconds; `1M` is a calendar month, its length here the longest. */
export const intervals = {
  '1m': 60_000,
  '3m': 180_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '2h': 7_200_000,
  '4h': 14_400_000,
  '6h': 21_600_000,
  '8h': 28_800_000,
  '12h': 43_200_000,
  '1d': 86_400_000,
  '3d': 259_200_000,
  '1w': 604_800_000,
  '1M': 2_678_400_000,
} as const;
export type Interval = keyof typeof intervals;

/** Whether a word names an interval. */
export const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);
/** Every interval, the shortest first. */
export const allIntervals: readonly Interval[] = Object.keys(intervals).filter(isInterval);

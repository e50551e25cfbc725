/** What rankings of assets show over several windows. Pure. */
import { day, hour } from '../../config/time.ts';
import { changePct } from '../market/statistics.ts';

/** The windows of the rankings, ms. */
export const rankingWindows = {
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': hour,
  '4h': 14_400_000,
  '12h': 43_200_000,
  '24h': day,
} as const;
export type RankingWindow = keyof typeof rankingWindows;
export const rankingWindowNames = [
  '5m',
  '15m',
  '30m',
  '1h',
  '4h',
  '12h',
  '24h',
] as const satisfies RankingWindow[];

/** Highest less lowest price in percent of the lowest; null with fewer than two. Example: 100, 110, 105 is 10. */
export function amplitudePct(prices: readonly (number | null)[]): number | null {
  const known = prices.filter((price) => price !== null);
  return known.length < 2 ? null : changePct(Math.min(...known), Math.max(...known));
}

/** What takers bought and sold in a step that begins then, US dollars. */
export interface FlowStep {
  time: number;
  buy: number;
  sell: number;
}

/** How much of the steps of a window must be there. */
const wholeShare = 0.95;

/**
 * Bought less sold in the `length` ms before `end`, of steps of `step` ms; null where fewer than 95 % of them are there.
 * Example: 5 bought and 3 sold, then 1 and 4: -1 over the two steps.
 */
export function netflowOf(
  steps: readonly FlowStep[],
  { end, length, step }: { end: number; length: number; step: number },
): number | null {
  const own = steps.filter(({ time }) => time >= end - length && time < end);
  if (own.length < (wholeShare * length) / step) return null;
  return own.reduce((sum, { buy, sell }) => sum + buy - sell, 0);
}

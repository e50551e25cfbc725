/** Shared by the candle queries of exchanges: the names of intervals and the limit of unusable rows. */
import { type Bar, type Candle, tidy } from '../../../indicators/market/candles.ts';
import { ShapeError } from '../../failure.ts';
import { allIntervals, type Interval } from '../../topics/index.ts';
import { maxDroppedShare } from '../define.ts';

export type { Bar };

/** The words of a venue that has every interval and names each as we do. */
export const sameWords: Readonly<Partial<Record<Interval, string>>> = Object.fromEntries(
  allIntervals.map((name) => [name, name]),
);

/**
 * Throws ShapeError where more rows are bad than `maxDroppedShare` allows, and where all are. One bad row never costs
 * the others, however few they are: a client may ask for two candles.
 */
export function rejectMostlyBad(bad: number, all: number, what = 'candles'): void {
  const isRefused = bad === all || (bad > 1 && bad > maxDroppedShare * all);
  if (all > 0 && isRefused) throw new ShapeError(`${what}: ${bad} of ${all} rows are unusable`);
}

/** The tidied candles of an answer (`tidy`); ShapeError where too many of its rows are unusable. */
export function candlesOf(rows: readonly Bar[], at: { interval: Interval; now: number }): Candle[] {
  const { candles, bad } = tidy(rows, at);
  rejectMostlyBad(bad, rows.length);
  return candles;
}

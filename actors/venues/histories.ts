/** Shared by the histories of several exchanges: cache lifetimes, and the hours of settled fundings. Pure. */
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { asRow, list, type WireRow } from '../read.ts';
import type { FundingPoint, Instrument, Interval, LongShortPoint } from '../topics/index.ts';

/** A series of steps is fresh for so long, ms. */
export const seriesLife = 60_000;

/** The rows of a list; none where an optional answer is missing. */
export const rowsIn = (rows: unknown, what: string): readonly WireRow[] =>
  rows === undefined ? [] : list(rows, what).map(asRow);

/** The length of one funding of a perpetual, ms; null for other markets. */
export const fundingStep = ({ instrument }: { instrument: Instrument }): number | null =>
  instrument.kind === 'perpetual' ? (instrument.funding_hours ?? 8) * 3_600_000 : null;

/** Fundings with the hours that lie between them; a lone one has those of its instrument. */
export function withHours(
  points: readonly Omit<FundingPoint, 'hours'>[],
  { funding_hours }: Instrument,
): FundingPoint[] {
  const sorted = points
    .filter(({ timestamp, rate }) => timestamp > 0 && Math.abs(rate) < 1)
    .sort((a, b) => a.timestamp - b.timestamp);
  const hours = settledHours(sorted.map(({ timestamp }) => timestamp));
  return sorted.map((point, i) => ({ ...point, hours: hours[i] ?? funding_hours }));
}

/** An exchange's word for an interval, or '' where it has none. */
export const wordOf = (
  words: Readonly<Partial<Record<Interval, string>>>,
  interval: Interval,
): string => words[interval] ?? '';

/** Two shares of a long to short ratio. */
export const sharesOf = (ratio: number): Pick<LongShortPoint, 'long' | 'short'> => ({
  long: ratio / (1 + ratio),
  short: 1 / (1 + ratio),
});

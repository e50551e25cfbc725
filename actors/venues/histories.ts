/** Shared by the histories of several exchanges: cache lifetimes, and the hours of settled fundings. Pure. */
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { asRow, isRow, list, required, type WireRow } from '../read.ts';
import { inOrder, kept } from '../sources/history-query.ts';
import type { FundingPoint, Instrument, Interval, LongShortPoint } from '../topics/index.ts';

/** A series of steps is fresh for so long, ms. */
export const seriesLife = 60_000;

/** The rows of a list; none where an optional answer is missing. */
export function rowsIn(rows: unknown, what: string): readonly WireRow[] {
  if (rows === undefined) return [];
  const values = list(rows, what);
  return values.every(isRow) ? values : values.map(asRow);
}

/**
 * Finds the row of a time in another series, where it has one; `timeOf` gives what stands in its rows. Two series of one
 * market have the same times in the same order as a rule, so the row after the one found last is tried first, as it is
 * written; only where that fails are the times read as numbers.
 */
export function byTime<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => unknown,
): (time: unknown) => Row | undefined {
  let next = 0;
  let known: ReadonlyMap<number, number> | undefined;
  return (time) => {
    const row = rows[next];
    if (row === undefined || timeOf(row) !== time) {
      known ??= new Map(rows.map((each, i) => [required(timeOf(each)), i]));
      next = known.get(required(time)) ?? rows.length;
    }
    return rows[next++];
  };
}

/** The length of one funding of a perpetual, ms; null for other markets. */
export const fundingStep = ({ instrument }: { instrument: Instrument }): number | null =>
  instrument.kind === 'perpetual' ? (instrument.funding_hours ?? 8) * 3_600_000 : null;

const isCharged = ({ timestamp, rate }: FundingPoint) => timestamp > 0 && Math.abs(rate) < 1;

/** Fundings with the hours that lie between them; a lone one has those of its instrument. */
export function withHours(points: FundingPoint[], { funding_hours }: Instrument): FundingPoint[] {
  const sorted = inOrder(kept(points, isCharged));
  const hours = settledHours(sorted.map(({ timestamp }) => timestamp));
  let i = 0;
  for (const point of sorted) point.hours = hours[i++] ?? funding_hours;
  return sorted;
}

/** An exchange's word for an interval, or '' where it has none. */
export const wordOf = (
  words: Readonly<Partial<Record<Interval, string>>>,
  interval: Interval,
): string => words[interval] ?? '';

/** The two shares of a long to short ratio. */
export const pointOfRatio = (timestamp: number, ratio: number): LongShortPoint => ({
  timestamp,
  long: ratio / (1 + ratio),
  short: 1 / (1 + ratio),
});

/** Shared by the funding histories of the venues. */
import { asRow, list, type WireRow } from '../read.ts';
import type { FundingPoint } from '../topics/index.ts';

/** How long a history is fresh, ms. */
export const fundingLife = 300_000;

/** Ms between two fundings that are charged by the hour. */
export const hourly = 3_600_000;

/** The points of rows in any order; NaN in the time or in the rate of one that cannot be read. */
export const fundingPoints = (
  rows: unknown,
  hours: number,
  read: (row: WireRow) => { timestamp: number | null; rate: number; premium?: number | null },
): FundingPoint[] =>
  list(rows, 'fundings').map((value) => {
    const { timestamp, rate, premium = null } = read(asRow(value));
    // No exchange charges the whole position.
    const charged = Math.abs(rate) < 1 ? rate : NaN;
    const point: FundingPoint = { timestamp: timestamp ?? NaN, rate: charged, hours };
    if (premium !== null) point.premium = premium;
    return point;
  });

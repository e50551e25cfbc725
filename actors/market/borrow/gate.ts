/** Gate: the unified account's past loan rates. https://www.gate.com/docs/developers/apiv4/en/#get-historical-lending-rates */
import { positive, required, text } from '../../read.ts';
import { field, list } from '../../venues/rows.ts';
import { type Figure, joined, readRows } from '../upstream.ts';
import { type BorrowRow, borrowAssets, borrowOf } from './rate.ts';

/** A rate of one hour of the past. */
export interface BorrowPoint extends BorrowRow {
  stated: number;
}

/**
 * Each hour's rate as a fraction of that hour, the last hundred hours of each of the plan's assets, newest first. The
 * limit is not said; an asset that is not lent has no hours. A current rate is the newest point of its asset: `newestOf`.
 */
export const gateBorrow: Figure<BorrowPoint> = {
  requests: ({ items = borrowAssets }) =>
    items.map((currency) => ({
      // The key of the venue's own apis.
      api: 'spot',
      path: '/api/v4/unified/history_loan_rate',
      query: { currency, limit: 100 },
      market: currency,
    })),
  parse: (bodies) =>
    joined(
      bodies.flatMap((body) => {
        if (body === undefined) return [];
        const asset = text(field(body, 'currency'));
        return readRows(
          list(field(body, 'rates'), 'rates'),
          () => asset,
          (row) => {
            const stated = positive(row.time);
            const rate = required(row.rate);
            const found = borrowOf({ asset, hourly_rate: rate, borrow_limit: null, stated });
            return found && stated > 0 ? { ...found, stated } : null;
          },
        );
      }),
    ),
};

/** The newest point of each asset. */
export function newestOf(points: readonly BorrowPoint[]): BorrowPoint[] {
  const newest = new Map<string, BorrowPoint>();
  for (const point of points) {
    const known = newest.get(point.asset);
    if (!known || known.stated < point.stated) newest.set(point.asset, point);
  }
  return [...newest.values()];
}

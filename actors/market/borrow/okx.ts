/** OKX: what it lends at, and what lenders get. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-interest-rate-and-loan-quota */
import { optional, positive, required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import { type Figure, readRows } from '../upstream.ts';
import { type BorrowRow, borrowOf } from './rate.ts';

/** `rate` is a daily fraction: 0.00043728 is 16 % a year, which by the hour would be 383 %. */
export const okxBorrow: Figure<BorrowRow> = {
  requests: () => [
    { api: 'rest', budget: 'loans', path: '/api/v5/public/interest-rate-loan-quota' },
  ],
  parse: ([body]) =>
    readRows(
      bulk(field(bulk(field(body, 'data'), 'data')[0], 'basic'), 'basic'),
      (row) => text(row.ccy),
      (row) =>
        borrowOf({
          asset: text(row.ccy),
          hourly_rate: required(row.rate) / 24,
          borrow_limit: optional(row.quota),
          stated: null,
        }),
    ),
};

/** What lenders got for an asset in the hour that ended at `time`. */
export interface LendingPoint {
  asset: string;
  /** Unix ms. */
  time: number;
  /** Fraction a year. */
  annual_rate: number;
}

/** The last hundred hours of each of the plan's assets; `rate` is an annual fraction. */
export const okxLending: Figure<LendingPoint> = {
  requests: ({ items = [] }) =>
    items.map((ccy) => ({
      api: 'rest',
      path: '/api/v5/finance/savings/lending-rate-history',
      query: { ccy, limit: 100 },
      market: ccy,
    })),
  parse: (bodies) =>
    readRows(
      bodies.flatMap((body) =>
        body === undefined ? [] : bulk(field(body, 'data'), 'lending rates'),
      ),
      (row) => text(row.ccy),
      (row) => {
        const [asset, time, rate] = [text(row.ccy), positive(row.ts), required(row.rate)];
        return asset !== '' && time > 0 && rate >= 0 ? { asset, time, annual_rate: rate } : null;
      },
    ),
};

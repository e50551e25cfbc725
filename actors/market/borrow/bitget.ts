/** Bitget: margin loans, one coin a call. https://www.bitget.com/api-doc/uta/public/Get-Margin-Loans */
import { optional, optionalNonZero, required } from '../../read.ts';
import { field } from '../../venues/rows.ts';
import { type Figure, joined, readRows } from '../upstream.ts';
import { type BorrowRow, borrowAssets, borrowOf } from './rate.ts';

/** `dailyInterest` is a daily fraction. The body does not name its coin: the plan does. */
export const bitgetBorrow: Figure<BorrowRow> = {
  requests: ({ items = borrowAssets }) =>
    items.map((coin) => ({
      api: 'rest',
      path: '/api/v3/market/margin-loans',
      query: { coin },
      market: coin,
    })),
  parse: (bodies, { plan: { items = borrowAssets } }) =>
    joined(
      items.map((asset, at) =>
        readRows(
          bodies[at] === undefined ? [] : [field(bodies[at], 'data')],
          () => asset,
          (row) =>
            borrowOf({
              asset,
              hourly_rate: required(row.dailyInterest) / 24,
              borrow_limit: optional(row.limit),
              stated: optionalNonZero(field(bodies[at], 'requestTime')),
            }),
        ),
      ),
    ),
};

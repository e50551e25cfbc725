/** Bitget: margin loans, one coin a call. https://www.bitget.com/api-doc/uta/public/Get-Margin-Loans */
import { type BorrowRow, borrowAssets, borrowOf } from '../../../indicators/market/rows.ts';
import { field, optional, required, time } from '../../read.ts';
import { joined, type Poll, readRows } from '../../sources/poll.ts';
import type { Ask } from './api.ts';

/** `dailyInterest` is a daily fraction. The body does not name its coin: the plan does. */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = borrowAssets }) =>
    items.map((coin) => ({
      api: 'rest',
      path: '/api/v3/market/margin-loans',
      query: { coin },
      market: coin,
    })),
  parse: (bodies, { received, plan: { items = borrowAssets } }) =>
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
              stated: time(field(bodies[at], 'requestTime'), 1, received),
            }),
        ),
      ),
    ),
};

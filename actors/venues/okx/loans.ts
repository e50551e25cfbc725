/** OKX: loan rates. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-interest-rate-and-loan-quota */
import { type BorrowRow, borrowOf } from '../../../indicators/market/rows.ts';
import { bulk, field, optional, required, text } from '../../read.ts';
import { type Poll, readRows } from '../../sources/poll.ts';
import { type Ask, get } from './api.ts';

/** `rate` is a daily fraction: 0.00043728 is 16 % a year, which by the hour would be 383 %. */
export const loans: Poll<BorrowRow, Ask> = {
  requests: () => [get('/public/interest-rate-loan-quota', 'loans', {})],
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

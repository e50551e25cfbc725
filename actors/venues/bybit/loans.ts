/** Bybit: spot margin. https://bybit-exchange.github.io/docs/v5/spot-margin-uta/vip-margin */
import { type BorrowRow, borrowOf } from '../../../indicators/market/rows.ts';
import { bulk, field, optional, required, text, time } from '../../read.ts';
import { type Poll, readRows } from '../../sources/poll.ts';
import type { Ask } from './api.ts';

/** Hourly fractions. A currency that cannot be borrowed has an empty rate and is left out. */
export const loans: Poll<BorrowRow, Ask> = {
  requests: () => [
    { api: 'rest', path: '/v5/spot-margin-trade/data', query: { vipLevel: 'No VIP' } },
  ],
  parse([body], { received }) {
    const tiers = bulk(field(field(body, 'result'), 'vipCoinList'), 'vipCoinList');
    const stated = time(field(body, 'time'), 1, received);
    return readRows(
      bulk(field(tiers[0], 'list'), 'list'),
      (row) => text(row.currency),
      (row) =>
        row.borrowable === false
          ? 'left_out'
          : borrowOf({
              asset: text(row.currency),
              hourly_rate: required(row.hourlyBorrowRate),
              borrow_limit: optional(row.maxBorrowingAmount),
              stated,
            }),
    );
  },
};

/** Bybit: spot margin. https://bybit-exchange.github.io/docs/v5/spot-margin-uta/vip-margin */
import { optional, optionalNonZero, required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import { type Figure, readRows } from '../upstream.ts';
import { type BorrowRow, borrowOf } from './rate.ts';

/** Hourly fractions. A currency that cannot be borrowed has an empty rate and is left out. */
export const bybitBorrow: Figure<BorrowRow> = {
  requests: () => [
    { api: 'rest', path: '/v5/spot-margin-trade/data', query: { vipLevel: 'No VIP' } },
  ],
  parse([body]) {
    const tiers = bulk(field(field(body, 'result'), 'vipCoinList'), 'vipCoinList');
    const stated = optionalNonZero(field(body, 'time'));
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

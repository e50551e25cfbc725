/** Every liquidation of HTX's linear swaps. https://www.htx.com/en-us/opend (subscribe liquidation order data) */
import { field, list, positive, text, time } from '../../read.ts';
import type { PastEvents } from '../../sources/streams/stream.ts';
import type { Liquidation } from '../../topics/index.ts';
import {
  closedBy,
  type LiquidationReader,
  largestOf,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
} from '../liquidations.ts';
import { isSwap, notification, notified } from './notifications.ts';

/** `direction` is that of the order, `amount` is base, `trade_turnover` quote. */
const reader: LiquidationReader = {
  id: (row) => text(row.contract_code),
  read: (row, market) => [
    liquidationOf(market, {
      side: closedBy(row.direction),
      price: positive(row.price),
      price_kind: 'order',
      // Base already: the size of a contract is not needed.
      quantity: positive(row.amount) / market.contract,
      value: positive(row.trade_turnover),
      timestamp: time(row.created_at),
    }),
  ],
};

/** The longest span of one question, ms. */
const window = 2 * 3_600_000;

/** Orders of large assets, a question a contract and two hours, in the form of the stream. */
const past: PastEvents<Liquidation> = {
  requests: (instruments, { from, to }) =>
    largestOf(instruments).flatMap((contract) =>
      Array.from({ length: Math.ceil((to - from + 1) / window) }, (_, at) => ({
        api: 'contracts',
        path: '/linear-swap-api/v3/swap_liquidation_orders',
        query: {
          ...{ contract, trade_type: 0, direct: 'prev' },
          start_time: from + at * window,
          end_time: Math.min(to, from + (at + 1) * window - 1),
        },
      })),
    ),
  parse: (body, { instruments }) =>
    liquidationsOf(list(field(body, 'data'), 'data').filter(isSwap), instruments, reader),
};

export const liquidations = {
  linear: liquidationStream({
    ...notification('linear-swap-notification', 'public.*.liquidation_orders'),
    past,
    parse(message, { instruments }) {
      const rows = notified(message);
      return rows && liquidationsOf(rows, instruments, reader);
    },
  }),
};

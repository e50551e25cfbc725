/**
 * Liquidation orders of OKX, about one a contract and second.
 * https://www.okx.com/docs-v5/en/#public-data-websocket-liquidation-orders-channel
 */
import { asRow, optional, positive, text, time, type WireRow } from '../../read.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';
import { connection, rowsOf } from './stream.ts';

/** `side` is that of the order, `sz` counts contracts, `bkPx` is the price at which the margin is used up. */
function detail(value: unknown, market: Instrument): Liquidation | null {
  const row = asRow(value);
  const side = closedBy(row.side);
  const quantity = positive(row.sz);
  const timestamp = time(row.ts);
  const price = positive(row.bkPx);
  const found =
    side && liquidationOf(market, { side, price, price_kind: 'bankruptcy', quantity, timestamp });
  if (!found) return null;
  found.quantity_contracts = quantity;
  found.bankruptcy_loss = optional(row.bkLoss);
  return found;
}

const read = (row: WireRow, market: Instrument) =>
  (Array.isArray(row.details) ? row.details : [null]).map((one) => detail(one, market));

const channel = (instType: string) => ({ channel: 'liquidation-orders', instType });
const args = [channel('SWAP'), channel('FUTURES')];

/** The first messages repeat orders of the minutes before. */
export const liquidations = {
  swap: liquidationStream({
    ...connection,
    channels: () => [JSON.stringify({ op: 'subscribe', args })],
    parse(message, { instruments }) {
      const rows = rowsOf(message);
      if (rows === null) return null;
      return liquidationsOf(rows, instruments, { id: (row) => text(row.instId), read });
    },
  }),
};

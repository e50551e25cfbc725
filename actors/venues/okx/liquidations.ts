/**
 * Liquidation orders of OKX, about one a contract and second.
 * https://www.okx.com/docs-v5/en/#public-data-websocket-liquidation-orders-channel
 */
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  field,
  isRecord,
  list,
  optional,
  positive,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';

/** `side` is that of the order, `sz` counts contracts, `bkPx` is the price at which the margin is used up. */
function detail(value: unknown, market: Instrument): Liquidation | null {
  const row = asRow(value);
  const side = closedBy(row.side);
  const quantity = positive(row.sz);
  const timestamp = time(row.ts);
  const price = positive(row.bkPx);
  const found =
    side && liquidationOf(market, { side, price, price_kind: 'bankruptcy', quantity, timestamp });
  return found && { ...found, quantity_contracts: quantity, bankruptcy_loss: optional(row.bkLoss) };
}

const read = (row: WireRow, market: Instrument) =>
  (Array.isArray(row.details) ? row.details : [null]).map((one) => detail(one, market));

const channel = (instType: string) => ({ channel: 'liquidation-orders', instType });
const args = [channel('SWAP'), channel('FUTURES')];

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** The first messages repeat orders of the minutes before. A connection without a push is dropped after 30 s. */
export const liquidations = {
  swap: liquidationStream({
    url: 'wss://ws.okx.com/ws/v5/public',
    channels: () => [JSON.stringify({ op: 'subscribe', args })],
    keepAlive: { every: 20_000, message: 'ping' },
    silence: 60_000,
    acknowledges: (message) => (eventOf(message) === 'subscribe' ? 1 : 0),
    channelIn: /"instType":"(SWAP|FUTURES)"\},"data"/,
    parse(message, { instruments }) {
      if (message === 'pong') return null;
      const event = eventOf(message);
      if (event === 'error') throw new ShapeError(`OKX error ${text(field(message, 'code'))}`);
      if (event !== '') return null;
      const rows = list(field(message, 'data'), 'data');
      return liquidationsOf(rows, instruments, { id: (row) => text(row.instId), read });
    },
  }),
};

/**
 * Liquidation orders of Binance USD-M and COIN-M, the largest one a symbol and second only.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/All-Market-Liquidation-Order-Streams
 */
import { ShapeError } from '../../failure.ts';
import { field, positive, text, time, type WireRow } from '../../read.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import {
  closedBy,
  type LiquidationReader,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
} from '../liquidations.ts';
import { connection, isAnswer, subscription } from './stream.ts';

/** `o.S` is the side of the order; `ap` is 0 where the average price is not known; `z` counts what was filled. */
function read(order: WireRow, market: Instrument): (Liquidation | null)[] {
  if (order.X !== 'FILLED') return [];
  const side = closedBy(order.S);
  const [limit, average] = [positive(order.p), positive(order.ap)];
  const found =
    side &&
    liquidationOf(market, {
      side,
      price: average || limit,
      price_kind: average > 0 ? 'average' : 'order',
      quantity: positive(order.z),
      timestamp: time(order.T),
    });
  if (!found) return [null];
  if (limit > 0) {
    found.order = {
      price: limit / market.scale,
      average_price: (average || 0) / market.scale,
      type: text(order.o),
      time_in_force: text(order.f),
      status: text(order.X),
    };
  }
  return [found];
}

const reader: LiquidationReader = { id: (row) => text(row.s), read };

/** `!forceOrder@arr` of an address in Binance's form. */
export const forceOrders = (url: string) =>
  liquidationStream({
    ...connection,
    url,
    channels: () => [subscription('!forceOrder@arr')],
    silence: 60_000,
    parse(message, { instruments }) {
      if (isAnswer(message)) return null;
      const event = text(field(message, 'e'));
      if (event === '') throw new ShapeError('e: no text');
      if (event !== 'forceOrder') return null;
      return liquidationsOf([field(message, 'o')], instruments, reader);
    },
  });

/** Market streams of USD-M have a route of their own; without it the connection opens and stays silent. */
export const liquidations = {
  linear: forceOrders('wss://fstream.binance.com/market/ws'),
  inverse: forceOrders('wss://dstream.binance.com/ws'),
};

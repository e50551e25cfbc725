/**
 * Liquidation orders of Binance USD-M and COIN-M, the largest one a symbol and second only.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/All-Market-Liquidation-Order-Streams
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, positive, text, time, type WireRow } from '../../read.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';

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
  const stated = {
    price: limit / market.scale,
    average_price: (average || 0) / market.scale,
    type: text(order.o),
    time_in_force: text(order.f),
    status: text(order.X),
  };
  return [limit > 0 ? { ...found, order: stated } : found];
}

/** An answer to a message of ours. */
const isAnswer = (message: unknown): boolean => isRecord(message) && 'result' in message;

/**
 * `!forceOrder@arr` of an address in Binance's form. A quiet market sends nothing but pings of the protocol: our own
 * question, which is answered, proves that the connection lives. A connection ends after 24 hours.
 */
export const forceOrders = (url: string) =>
  liquidationStream({
    url,
    channels: () => ['{"method":"SUBSCRIBE","params":["!forceOrder@arr"],"id":1}'],
    keepAlive: { every: 60_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
    silence: 150_000,
    lifetime: 86_400_000,
    acknowledges: (message) => (isRecord(message) && message.result === null ? 1 : 0),
    channelIn: /"e":"(forceOrder)"/,
    parse(message, { instruments }) {
      const error = field(message, 'error') ?? field(message, 'msg');
      if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).msg)}`);
      if (isAnswer(message)) return null;
      const event = text(field(message, 'e'));
      if (event === '') throw new ShapeError('e: no text');
      if (event !== 'forceOrder') return null;
      const order = field(message, 'o');
      return liquidationsOf([order], instruments, { id: (row) => text(row.s), read });
    },
  });

/** Market streams of USD-M have a route of their own; without it the connection opens and stays silent. */
export const liquidations = {
  linear: forceOrders('wss://fstream.binance.com/market/ws'),
  inverse: forceOrders('wss://dstream.binance.com/ws'),
};

/**
 * WebSocket market streams in Binance's form, for Binance and the exchanges that copied it.
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 */
import type { Rule } from '../../../indicators/order-book/sequence.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, positive, text, time, type WireRow } from '../../read.ts';
import type { BookStream } from '../../sources/streams/stream.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import {
  closedBy,
  type LiquidationReader,
  liquidationOf,
  liquidationStream,
} from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { markPrices, miniTickers } from './markets.ts';

/** Subscribes to one stream of all markets, such as `!forceOrder@arr`. */
export const subscription = (stream: string): string =>
  JSON.stringify({ method: 'SUBSCRIBE', params: [stream], id: 1 });

/**
 * A quiet market sends nothing but pings of the protocol: our own question, which is answered, proves that the connection
 * lives. A connection ends after 24 hours.
 */
export const connection = {
  keepAlive: { every: 25_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
  lifetime: 86_400_000,
  acknowledges: (message: unknown) => (isRecord(message) && message.result === null ? 1 : 0),
};

/** True for an answer to a message of ours; ShapeError for a refusal. */
export function isAnswer(message: unknown): boolean {
  const error = field(message, 'error') ?? field(message, 'msg');
  if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).msg)}`);
  return isRecord(message) && 'result' in message;
}

/** A stream of all markets of an address. */
const ofAll = (url: string, channel: string): LiveForm => ({
  ...connection,
  url,
  channels: () => [subscription(channel)],
  silence: 30_000,
  read: (message) =>
    !Array.isArray(message) && isAnswer(message) ? null : { rows: bulk(message, 'rows') },
});

/** Each second the markets that have changed. */
export const pricesAt = (url: string) => miniTickers.live(ofAll(url, '!miniTicker@arr'));
/** All markets every second, whether they have changed or not. */
export const marksAt = (url: string) => markPrices.live(ofAll(url, '!markPrice@arr@1s'));

/** `o.S` is the side of the order; `ap` is 0 where the average price is not known; `z` counts what was filled. */
function liquidated(order: WireRow, market: Instrument): (Liquidation | null)[] {
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

const reader: LiquidationReader = { id: (row) => text(row.s), read: liquidated };

/**
 * Liquidation orders of an address, the largest one a symbol and second only.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/All-Market-Liquidation-Order-Streams
 */
export const liquidationsAt = (url: string) =>
  liquidationStream({
    ...connection,
    url,
    channels: () => [subscription('!forceOrder@arr')],
    silence: 60_000,
    rows(message) {
      if (isAnswer(message)) return null;
      const event = text(field(message, 'e'));
      if (event === '') throw new ShapeError('e: no text');
      return event === 'forceOrder' ? [field(message, 'o')] : null;
    },
    reader,
  });

/** Levels a side of a snapshot; the changes that come are those of all levels. */
const depth = 1_000;

/** The properties of a stream in Binance's form, besides the request for the whole book. */
export interface DepthForm {
  url: string;
  /** Spot counts the changes (`U`), futures name the message before (`pu`). */
  rule: Rule;
  /** Milliseconds between two messages of ours: five a second are allowed on spot, ten on futures. */
  pace: number;
}

const bookRequest = (method: string, market: string): string =>
  JSON.stringify({ method, params: [`${market.toLowerCase()}@depth@100ms`], id: 1 });

/** `<symbol>@depth@100ms` of an address in Binance's form. */
export const depthStream = <Request>(
  { url, rule, pace }: DepthForm,
  request: (market: string, limit: number) => Request,
): BookStream<Request> =>
  bookStream({
    url,
    rule,
    pace,
    most: 2 * depth,
    window: false,
    silence: 60_000,
    lifetime: 86_400_000,
    subscribe: ({ market }) => bookRequest('SUBSCRIBE', market),
    unsubscribe: ({ market }) => bookRequest('UNSUBSCRIBE', market),
    acknowledges: (message) => (isRecord(message) && message.result === null ? 1 : 0),
    snapshot: {
      request: (market) => request(market, depth),
      parse(body) {
        const bids = changes(field(body, 'bids'));
        const asks = changes(field(body, 'asks'));
        const last = numberOf(field(body, 'lastUpdateId'), 'lastUpdateId');
        return { bids, asks, last, stated: time(field(body, 'T')), limited: true };
      },
    },
    parse(message) {
      const row = asRow(message);
      if (row.e !== 'depthUpdate') {
        const error = row.error ?? row.msg;
        if (error !== undefined) throw refused(asRow(error).msg);
        return null;
      }
      const first = numberOf(row.U, 'U');
      return {
        updates: [
          {
            kind: 'update',
            market: text(row.s),
            bids: changes(row.b),
            asks: changes(row.a),
            first,
            last: numberOf(row.u, 'u'),
            // Where no message before is named, it ends where this one begins.
            previous: row.pu === undefined ? first - 1 : numberOf(row.pu, 'pu'),
            stated: time(row.T) ?? time(row.E),
          },
        ],
      };
    },
  });

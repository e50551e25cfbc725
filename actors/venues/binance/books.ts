/**
 * Order books of Binance, of spot and USD-M.
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams#how-to-manage-a-local-order-book-correctly
 */
import type { LiveBookOptions } from '../../../indicators/order-book/live-book.ts';
import type { Rule } from '../../../indicators/order-book/sequence.ts';
import { asRow, field, isRecord, text, time } from '../../read.ts';
import type { BookStream } from '../../sources/streams/stream.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { type Ask, get } from './api.ts';
import { futuresBookWeight, spotBookWeight } from './form.ts';

/** Levels a side of a snapshot; the changes that come are those of all levels. */
const depth = 1_000;
const bounds: LiveBookOptions = { most: 2 * depth, window: false };

/** The properties of a stream in Binance's form, besides the request for the whole book. */
export interface DepthForm {
  url: string;
  /** Spot counts the changes (`U`), futures name the message before (`pu`). */
  rule: Rule;
  /** Milliseconds between two messages of ours: five a second are allowed on spot, ten on futures. */
  pace: number;
}

const said = (method: string, market: string): string =>
  JSON.stringify({ method, params: [`${market.toLowerCase()}@depth@100ms`], id: 1 });

/** `<symbol>@depth@100ms` of an address in Binance's form. */
export const depthStream = <Request>(
  { url, rule, pace }: DepthForm,
  request: (market: string, limit: number) => Request,
): BookStream<Request> =>
  bookStream({
    ...{ url, rule, pace, ...bounds },
    silence: 60_000,
    lifetime: 86_400_000,
    subscribe: ({ market }) => said('SUBSCRIBE', market),
    unsubscribe: ({ market }) => said('UNSUBSCRIBE', market),
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

/** Only this host serves market data alone; books of USD-M have a route of their own. */
export const books = {
  spot: depthStream(
    { url: 'wss://data-stream.binance.vision/ws', rule: 'counted', pace: 250 },
    (symbol, limit): Ask => get('spot', '/depth', spotBookWeight(limit), { symbol, limit }),
  ),
  linear: depthStream(
    { url: 'wss://fstream.binance.com/public/ws', rule: 'chained', pace: 150 },
    (symbol, limit): Ask => get('linear', '/depth', futuresBookWeight(limit), { symbol, limit }),
  ),
};

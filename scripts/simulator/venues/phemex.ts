/** Phemex: spot, linear and inverse contracts. Source: the venue's public API documentation. */

import { phemexMarkets } from '../listings/kucoin-woo.ts';
import { channels } from '../live/phemex.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import {
  candleRange,
  integerBook,
  inverseTickerOf,
  linearBook,
  linearTickerOf,
  newestCandles,
  spotTickerOf,
  tickers,
} from './phemex-answers.ts';
import { products } from './phemex-products.ts';

/** Path, what it costs, answer. */
const table: readonly (readonly [path: string, weight: number, answer: Route['answer']])[] = [
  ['/public/products', 1, products],
  ['/v1/md/spot/ticker/24hr/all', 1, tickers('spot')],
  ['/md/v3/ticker/24hr/all', 1, tickers('linear')],
  ['/v1/md/ticker/24hr/all', 1, tickers('inverse')],
  ['/md/spot/ticker/24hr', 1, spotTickerOf],
  ['/v1/md/ticker/24hr', 1, inverseTickerOf],
  ['/md/v2/ticker/24hr', 1, linearTickerOf],
  ['/md/v2/orderbook', 1, linearBook],
  ['/v1/md/orderbook', 1, integerBook],
  ['/exchange/public/md/v2/kline', 10, newestCandles],
  ['/exchange/public/md/v2/kline/last', 10, newestCandles],
  ['/exchange/public/md/v2/kline/list', 10, candleRange],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, weight, answer]) => [
    path,
    { bucket: weight > 1 ? 'candles' : 'address', weight: () => weight, answer },
  ]),
);

/** The simulated venue. */
export const phemex: SimulatedVenue = {
  id: 'phemex',
  hosts: ['api.phemex.com', 'ws.phemex.com'],
  markets: phemexMarkets,
  route: (path) => routes.get(path),
  channels,
  buckets: {
    address: { weight: 5000, per: 300_000 },
    candles: { weight: 100, per: 60_000 },
  },
  refusals: {
    rate_limit: { status: 429, body: { code: 429, msg: 'Too many requests', data: null } },
    ban: { status: 403, body: { code: 34003, msg: 'Access forbidden', data: null } },
    server_error: { status: 503, body: { code: 10500, msg: 'Service unavailable', data: null } },
  },
  /** Every call is acknowledged under its id; a ping with `pong`. */
  reply(frame) {
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('id' in message)) return [];
    const ping = 'method' in message && message.method === 'server.ping';
    return [
      JSON.stringify({
        error: null,
        id: message.id,
        result: ping ? 'pong' : { status: 'success' },
      }),
    ];
  },
};

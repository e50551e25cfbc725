/** Coinbase: Advanced Trade, Exchange and International. Source: the venue's public REST documentation. */

import { coinbaseBooks } from '../books/table.ts';
import { coinbaseMarkets } from '../listings/coinbase-kraken.ts';
import { heartbeats, tickers } from '../live/coinbase.ts';
import { together } from '../live/moving.ts';
import { marketTrades } from '../trades/coinbase.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import { instruments, candles as perpetualCandles } from './coinbase-international.ts';
import { candles, productBook, products, trades } from './coinbase-spot.ts';

const route = (bucket: string, answer: Route['answer']): Route => ({
  bucket,
  weight: () => 1,
  answer,
});

const routes: readonly (readonly [path: RegExp, route: Route])[] = [
  [/^\/api\/v3\/brokerage\/market\/products$/, route('advanced', products)],
  [/^\/api\/v3\/brokerage\/market\/product_book$/, route('advanced', productBook)],
  [/^\/products\/[^/]+\/candles$/, route('exchange', candles)],
  [/^\/products\/[^/]+\/trades$/, route('exchange', trades)],
  [/^\/api\/v1\/instruments$/, route('international', instruments)],
  [/^\/api\/v1\/instruments\/[^/]+\/candles$/, route('international', perpetualCandles)],
];

const limit = { weight: 10, per: 1000 };

/** What each of the three APIs has in a refusal: `error`, `message` and `title`. */
const refusal = (status: number, error: string, message: string) => ({
  status,
  body: { error, error_details: message, message, title: message, status },
});

/** The simulated venue. */
export const coinbase: SimulatedVenue = {
  id: 'coinbase',
  hosts: [
    'api.coinbase.com',
    'api.exchange.coinbase.com',
    'api.international.coinbase.com',
    'advanced-trade-ws.coinbase.com',
  ],
  channels: together(tickers, marketTrades, heartbeats, coinbaseBooks),
  markets: coinbaseMarkets,
  route: (path) => routes.find(([pattern]) => pattern.test(path))?.[1],
  buckets: { advanced: limit, exchange: limit, international: limit },
  refusals: {
    rate_limit: refusal(429, 'rate_limit_exceeded', 'Public rate limit exceeded'),
    ban: refusal(403, 'PERMISSION_DENIED', 'Forbidden'),
    server_error: refusal(503, 'UNAVAILABLE', 'Service is undergoing maintenance'),
  },
};

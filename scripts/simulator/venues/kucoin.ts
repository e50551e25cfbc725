/** KuCoin: spot and futures. Source: the venue's public API documentation. */

import { books, reply } from '../books/kucoin.ts';
import { kucoinMarkets } from '../listings/kucoin-woo.ts';
import { funding, marks, tickers } from '../live/kucoin.ts';
import { together } from '../live/moving.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { fundingHistory, interestHistory } from './kucoin-analytics.ts';
import {
  allTickers,
  contractBook,
  contractCandles,
  contracts,
  spotBook,
  spotCandles,
  symbols,
} from './kucoin-answers.ts';

const time = ({ now }: Ask) => ({ code: '200000', data: now });

/** Path, weight, answer. */
const table: readonly (readonly [path: string, weight: number, answer: Route['answer']])[] = [
  ['/api/v1/timestamp', 3, time],
  ['/api/v2/symbols', 4, symbols],
  ['/api/v1/market/allTickers', 15, allTickers],
  ['/api/v1/market/orderbook/level2_20', 2, spotBook(20)],
  ['/api/v1/market/orderbook/level2_100', 4, spotBook(100)],
  ['/api/v1/market/candles', 3, spotCandles],
  ['/api/v1/contracts/active', 3, contracts],
  ['/api/v1/level2/depth20', 5, contractBook(20)],
  ['/api/v1/level2/depth100', 10, contractBook(100)],
  ['/api/v1/kline/query', 3, contractCandles],
  ['/api/v1/contract/funding-rates', 5, fundingHistory],
  ['/api/ua/v1/market/open-interest', 5, interestHistory],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, weight, answer]) => [path, { bucket: 'public', weight: () => weight, answer }]),
);

const refusal = (status: number, code: string, msg: string) => ({ status, body: { code, msg } });

/** The simulated venue. */
export const kucoin: SimulatedVenue = {
  id: 'kucoin',
  hosts: [
    'api.kucoin.com',
    'api-futures.kucoin.com',
    'x-push-spot.kucoin.com',
    'x-push-futures.kucoin.com',
  ],
  markets: kucoinMarkets,
  route: (path) => routes.get(path),
  buckets: { public: { weight: 2000, per: 30_000 } },
  refusals: {
    rate_limit: refusal(429, '429000', 'Too many requests in a short period of time'),
    ban: refusal(403, '400302', 'The service is not available in your region'),
    server_error: refusal(500, '500000', 'Internal Server Error'),
  },
  reply,
  channels: together(tickers, marks, funding, books),
};

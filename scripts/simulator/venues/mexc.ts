/** MEXC: spot and perpetual contracts. Source: the venue's public API documentation. */

import { books } from '../books/mexc.ts';
import { mexcMarkets } from '../listings/kucoin-woo.ts';
import { channels, fundingChannels, reply } from '../live/mexc.ts';
import { together } from '../live/moving.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import {
  contractBook,
  contractCandles,
  contractTickers,
  detail,
  exchangeInfo,
  fundingRates,
  spotBook,
  spotCandles,
  spotTickers,
} from './mexc-answers.ts';

const time = ({ now }: Ask) => ({ serverTime: now });

/** Path (with a slash at its end: the symbol follows), bucket, weight, answer. */
const table: readonly (readonly [string, string, number, Route['answer']])[] = [
  ['/api/v3/time', 'spot', 1, time],
  ['/api/v3/exchangeInfo', 'spot', 10, exchangeInfo],
  ['/api/v3/ticker/24hr', 'spot', 40, spotTickers],
  ['/api/v3/depth', 'spot', 1, spotBook],
  ['/api/v3/klines', 'spot', 1, spotCandles],
  ['/api/v1/contract/detail', 'detail', 1, detail],
  ['/api/v1/contract/ticker', 'ticker', 1, contractTickers],
  ['/api/v1/contract/funding_rate', 'funding', 1, fundingRates],
  ['/api/v1/contract/depth/', 'depth', 1, contractBook],
  ['/api/v1/contract/kline/', 'kline', 1, contractCandles],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, bucket, weight, answer]) => [path, { bucket, weight: () => weight, answer }]),
);

const refusal = (status: number, code: number, message: string) => ({
  status,
  body: { success: false, code, message },
});

const per2s = { weight: 20, per: 2000 };

/** The simulated venue. */
export const mexc: SimulatedVenue = {
  id: 'mexc',
  hosts: ['api.mexc.com', 'contract.mexc.com'],
  markets: mexcMarkets,
  route: (path) => routes.get(path) ?? routes.get(path.slice(0, path.lastIndexOf('/') + 1)),
  reply,
  channels: together(channels, fundingChannels, books),
  buckets: {
    spot: { weight: 500, per: 10_000 },
    detail: { weight: 1, per: 5000 },
    ...{ ticker: per2s, funding: per2s, depth: per2s, kline: per2s },
  },
  refusals: {
    rate_limit: refusal(429, 510, 'Requests are too frequent, please try again later'),
    ban: refusal(403, 403, 'Access Denied'),
    server_error: refusal(503, 501, 'System busy, try again later'),
  },
};

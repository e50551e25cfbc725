/** Binance: spot, USD-margined and coin-margined futures. Source: the venue's public API documentation. */

import { binanceBooks } from '../books/table.ts';
import { forceOrders, answers as reply } from '../liquidations/binance.ts';
import { binanceMarkets } from '../listings/aster-bybit.ts';
import { markPrices, miniTickers } from '../live/binance.ts';
import { together } from '../live/moving.ts';
import { aggTrades } from '../trades/binance.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import type { Group } from './binance-answers.ts';
import {
  bookTickers,
  depth,
  fundingHistory,
  fundingInfo,
  klines,
  openInterest,
  premiums,
  priceKlines,
  prices,
  publicTrades,
  tickers,
} from './binance-answers.ts';
import { depthWeight, klinesWeight, one, route, steps, type Weight } from './binance-form.ts';
import { interestHistory, ratios, takerRatios, takerVolumes } from './binance-histories.ts';
import { inverseInfo, linearInfo, spotInfo } from './binance-info.ts';

/** Spot: 2 for up to 20 symbols, 40 for up to 100, else 80. */
const spotTickerWeight: Weight = (query) => {
  if (query.has('symbol')) return 2;
  const several = query.get('symbols')?.split(',').length ?? 1000;
  return several <= 20 ? 2 : several <= 100 ? 40 : 80;
};
const spotDepthWeight = steps(100, [
  [100, 5],
  [500, 25],
  [1000, 50],
  [5000, 250],
]);
const contracts = (group: Exclude<Group, 'spot'>): Record<string, Route> => ({
  [`/${group}/v1/ping`]: route(group, 1, () => ({})),
  [`/${group}/v1/time`]: route(group, 1, ({ now }) => ({ serverTime: now })),
  [`/${group}/v1/exchangeInfo`]: route(group, 1, group === 'fapi' ? linearInfo : inverseInfo),
  [`/${group}/v1/ticker/24hr`]: route(group, one(1, 40), tickers(group)),
  [`/${group}/v1/ticker/price`]: route(group, one(1, 2), prices(group)),
  [`/${group}/v1/ticker/bookTicker`]: route(group, one(2, 5), bookTickers(group)),
  [`/${group}/v1/depth`]: route(group, depthWeight, depth(group)),
  [`/${group}/v1/aggTrades`]: route(group, 20, publicTrades(group)),
  [`/${group}/v1/klines`]: route(group, klinesWeight, klines(group)),
  [`/${group}/v1/markPriceKlines`]: route(group, klinesWeight, priceKlines(group, 'mark')),
  [`/${group}/v1/indexPriceKlines`]: route(group, klinesWeight, priceKlines(group, 'index')),
  [`/${group}/v1/premiumIndex`]: route(group, one(1, 10), premiums(group)),
  [`/${group}/v1/openInterest`]: route(group, 1, openInterest(group)),
  [`/${group}/v1/fundingInfo`]: route('funding', 1, fundingInfo(group)),
  [`/${group}/v1/fundingRate`]: route('funding', 1, fundingHistory(group)),
});

const routes: Readonly<Record<string, Route>> = {
  '/api/v3/ping': route('spot', 1, () => ({})),
  '/api/v3/time': route('spot', 1, ({ now }) => ({ serverTime: now })),
  '/api/v3/exchangeInfo': route('spot', 20, spotInfo),
  '/api/v3/ticker/24hr': route('spot', spotTickerWeight, tickers('spot')),
  '/api/v3/ticker/price': route('spot', one(2, 4), prices('spot')),
  '/api/v3/ticker/bookTicker': route('spot', one(2, 4), bookTickers('spot')),
  '/api/v3/depth': route('spot', spotDepthWeight, depth('spot')),
  '/api/v3/klines': route('spot', 2, klines('spot')),
  '/api/v3/aggTrades': route('spot', 4, publicTrades('spot')),
  ...contracts('fapi'),
  '/futures/data/openInterestHist': route('statistics', 1, interestHistory),
  '/futures/data/globalLongShortAccountRatio': route('statistics', 1, ratios('Accounts')),
  '/futures/data/topLongShortAccountRatio': route('statistics', 1, ratios('TopAccounts')),
  '/futures/data/topLongShortPositionRatio': route('statistics', 1, ratios('TopPositions')),
  '/futures/data/takerlongshortRatio': route('statistics', 1, takerRatios),
  '/futures/data/takerBuySellVol': route('statistics', 1, takerVolumes),
  ...contracts('dapi'),
};

const minute = 60_000;
const header = 'x-mbx-used-weight-1m';

/** The simulated venue. */
export const binance: SimulatedVenue = {
  id: 'binance',
  hosts: [
    'api.binance.com',
    'api-gcp.binance.com',
    'api1.binance.com',
    'api2.binance.com',
    'api3.binance.com',
    'api4.binance.com',
    'data-api.binance.vision',
    'fapi.binance.com',
    'dapi.binance.com',
    'stream.binance.com',
    'data-stream.binance.vision',
    'fstream.binance.com',
    'dstream.binance.com',
  ],
  markets: binanceMarkets,
  route: (path) => (Object.hasOwn(routes, path) ? routes[path] : undefined),
  buckets: {
    spot: { weight: 6000, per: minute, header },
    fapi: { weight: 2400, per: minute, header },
    dapi: { weight: 2400, per: minute, header },
    funding: { weight: 500, per: 5 * minute },
    statistics: { weight: 1000, per: 5 * minute },
  },
  refusals: {
    rate_limit: {
      status: 429,
      body: { code: -1003, msg: 'Too many requests; current limit exceeded.' },
    },
    ban: {
      status: 418,
      body: { code: -1003, msg: 'Way too many requests; IP banned until later.' },
    },
    server_error: {
      status: 503,
      body: { code: -1001, msg: 'Internal error; unable to process your request.' },
    },
  },
  reply,
  channels: together(
    forceOrders('binance', { 'fstream.binance.com': 'fapi', 'dstream.binance.com': 'dapi' }),
    miniTickers('binance', {
      'data-stream.binance.vision': 'spot',
      'stream.binance.com': 'spot',
      'fstream.binance.com': 'fapi',
      'dstream.binance.com': 'dapi',
    }),
    markPrices('binance', 'fstream.binance.com', 'fapi'),
    binanceBooks,
    aggTrades,
  ),
};

/** Aster: spot and linear perpetuals. Source: the venue's public API documentation. */

import { asterBooks } from '../books/table.ts';
import { forceOrders, answers as reply } from '../liquidations/binance.ts';
import { asterMarkets } from '../listings/aster-bybit.ts';
import { markPrices, miniTickers } from '../live/binance.ts';
import { together } from '../live/moving.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import type { Group } from './aster-answers.ts';
import {
  bookTickers,
  depth,
  exchangeInfo,
  fundingInfo,
  klines,
  openInterest,
  premiums,
  tickers,
} from './aster-answers.ts';
import { depthWeight, klinesWeight, one, route } from './binance-form.ts';

const limits = { spot: 1200, linear: 2400 } as const;

const both = (group: Group, prefix: string): Record<string, Route> => ({
  [`${prefix}/ping`]: route(group, 1, () => ({})),
  [`${prefix}/time`]: route(group, 1, ({ now }) => ({ serverTime: now })),
  [`${prefix}/exchangeInfo`]: route(group, 1, exchangeInfo(group, limits[group])),
  [`${prefix}/ticker/24hr`]: route(group, one(1, 40), tickers(group)),
  [`${prefix}/ticker/bookTicker`]: route(group, one(1, 2), bookTickers(group)),
  [`${prefix}/depth`]: route(group, depthWeight, depth(group)),
  [`${prefix}/klines`]: route(group, klinesWeight, klines(group)),
});

const routes: Readonly<Record<string, Route>> = {
  ...both('spot', '/api/v3'),
  ...both('linear', '/fapi/v3'),
  '/fapi/v3/premiumIndex': route('linear', 1, premiums),
  '/fapi/v3/fundingInfo': route('linear', 1, fundingInfo),
  '/fapi/v3/openInterest': route('linear', 1, openInterest),
};

const bucket = (group: Group) => ({
  weight: limits[group],
  per: 60_000,
  header: 'x-mbx-used-weight-1m',
});

/** The simulated venue. */
export const aster: SimulatedVenue = {
  id: 'aster',
  hosts: ['fapi.asterdex.com', 'sapi.asterdex.com', 'fstream.asterdex.com', 'sstream.asterdex.com'],
  markets: asterMarkets,
  route: (path) => (Object.hasOwn(routes, path) ? routes[path] : undefined),
  buckets: { spot: bucket('spot'), linear: bucket('linear') },
  refusals: {
    rate_limit: { status: 429, body: { code: -1003, msg: 'Too many requests.' } },
    ban: { status: 418, body: { code: -1003, msg: 'Way too many requests; IP banned.' } },
    server_error: { status: 503, body: { code: -1001, msg: 'Internal error.' } },
  },
  reply,
  channels: together(
    forceOrders('aster', { 'fstream.asterdex.com': 'linear' }),
    asterBooks,
    markPrices('aster', 'fstream.asterdex.com', 'linear'),
    miniTickers('aster', { 'sstream.asterdex.com': 'spot', 'fstream.asterdex.com': 'linear' }),
  ),
};

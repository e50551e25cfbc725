/** BingX: spot, linear and inverse perpetuals. Source: the venue's public API documentation. */

import { books } from '../books/bingx.ts';
import { bingxMarkets } from '../listings/aster-bybit.ts';
import { hosts, tickers as liveTickers, marks, pings, reply } from '../live/bingx.ts';
import { together } from '../live/moving.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import {
  candles,
  depth,
  type Group,
  instruments,
  openInterest,
  premiums,
  tickers,
} from './bingx-answers.ts';

type Row = readonly [path: string, answer: Route['answer']];

const perpetuals = (prefix: string, group: Group): Row[] => [
  [`${prefix}/contracts`, instruments(group)],
  [`${prefix}/ticker`, tickers(group)],
  [`${prefix}/premiumIndex`, premiums(group)],
  [`${prefix}/openInterest`, openInterest(group)],
  [`${prefix}/depth`, depth(group)],
];

const table: readonly Row[] = [
  ['/openApi/spot/v1/common/symbols', instruments('spot')],
  ['/openApi/spot/v1/ticker/24hr', tickers('spot')],
  ['/openApi/spot/v1/market/depth', depth('spot')],
  ['/openApi/spot/v1/market/kline', candles('spot')],
  ['/openApi/spot/v2/market/kline', candles('spot')],
  ...perpetuals('/openApi/swap/v2/quote', 'linear'),
  ['/openApi/swap/v3/quote/klines', candles('linear')],
  ...perpetuals('/openApi/cswap/v1/market', 'inverse'),
  ['/openApi/cswap/v1/market/klines', candles('inverse')],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, answer]) => [path, { bucket: path, weight: () => 1, answer }]),
);

const refusal = (status: number, code: number, msg: string) => ({
  status,
  body: { code, msg, data: {} },
});

/** The simulated venue. */
export const bingx: SimulatedVenue = {
  id: 'bingx',
  hosts: ['open-api.bingx.com', 'open-api.bingx.pro', ...hosts],
  markets: bingxMarkets,
  route: (path) => routes.get(path),
  buckets: Object.fromEntries(table.map(([path]) => [path, { weight: 1, per: 1000 }])),
  refusals: {
    rate_limit: refusal(429, 100410, 'rate limited'),
    ban: refusal(403, 100403, 'forbidden'),
    server_error: refusal(503, 100500, 'The current system is busy, please try again later'),
  },
  reply,
  channels: together(liveTickers, marks, pings, books),
};

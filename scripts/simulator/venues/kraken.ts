/** Kraken: spot and futures. Source: the venue's public REST documentation. */

import { krakenBooks, krakenFuturesBooks } from '../books/table.ts';
import { history, channels as liquidations, reply } from '../liquidations/kraken.ts';
import { krakenMarkets } from '../listings/coinbase-kraken.ts';
import { futuresChannels, heartbeats, spotChannels, reply as spotReply } from '../live/kraken.ts';
import { together } from '../live/moving.ts';
import { spotTrades } from '../trades/kraken.ts';
import type { Route, SimulatedVenue } from '../venue.ts';
import { assetPairs, depth, ohlc, tickers, trades } from './kraken-answers.ts';
import { analytics } from './kraken-charts.ts';
import {
  candles,
  fundings,
  tickers as futuresTickers,
  indexCandles,
  instruments,
  markCandles,
  oneTicker,
  orderBook,
} from './kraken-futures.ts';

const route = (bucket: string, answer: Route['answer']): Route => ({
  bucket,
  weight: () => 1,
  answer,
});

const routes: ReadonlyMap<string, Route> = new Map([
  ['/0/public/AssetPairs', route('spot', assetPairs)],
  ['/0/public/Ticker', route('spot', tickers)],
  ['/0/public/Depth', route('spot', depth)],
  ['/0/public/Trades', route('spot', trades)],
  ['/0/public/OHLC', route('ohlc', ohlc)],
  ['/derivatives/api/v3/instruments', route('futures', instruments)],
  ['/derivatives/api/v3/tickers', route('futures', futuresTickers)],
  ['/derivatives/api/v3/orderbook', route('futures', orderBook)],
  ['/derivatives/api/v3/history', route('futures', history)],
  ['/derivatives/api/v4/historicalfundingrates', route('futures', fundings)],
]);
const oneOf: readonly (readonly [prefix: string, route: Route])[] = [
  ['/derivatives/api/v3/tickers/', route('futures', oneTicker)],
  ['/api/charts/v1/trade/', route('futures', candles)],
  ['/api/charts/v1/mark/', route('futures', markCandles)],
  ['/api/charts/v1/spot/', route('futures', indexCandles)],
  ['/api/charts/v1/analytics/', route('futures', analytics)],
];

/** The simulated venue. */
export const kraken: SimulatedVenue = {
  id: 'kraken',
  hosts: ['api.kraken.com', 'futures.kraken.com', 'ws.kraken.com'],
  markets: krakenMarkets,
  route: (path) => routes.get(path) ?? oneOf.find(([prefix]) => path.startsWith(prefix))?.[1],
  buckets: {
    spot: { weight: 5, per: 5000 },
    ohlc: { weight: 5, per: 5000 },
    futures: { weight: 5, per: 1000 },
  },
  refusals: {
    rate_limit: { status: 429, body: { error: ['EGeneral:Too many requests'] } },
    ban: { status: 403, body: { error: ['EGeneral:Permission denied'] } },
    server_error: { status: 503, body: { error: ['EService:Unavailable'] } },
  },
  reply: (frame) => [...reply(frame), ...spotReply(frame)],
  channels: together(
    liquidations,
    spotChannels,
    spotTrades,
    futuresChannels,
    heartbeats,
    krakenBooks,
    krakenFuturesBooks,
  ),
};

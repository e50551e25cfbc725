/**
 * dYdX v4: linear perpetuals, quoted in USD and settled in USDC, read from its indexer.
 * https://docs.dydx.xyz/indexer-client/http
 */

import { field } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { timeOf, timeText } from '../iso.ts';
import { barOf, bars, bookOf, sizeOf, spelled } from '../levels-and-bars.ts';
import { besidePrices, instrumentRows, listPoll } from '../rows.ts';
import { fundingHistory } from './analytics.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import {
  derivative,
  fromId,
  interest,
  isStopped,
  reader,
  rowsOf,
  tickers,
  trading,
} from './rows.ts';

/** Where a candle has its numbers. */
const candleKeys = { ...spelled, volume: 'baseTokenVolume', turnover: 'usdVolume' };

/** `{errors: [{msg, param?, code?}]}`; of all parameters only the ticker is a client's. */
const faults: Faults = {
  name: 'dYdX',
  when: ({ errors }) => Array.isArray(errors),
  message: ['errors.0.param', 'errors.1.param'],
  patterns: [
    // Order books have 404 for an unknown ticker, candles 400.
    { status: 404, means: 'unknown_instrument' },
    { status: 400, text: /^ticker$/, means: 'unknown_instrument' },
  ],
};

const apis = {
  indexer: {
    hosts: ['https://indexer.dydx.trade'],
    budgets: { default: { weight: 100, per: 10_000 } },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: string, query: Query = {}): Ask => ({
  api: 'indexer',
  path: `/v4/${path}`,
  query,
});

/** Tickers may hold commas and what a client sent. */
const quoted = (market: string) => encodeURIComponent(market.toWellFormed());

const instruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('perpetualMarkets')],
  parse: ([body]) =>
    instrumentRows(rowsOf(body), 'ticker', (row, market) => {
      const named = fromId(market);
      const kind = isStopped(row) ? 'other' : 'perpetual';
      return named && { ...named, kind, contract: 1, inverse: false, funding_hours: 1 };
    }),
};

const prices: MarketPoll<PriceRow, Ask> = listPoll(get('perpetualMarkets'), trading, tickers);

const derivatives: SharedPoll<DerivativeRow> = besidePrices(trading, (received) =>
  reader(derivative(received)),
);

const openInterest: SharedPoll<OpenInterestRow> = besidePrices(trading, reader(interest));

export const dydx = defineVenue({
  id: 'dydx',
  name: 'dYdX',
  kinds: ['perpetual'],
  example: 'BTC-USD',
  apis,
  parts: ['perp'],
  partOf: () => 'perp',
  feeds: {
    instruments: everyHour({ perp: instruments }),
    prices: everyHalfMinute({ perp: prices }),
    derivatives: everyHalfMinute({ perp: derivatives }),
    openInterest: everyHalfMinute({ perp: openInterest }),
  },
  live,
  events: { liquidations },
  books,
  queries: {
    orderBook: {
      // 100 levels a side, whatever is asked for.
      cap: 50,
      most: 100,
      request: ({ market }) => get(`orderbooks/perpetualMarket/${quoted(market)}`),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return bookOf(body, size, null, { price: 'price', quantity: 'size' });
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 12h, 3d, 1w, 1M.
      intervals: {
        '1m': '1MIN',
        '5m': '5MINS',
        '15m': '15MINS',
        '30m': '30MINS',
        '1h': '1HOUR',
        '4h': '4HOURS',
        '1d': '1DAY',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        // The end is exclusive.
        const query: Query = {
          resolution: interval,
          limit,
          ...(before !== undefined && { toISO: timeText(before) }),
        };
        return get(`candles/perpetualMarkets/${quoted(market)}`, query);
      },
      parse: (body, ask) =>
        bars(field(body, 'candles'), sizeOf(ask, false).scale, (row) =>
          barOf(row, timeOf(row.startedAt) ?? NaN, candleKeys),
        ),
    },
    fundingHistory: fundingHistory(get),
  },
});

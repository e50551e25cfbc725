/**
 * dYdX v4: linear perpetuals, quoted in USD and settled in USDC, read from its indexer. https://docs.dydx.xyz/indexer-client/http
 */

import { hour } from '../../../config/time.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import { defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { getter } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { timeOf, timeText } from '../iso.ts';
import { book, candles, spelled } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { everything, isStopped, named, tickers } from './markets.ts';
import { books, liquidations, live } from './streams.ts';

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

const get = getter<Ask>('indexer', '/v4/');

/** Tickers may hold commas and what a client sent. */
const quoted = (market: string) => encodeURIComponent(market.toWellFormed());

const listed = get('perpetualMarkets');

const instruments = listing({
  venue: 'dydx',
  requests: listed,
  rows: everything,
  id: 'ticker',
  read(row, market) {
    const pair = named(market);
    return pair && { ...pair, kind: isStopped(row) ? 'other' : 'perpetual', fundingHours: 1 };
  },
  tick: 'tickSize',
});

const perp = tickers.poll(listed);

/** Most fundings of an answer. */
const page = 1000;

/** Hourly rates; the end is inclusive, and a row is written a little after the full hour. */
const fundingHistory = fundings<Ask>({
  page,
  requests: ({ market }, { range }) => [
    get(`historicalFunding/${quoted(market)}`, {
      limit: page,
      ...(range && { effectiveBeforeOrAt: timeText(range.end + hour - 1) }),
    }),
  ],
  rows: 'historicalFunding',
  at: ({ effectiveAt }) => timeOf(effectiveAt),
  columns: { rate: 'rate' },
  hours: 1,
});

export const dydx = defineVenue({
  id: 'dydx',
  name: 'dYdX',
  kinds: ['perpetual'],
  example: 'BTC-USD',
  apis,
  parts: ['perp'],
  feeds: {
    instruments: everyTenMinutes({ perp: instruments }),
    ...pollsByTopic({}, { perp }),
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
      parse: book({ level: { price: 'price', quantity: 'size' } }),
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
      parse: candles({
        rows: 'candles',
        time: ({ startedAt }) => timeOf(startedAt),
        columns: { ...spelled, base: 'baseTokenVolume', quote: 'usdVolume' },
      }),
    },
    recentTrades: recentTrades<Ask>({
      perp: {
        most: 1000,
        request: ({ market, limit }) => get(`trades/perpetualMarket/${quoted(market)}`, { limit }),
        rows: 'trades',
        columns: {
          ...{ id: 'id', at: (row) => timeOf(row.createdAt), price: 'price', quantity: 'size' },
          bought: takerWord('side'),
        },
        // What one position hands over to another is not traded in the order book.
        keep: ({ type }) => type !== 'DELEVERAGED',
      },
    }),
    fundingHistory,
  },
});

/** WOO X: spot and linear perpetuals, all quoted in USDT. https://docs.woox.io */

import { field, required, time } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyHour,
  hoursBefore,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { barOf, bars, bookOf, sizeOf, spelled } from '../levels-and-bars.ts';
import { live } from './live.ts';
import {
  derivative,
  fundingHours,
  hoursInDay,
  interest,
  isUntraded,
  parseDays,
  parseFutures,
  perpPrice,
  prefixes,
  readInstruments,
  rowsOf,
} from './rows.ts';

/** Where a candle has its numbers. */
const candleKeys = { ...spelled, turnover: 'amount' };

/** `{success: false, message}`, often with a `code`; the gateway's own lack `success` inside a 200. */
const faults: Faults = {
  name: 'WOO X',
  at: 'code',
  when: ({ success, message }) => success !== true && typeof message === 'string',
  codes: {
    [-1000]: 'unavailable',
    [-1003]: 'rate_limited',
    [-1006]: 'unknown_instrument',
    [-1011]: 'unavailable',
  },
  message: 'message',
  patterns: [
    { status: 403, means: 'blocked' },
    // Also inside a 500.
    { text: /symbol/i, means: 'unknown_instrument' },
    { code: /^[5-9]\d\d$/, means: 'unavailable' },
  ],
};

/** Requests a second and address, each path by itself. */
const perSecond: Budget = { weight: 10, per: 1000 };

const apis = {
  rest: {
    hosts: ['https://api.woox.io'],
    budgets: {
      default: perSecond,
      instruments: perSecond,
      futures: perSecond,
      fundingRate: perSecond,
      orderbook: perSecond,
      kline: perSecond,
      klineHistory: perSecond,
    },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: Ask['budget'] & string, query: Query = {}): Ask => ({
  api: 'rest',
  path: `/v3/public/${path}`,
  query,
  budget: path,
});

const spotInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('instruments')],
  parse: ([body]) => readInstruments('spot', body, new Map()),
};

const perpInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('instruments'), { ...get('fundingRate'), optional: true }],
  parse: ([body, rates], context) =>
    readInstruments('perp', body, rates === undefined ? hoursBefore(context) : fundingHours(rates)),
};

const perpPrices: MarketPoll<PriceRow, Ask> = {
  requests: () => [get('futures')],
  parse: parseFutures(perpPrice, isUntraded),
};

const shared = <Row>(parse: MarketPoll<Row>['parse']): SharedPoll<Row> => ({
  bodiesOf: 'prices',
  parse,
});

const spotPrices: MarketPoll<PriceRow, Ask> = {
  rotates: true,
  requests: ({ markets }) =>
    markets.map((market) => ({
      ...get('kline', { symbol: market, type: '1h', limit: hoursInDay }),
      market,
    })),
  parse: parseDays,
};

export const woo = defineVenue({
  id: 'woo',
  name: 'WOO X',
  kinds: ['spot', 'perpetual'],
  example: 'SPOT_BTC_USDT',
  apis,
  parts: ['spot', 'perp'],
  partOf: (market) => (market.startsWith(prefixes.perp) ? 'perp' : 'spot'),
  feeds: {
    instruments: everyHour({ spot: spotInstruments, perp: perpInstruments }),
    prices: everyHalfMinute({ spot: spotPrices, perp: perpPrices }),
    derivatives: everyHalfMinute({ perp: shared(parseFutures(derivative)) }),
    openInterest: everyHalfMinute({ perp: shared(parseFutures(interest)) }),
  },
  live,
  queries: {
    orderBook: {
      cap: 50,
      most: 100,
      // Without `rpi` the orders of retail makers are missing, and with them most of the book.
      request: ({ market, depth }) =>
        get('orderbook', { symbol: market, maxLevel: depth, rpi: 'true' }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const data = field(body, 'data');
        return bookOf(data, size, time(field(body, 'timestamp')), {
          price: 'price',
          quantity: 'quantity',
        });
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 3d.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '4h': '4h',
        '12h': '12h',
        '1d': '1d',
        '1w': '1w',
        '1M': '1mon',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        const query = { symbol: market, type: interval, limit };
        // `klineHistory` lacks the running candle.
        return before === undefined
          ? get('kline', query)
          : get('klineHistory', { ...query, before });
      },
      parse: (body, ask) =>
        bars(rowsOf(body), sizeOf(ask, false).scale, (row) =>
          barOf(row, required(row.startTimestamp), candleKeys),
        ),
    },
  },
});

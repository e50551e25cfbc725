/** KuCoin: spot, and linear and inverse futures in one list. https://www.kucoin.com/docs-new */

import { field, time } from '../../read.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, get, type PartName } from './api.ts';
import { contractCandle, futures, instruments, spot, spotCandles } from './markets.ts';
import { books, live } from './streams.ts';

/** 20 and 100 levels are legal. */
function bookRequest({ part, market, depth }: OrderBookAsk<PartName>): Ask {
  const few = depth <= 20;
  const query = { symbol: market };
  if (part === 'futures') {
    return get(part, `/api/v1/level2/depth${few ? 20 : 100}`, few ? 5 : 10, query);
  }
  return get(part, `/api/v1/market/orderbook/level2_${few ? 20 : 100}`, few ? 2 : 4, query);
}

/** Minutes of an interval, which is what futures call it. */
const minutes: Readonly<Record<string, number>> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '1hour': 60,
  '2hour': 120,
  '4hour': 240,
  '8hour': 480,
  '12hour': 720,
  '1day': 1440,
};

/** Without times the newest rows. Futures give 500, by older documents 200, the first ones of a longer range. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<PartName>): Ask {
  const granularity = minutes[interval] ?? 1;
  if (part === 'futures') {
    const length = Math.min(limit, 200) * granularity * 60_000;
    const range: Query = before === undefined ? {} : { from: before - length, to: before - 1 };
    return get(part, '/api/v1/kline/query', 3, { symbol: market, granularity, ...range });
  }
  const query = { symbol: market, type: interval };
  if (before === undefined) return get(part, '/api/v1/market/candles', 3, query);
  const end = before / 1000;
  const range = { startAt: end - limit * granularity * 60, endAt: end - 1 };
  return get(part, '/api/v1/market/candles', 3, { ...query, ...range });
}

export const kucoin = defineVenue({
  id: 'kucoin',
  name: 'KuCoin',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  parts: ['spot', 'futures'],
  partOf: (market) => (market.includes('-') ? 'spot' : 'futures'),
  feeds: {
    instruments: everyHour(instruments),
    prices: everyHalfMinute({ spot, futures }),
    derivatives: everyHalfMinute({ futures }),
    openInterest: everyHalfMinute({ futures }),
  },
  live,
  books,
  queries: {
    ...histories,
    orderBook: {
      cap: 50,
      most: 100,
      request: bookRequest,
      parse(body, ask) {
        const isFutures = ask.part === 'futures';
        const book = field(body, 'data');
        // Futures state nanoseconds.
        const stated = isFutures ? time(field(book, 'ts'), 1e-6) : time(field(book, 'time'));
        return bookOf(book, sizeOf(ask, isFutures), stated);
      },
    },
    candles: {
      // Those that spot and futures both have; their weeks are built from days, so that they open on Mondays.
      intervals: {
        '1m': '1min',
        '5m': '5min',
        '15m': '15min',
        '30m': '30min',
        '1h': '1hour',
        '2h': '2hour',
        '4h': '4hour',
        '8h': '8hour',
        '12h': '12hour',
        '1d': '1day',
      },
      page: 1500,
      request: candleRequest,
      parse(body, ask) {
        if (ask.part === 'spot') return spotCandles(body, ask);
        const size = sizeOf(ask, true);
        // Newer answers have the turnover at the end, older ones have six columns.
        return bars(field(body, 'data'), size.scale, contractCandle(size), 6);
      },
    },
  },
});

/** KuCoin: spot, and linear and inverse futures in one list. https://www.kucoin.com/docs-new */

import { minute } from '../../../config/time.ts';
import type { CandleAsk, OrderBookAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { book, byPartOf } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { lengthsOf, unitWords } from '../words.ts';
import { histories } from './analytics.ts';
import {
  type Ask,
  apis,
  contractCandles,
  futures,
  get,
  instruments,
  type PartName,
  spot,
  spotCandles,
} from './markets.ts';
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

/** Those that spot and futures both have; their weeks are built from days, so that they open on Mondays. */
const names = ['1m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d'] as const;
const words = unitWords({ m: 'min', h: 'hour', d: 'day' })(...names);
const lengthOf = lengthsOf(words);

/** Without times the newest rows. Futures give 500, by older documents 200, the first ones of a longer range. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<PartName>): Ask {
  const every = lengthOf(interval);
  if (part === 'futures') {
    const length = Math.min(limit, 200) * every;
    const range: Query = before === undefined ? {} : { from: before - length, to: before - 1 };
    // Futures name an interval by its minutes.
    const query = { symbol: market, granularity: every / minute, ...range };
    return get(part, '/api/v1/kline/query', 3, query);
  }
  const query = { symbol: market, type: interval };
  if (before === undefined) return get(part, '/api/v1/market/candles', 3, query);
  const end = before / 1000;
  const range = { startAt: end - (limit * every) / 1000, endAt: end - 1 };
  return get(part, '/api/v1/market/candles', 3, { ...query, ...range });
}

/** The newest hundred, by time in ns; futures count contracts. */
const trades = {
  spot: {
    most: 100,
    request: ({ market }: { market: string }) =>
      get('spot', '/api/v1/market/histories', 3, { symbol: market }),
    rows: 'data',
    columns: {
      ...{ id: 'sequence', at: 'time', unit: 1e-6, price: 'price', quantity: 'size' },
      bought: takerWord('side'),
    },
  },
  futures: {
    most: 100,
    request: ({ market }: { market: string }) =>
      get('futures', '/api/v1/trade/history', 5, { symbol: market }),
    rows: 'data',
    columns: {
      ...{ id: 'tradeId', at: 'ts', unit: 1e-6, price: 'price', quantity: 'size' },
      bought: takerWord('side'),
    },
  },
};

export const kucoin = defineVenue({
  id: 'kucoin',
  name: 'KuCoin',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  parts: ['spot', 'futures'],
  feeds: {
    instruments: everyTenMinutes(instruments),
    ...pollsByTopic({ spot }, { futures }),
  },
  live,
  books,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>(trades),
    orderBook: {
      cap: 50,
      most: 100,
      request: bookRequest,
      // Futures state nanoseconds.
      parse: byPartOf({
        spot: book({ at: 'data', stated: 'data.time' }),
        futures: book({ at: 'data', stated: 'data.ts', unit: 1e-6 }),
      }),
    },
    candles: {
      intervals: words,
      page: 1500,
      ranged: ['spot', 'futures'],
      request: candleRequest,
      parse: byPartOf({ spot: spotCandles, futures: contractCandles }),
    },
  },
});

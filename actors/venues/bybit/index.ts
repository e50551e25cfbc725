/** Bybit: spot, linear (USDT, USDC) and inverse perpetuals. https://bybit-exchange.github.io/docs/v5 */

import { at, time, type WireRow } from '../../read.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyTenMinutes,
  pollsByTopic,
} from '../../sources/venue.ts';
import { bySort } from '../cells.ts';
import { book, candles, inOrder } from '../levels-and-bars.ts';

import { recentTrades, takerWord } from '../trades.ts';
import { minuteWords } from '../words.ts';
import { histories, loans } from './analytics.ts';
import {
  type Ask,
  apis,
  type Category,
  type Contracts,
  contracts,
  get,
  instruments,
  spot,
} from './markets.ts';
import { books, liquidations, live, trades } from './streams.ts';

const tickers = byPart(
  (category: Contracts) => contracts.poll(get('tickers', { category })),
  'linear',
  'inverse',
);

/** Block trades are made beside the order book. */
const tradesOf = (category: Category) => ({
  most: category === 'spot' ? 60 : 1000,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get('recent-trade', { category, symbol: market, limit }),
  rows: 'result.list',
  columns: {
    ...{ id: 'execId', at: 'time', price: 'price', quantity: 'size' },
    bought: takerWord('side'),
  },
  keep: ({ isBlockTrade }: WireRow) => isBlockTrade !== true,
});

export const bybit = defineVenue({
  id: 'bybit',
  name: 'Bybit',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', 'linear', 'inverse')),
    ...pollsByTopic({ spot: spot.poll(get('tickers', { category: 'spot' })) }, tickers),
    futures: everyHalfMinute(tickers),
  },
  events: { liquidations },
  live,
  polls: { loans },
  trades,
  books,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>(byPart(tradesOf, 'spot', 'linear', 'inverse')),
    orderBook: {
      cap: 50,
      most: 1000,
      request: ({ part, market, depth }) =>
        get('orderbook', { category: part, symbol: market, limit: depth }),
      parse: book({
        at: 'result',
        bids: 'b',
        asks: 'a',
        // `cts` is the matching engine's time, `ts` that of the answer.
        stated: (body) => time(at(body, 'result.cts')) ?? at(body, 'result.ts'),
      }),
    },
    candles: {
      // No 8h, no 3d.
      intervals: {
        ...minuteWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h'),
        '1d': 'D',
        '1w': 'W',
        '1M': 'M',
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const query = { category: part, symbol: market, interval, limit };
        return get('kline', before === undefined ? query : { ...query, end: before - 1 });
      },
      // Volume and turnover: base and quote; on inverse contracts USD and base.
      parse: candles({
        rows: 'result.list',
        time: 0,
        columns: { ...inOrder, base: bySort(5, 6), quote: bySort(6, 5) },
        width: 7,
      }),
    },
  },
});

/** OKX: spot and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */

import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyMinute,
  everyTenMinutes,
} from '../../sources/venue.ts';
import { book, byPartOf, candles, inOrder } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { ownWords, unitWords, utcWords } from '../words.ts';
import { histories, loans } from './analytics.ts';
import {
  type Ask,
  apis,
  bookLevel,
  derivatives,
  futures,
  get,
  instruments,
  openInterest,
  tickers,
} from './markets.ts';
import { options } from './options.ts';
import { books, liquidations, live, optionTrades, trades } from './streams.ts';

const tickersOf = (instType: string) =>
  tickers.poll(get('/market/tickers', 'tickers', { instType }));

/** `[time, open, high, low, close, vol, volCcy, volCcyQuote, confirm]`: base, quote; on swaps contracts, base, quote. */
const candlesOf = (base: number, quote: number) =>
  candles({ rows: 'data', time: 0, columns: { ...inOrder, base, quote }, width: 9 });

/** Rows of one taker order at one price; contracts of swaps. */
const newest = {
  most: 500,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get('/market/trades', 'trades', { instId: market, limit }),
  rows: 'data',
  columns: { id: 'tradeId', at: 'ts', price: 'px', quantity: 'sz', bought: takerWord('side') },
};

export const okx = defineVenue({
  id: 'okx',
  name: 'OKX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  parts: ['spot', 'swap'],
  feeds: {
    instruments: everyTenMinutes(instruments),
    prices: everyHalfMinute({ spot: tickersOf('SPOT'), swap: tickersOf('SWAP') }),
    derivatives: everyHalfMinute({ swap: derivatives }),
    openInterest: everyHalfMinute({ swap: openInterest }),
    futures: everyMinute({ swap: futures }),
    options,
  },
  events: { liquidations, optionTrades },
  live,
  polls: { loans },
  trades,
  books,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>(byPart(() => newest, 'spot', 'swap')),
    orderBook: {
      cap: 50,
      most: 400,
      request: ({ market, depth }) => get('/market/books', 'books', { instId: market, sz: depth }),
      parse: book({ at: 'data.0', stated: 'data.0.ts', level: bookLevel }),
    },
    candles: {
      // No 8h. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        ...ownWords('1m', '3m', '5m', '15m', '30m'),
        ...unitWords({ h: 'H' })('1h', '2h', '4h'),
        ...utcWords('6h', '12h', '1d', '3d', '1w', '1M'),
      },
      page: 300,
      request({ market, interval, limit, before }) {
        const query = { instId: market, bar: interval, limit };
        if (before === undefined) return get('/market/candles', 'candles', query);
        // `candles` ends 1440 bars back; the history holds every bar that is closed.
        return get('/market/history-candles', 'history', { ...query, after: before });
      },
      parse: byPartOf({ spot: candlesOf(5, 6), swap: candlesOf(6, 7) }),
    },
  },
});

/** OKX: spot and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */

import { at, required, type WireRow } from '../../read.ts';
import { defineVenue, everyHalfMinute, everyHour } from '../../sources/venue.ts';
import { bars, book, ohlc, sizeOf } from '../levels-and-bars.ts';
import { histories, loans } from './analytics.ts';
import { apis, get } from './api.ts';
import { derivatives, instruments, openInterest, tickers } from './markets.ts';
import { options } from './options.ts';
import { books, liquidations, live } from './streams.ts';

const tickersOf = (instType: string) =>
  tickers.poll(get('/market/tickers', 'tickers', { instType }));

/**
 * `[time, open, high, low, close, vol, volCcy, volCcyQuote, confirm]`: base, quote; on swaps
 * contracts, base, quote.
 */
const spotCandle = (row: WireRow) => ohlc(row, required(row[5]), required(row[6]));
const swapCandle = (row: WireRow) => ohlc(row, required(row[6]), required(row[7]));

/** `[price, quantity, "0", orders]`. */
const bookLevel = { price: 0, quantity: 1, columns: 4 };

export const okx = defineVenue({
  id: 'okx',
  name: 'OKX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  parts: ['spot', 'swap'],
  partOf: (market) => (market.endsWith('-SWAP') ? 'swap' : 'spot'),
  feeds: {
    instruments: everyHour(instruments),
    prices: everyHalfMinute({ spot: tickersOf('SPOT'), swap: tickersOf('SWAP') }),
    derivatives: everyHalfMinute({ swap: derivatives }),
    openInterest: everyHalfMinute({ swap: openInterest }),
    options,
  },
  events: { liquidations },
  live,
  polls: { loans },
  books,
  queries: {
    ...histories,
    orderBook: {
      cap: 50,
      most: 400,
      request: ({ market, depth }) => get('/market/books', 'books', { instId: market, sz: depth }),
      parse: book({
        at: 'data.0',
        stated: 'data.0.ts',
        level: bookLevel,
        inContracts: (part) => part === 'swap',
      }),
    },
    candles: {
      // No 8h. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1H',
        '2h': '2H',
        '4h': '4H',
        '6h': '6Hutc',
        '12h': '12Hutc',
        '1d': '1Dutc',
        '3d': '3Dutc',
        '1w': '1Wutc',
        '1M': '1Mutc',
      },
      page: 300,
      request({ market, interval, limit, before }) {
        const query = { instId: market, bar: interval, limit };
        if (before === undefined) return get('/market/candles', 'candles', query);
        // `candles` ends 1440 bars back; the history holds every bar that is closed.
        return get('/market/history-candles', 'history', { ...query, after: before });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        const candle = ask.part === 'swap' ? swapCandle : spotCandle;
        return bars(at(body, 'data'), scale, candle, 9);
      },
    },
  },
});

/**
 * Aster: spot and linear perpetuals, each an API of its own in the manner of Binance.
 * https://github.com/asterdex/api-docs
 */

import { field, required, time, type WireRow } from '../../read.ts';
import { sameWords } from '../../sources/queries/candles.ts';
import { byPart, defineVenue, everyHalfMinute, everyHour } from '../../sources/venue.ts';
import {
  candleColumns,
  candleQuery,
  candleWeight,
  futuresBookWeight,
  futuresDepth,
} from '../binance/form.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import { apis, get } from './api.ts';
import { derivatives, instruments, openInterest, tickers } from './markets.ts';
import { books, liquidations, live } from './streams.ts';

const candle = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));

export const aster = defineVenue({
  id: 'aster',
  name: 'Aster',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear'],
  // Both write BTCUSDT: the form states no part.
  partOf: () => 'spot',
  feeds: {
    instruments: everyHour(byPart(instruments, 'spot', 'linear')),
    prices: everyHalfMinute(
      byPart((part) => tickers.poll(get(part, '/ticker/24hr', 40)), 'spot', 'linear'),
    ),
    derivatives: everyHalfMinute({ linear: derivatives }),
    openInterest: everyHalfMinute({ linear: openInterest }),
  },
  live,
  books,
  events: { liquidations },
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request: ({ part, market, depth }) =>
        get(part, '/depth', futuresBookWeight(depth), {
          symbol: market,
          limit: futuresDepth(depth),
        }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        // T is when the book was so, E when that was sent.
        return bookOf(body, size, time(field(body, 'T')) ?? time(field(body, 'E')));
      },
    },
    candles: {
      intervals: sameWords,
      page: 1500,
      request: (ask) => get(ask.part, '/klines', candleWeight(ask.limit), candleQuery(ask)),
      parse: (body, ask) => bars(body, sizeOf(ask, false).scale, candle, candleColumns),
    },
  },
});

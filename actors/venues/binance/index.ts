/** Binance: spot, USD-M (linear) and COIN-M (inverse) futures. https://developers.binance.com/docs */

import { day } from '../../../config/time.ts';
import type { Flow } from '../../../indicators/market/candles.ts';
import { field, required, time, type WireRow } from '../../read.ts';
import { type Bar, sameWords } from '../../sources/queries/candles.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyHour,
  everyMinute,
} from '../../sources/venue.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import { histories } from './analytics.ts';
import {
  candleColumns,
  candleQuery,
  candleWeight,
  futuresBookWeight,
  futuresDepth,
  spotBookWeight,
} from './form.ts';
import {
  apis,
  contractInstruments,
  get,
  inverseTickers,
  openInterest,
  premiums,
  quarterlies,
  spotInstruments,
  tickers,
} from './markets.ts';
import { bestQuotes, priceCandles } from './own.ts';
import { books, liquidations, live, trades } from './streams.ts';
import { recentTrades } from './trades.ts';

/** Trades at 8, what takers bought at 9 and 10; null where one of them is unreadable. */
function flowIn(row: WireRow): Flow | null {
  const [trades, base, quote] = [required(row[8]), required(row[9]), required(row[10])];
  return trades >= 0 && base >= 0 && quote >= 0 ? { trades, base, quote } : null;
}

export const binance = defineVenue({
  id: 'binance',
  name: 'Binance',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyHour({
      spot: spotInstruments,
      linear: contractInstruments('linear'),
      inverse: contractInstruments('inverse'),
    }),
    prices: everyHalfMinute({
      // Stopped pairs keep a ticker of zeros; these are left out.
      spot: tickers.poll(get('spot', '/ticker/24hr', 80, { symbolStatus: 'TRADING' })),
      linear: tickers.poll(get('linear', '/ticker/24hr', 40)),
      inverse: inverseTickers.poll(get('inverse', '/ticker/24hr', 40)),
    }),
    derivatives: everyHalfMinute(
      byPart((part) => premiums.poll(get(part, '/premiumIndex', 10)), 'linear', 'inverse'),
    ),
    openInterest: everyHalfMinute(byPart(openInterest, 'linear', 'inverse')),
    futures: everyMinute(byPart(quarterlies, 'linear', 'inverse')),
  },
  live,
  events: { liquidations },
  trades,
  books,
  queries: {
    orderBook: {
      cap: 50,
      // Spot gives 5000, for five times the weight.
      most: 1000,
      request({ part, market, depth }) {
        // Spot accepts any depth.
        const limit = part === 'spot' ? depth : futuresDepth(depth);
        const weight = part === 'spot' ? spotBookWeight(depth) : futuresBookWeight(depth);
        return get(part, '/depth', weight, { symbol: market, limit });
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'inverse');
        // T is when the book was so, E when that was sent; spot gives neither.
        const sequence = required(field(body, 'lastUpdateId'));
        const book = bookOf(body, size, time(field(body, 'T')));
        return sequence > 0 ? { ...book, sequence } : book;
      },
    },
    candles: {
      intervals: sameWords,
      page: 1000,
      span: { inverse: 200 * day },
      // A start alone is one of 200 days on COIN-M.
      forward: ['spot', 'linear'],
      request(ask) {
        const weight = ask.part === 'spot' ? 2 : candleWeight(ask.limit);
        return get(ask.part, '/klines', weight, candleQuery(ask));
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        if (ask.part !== 'inverse') {
          const candle = (row: WireRow): Bar => {
            const bar = ohlc(row, required(row[5]), required(row[7]));
            const flow = flowIn(row);
            return flow === null ? bar : { ...bar, flow };
          };
          return bars(body, scale, candle, candleColumns);
        }
        // COIN-M counts contracts at 5 and base at 7.
        const usd = ask.instrument?.contract;
        const candle = (row: WireRow) =>
          ohlc(row, required(row[7]), usd === undefined ? null : required(row[5]) * usd);
        return bars(body, scale, candle, candleColumns);
      },
    },
    ...histories,
    recentTrades,
    bestQuotes,
    priceCandles,
  },
});

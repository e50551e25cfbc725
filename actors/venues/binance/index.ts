/** Binance: spot, USD-M (linear) and COIN-M (inverse) futures. https://developers.binance.com/docs */

import type { Flow } from '../../../indicators/market/candles.ts';
import { field, required, type WireRow } from '../../read.ts';
import { sameWords } from '../../sources/queries/candles.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyMinute,
  everyTenMinutes,
} from '../../sources/venue.ts';
import { book, byPartOf, candles } from '../levels-and-bars.ts';
import { histories, longestRange } from './analytics.ts';
import {
  candleForm,
  candleQuery,
  candleWeight,
  futuresBookWeight,
  futuresDepth,
  spotBookWeight,
} from './form.ts';
import {
  apis,
  contractInstruments,
  derivatives,
  get,
  inverseTickers,
  openInterest,
  quarterlies,
  spotInstruments,
  tickers,
} from './markets.ts';
import { bestQuotes, priceCandles } from './own.ts';
import { books, liquidations, live, trades } from './streams.ts';
import { recentTrades } from './trades.ts';

/** Trades at 8, what takers bought at 9 and 10; null where one of them is unreadable. */
function flowIn(row: WireRow): { flow: Flow } | null {
  const [trades, base, quote] = [required(row[8]), required(row[9]), required(row[10])];
  return trades >= 0 && base >= 0 && quote >= 0 ? { flow: { trades, base, quote } } : null;
}

const readBook = book({ stated: 'T' });

export const binance = defineVenue({
  id: 'binance',
  name: 'Binance',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes({
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
    derivatives: everyHalfMinute(byPart(derivatives, 'linear', 'inverse')),
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
      // T is when the book was so, E when that was sent; spot gives neither.
      parse(body, ask) {
        const sequence = required(field(body, 'lastUpdateId'));
        return { ...readBook(body, ask), ...(sequence > 0 && { sequence }) };
      },
    },
    candles: {
      intervals: sameWords,
      page: 1000,
      span: { inverse: longestRange },
      // A start alone is one of 200 days on COIN-M.
      forward: ['spot', 'linear'],
      request(ask) {
        const weight = ask.part === 'spot' ? 2 : candleWeight(ask.limit);
        return get(ask.part, '/klines', weight, candleQuery(ask));
      },
      // COIN-M counts contracts at 5 and base at 7.
      parse: byPartOf(
        {
          inverse: candles({
            ...candleForm,
            columns: { ...candleForm.columns, base: 7, contracts: 5 },
          }),
        },
        candles(candleForm, flowIn),
      ),
    },
    ...histories,
    recentTrades,
    bestQuotes,
    priceCandles,
  },
});

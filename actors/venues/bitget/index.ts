/** Bitget: spot and perpetuals of three product types, API v2. https://www.bitget.com/api-doc */

import { positive, required, type WireRow } from '../../read.ts';
import { byPart, defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import { book, byPartOf, candles, inOrder } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { ownWords, unitWords, utcWords } from '../words.ts';
import { histories, loans } from './analytics.ts';
import { type Ask, apis, futures, get, type PartName } from './api.ts';
import { derivatives, instruments, prices } from './markets.ts';
import { books, liquidations, live } from './streams.ts';

const tickers = byPart(prices, ...futures);

/** Futures accept these depths only; spot accepts any up to 150. */
const futuresDepth = (depth: number) => [5, 15, 50].find((legal) => legal >= depth) ?? 'max';

/** Futures write 1m, 1H where spot writes 1min, 1h; both write 6Hutc. */
const spotWord = (interval: string) => interval.replace(/m$/, 'min').replace(/H$/, 'h');

/** `[time, open, high, low, close, base, quote]`; spot has the volume in USDT before the quote. */
const form = { rows: 'data', time: 0, columns: { ...inOrder, base: 5, quote: 6 }, width: 7 };

/**
 * The order of the two is not settled for COIN-FUTURES, but quote is base times price: above a price of 1 it is the
 * larger of them.
 */
const quoteFirst = (row: WireRow) => required(row[5]) > required(row[6]) === positive(row[4]) > 1;
const coinColumns = {
  ...inOrder,
  base: (row: WireRow) => row[quoteFirst(row) ? 6 : 5],
  quote: (row: WireRow) => row[quoteFirst(row) ? 5 : 6],
};

/** In base, of all parts. */
const tradesOf = (part: PartName) => ({
  most: part === 'spot' ? 500 : 100,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get(part, '/market/fills', 'trades', { symbol: market, limit }),
  rows: 'data',
  columns: {
    ...{ id: 'tradeId', at: 'ts', price: 'price', quantity: 'size' },
    bought: takerWord('side'),
  },
});

export const bitget = defineVenue({
  id: 'bitget',
  name: 'Bitget',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'usdt-futures', 'usdc-futures', 'coin-futures'],
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', ...futures)),
    prices: everyHalfMinute({ spot: prices('spot'), ...tickers }),
    derivatives: everyHalfMinute(byPart(derivatives, ...futures)),
    openInterest: everyHalfMinute(tickers),
  },
  events: { liquidations },
  live,
  polls: { loans },
  books,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>(byPart(tradesOf, 'spot', ...futures)),
    orderBook: {
      cap: 50,
      // `max` of futures gives as many as there are.
      most: { spot: 150, 'usdt-futures': 1000, 'usdc-futures': 1000, 'coin-futures': 1000 },
      request({ part, market, depth }) {
        if (part !== 'spot') {
          const query = { symbol: market, precision: 'scale0', limit: futuresDepth(depth) };
          return get(part, '/market/merge-depth', 'books', query);
        }
        const query = { symbol: market, type: 'step0', limit: depth };
        return get(part, '/market/orderbook', 'books', query);
      },
      parse: book({ at: 'data', stated: 'data.ts' }),
    },
    candles: {
      // No 8h anywhere and no 2h on spot. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        ...ownWords('1m', '3m', '5m', '15m', '30m'),
        ...unitWords({ h: 'H' })('1h', '4h'),
        ...utcWords('6h', '12h', '1d', '3d', '1w', '1M'),
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const granularity = part === 'spot' ? spotWord(interval) : interval;
        const query = { symbol: market, granularity };
        if (before === undefined) {
          return get(part, '/market/candles', 'candles', { ...query, limit });
        }
        // `candles` reaches back some months only; the history has 200 rows a page.
        const page = { endTime: before, limit: limit < 200 ? limit : 200 };
        return get(part, '/market/history-candles', 'history', { ...query, ...page });
      },
      parse: byPartOf(
        {
          spot: candles({ ...form, columns: { ...form.columns, quote: 7 }, width: 8 }),
          'coin-futures': candles({ ...form, columns: coinColumns }),
        },
        candles(form),
      ),
    },
  },
});

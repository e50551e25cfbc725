/** Backpack: spot and linear perpetuals, all quoted in USDC, in one list. https://docs.backpack.exchange */

import { ShapeError } from '../../failure.ts';
import { isRecord, list } from '../../read.ts';
import { sameWords } from '../../sources/queries/candles.ts';
import type { CandleAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import { timeOf } from '../iso.ts';
import { book, candles, spelled } from '../levels-and-bars.ts';
import { buyerIsMaker, recentTrades } from '../trades.ts';
import { lengthsOf, type Words } from '../words.ts';
import { type Ask, apis, derivatives, get, instruments, openInterest, prices } from './markets.ts';
import { books, live } from './streams.ts';

/** A bar without trades may have null prices. */
const isTraded = (row: unknown): boolean => !isRecord(row) || row.open !== null;

/** On which day a week opens is not documented: they are built from days. */
const { '1w': _, ...known } = sameWords;
const words: Words = { ...known, '1M': '1month' };
const lengthOf = lengthsOf(words);

export const backpack = defineVenue({
  id: 'backpack',
  name: 'Backpack',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDC',
  apis,
  // The list and the tickers hold both kinds.
  parts: ['all'],
  feeds: {
    instruments: everyTenMinutes({ all: instruments }),
    prices: everyHalfMinute({ all: prices }),
    derivatives: everyHalfMinute({ all: derivatives }),
    openInterest: everyHalfMinute({ all: openInterest }),
  },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, depth }) {
        // Clients ask for 50 levels at most, the samples of whole books for 1000.
        const limit = [5, 10, 20, 50].find((legal) => legal >= depth) ?? 1000;
        return get('/depth', { symbol: market, limit });
      },
      // Bids come with the best one last.
      parse: book({ stated: 'timestamp', unit: 1e-3 }),
    },
    recentTrades: recentTrades<Ask>({
      all: {
        most: 1000,
        request: ({ market, limit }) => get('/trades', { symbol: market, limit }),
        rows: '',
        columns: {
          ...{ id: 'id', at: 'timestamp', price: 'price', quantity: 'quantity' },
          bought: buyerIsMaker('isBuyerMaker'),
        },
      },
    }),
    candles: {
      intervals: words,
      // Of 1000, a library's figure: the bar that runs at `startTime` may come too.
      page: 999,
      ranged: ['all'],
      /**
       * `startTime` is mandatory, in seconds, and no limit is documented: one page is asked for
       * exactly, so that it does not matter which end of a longer range would be cut.
       */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const end = before ?? now;
        if (end === undefined) throw new ShapeError('klines end at a time, and none is known');
        const start = Math.max(0, Math.floor((end - limit * lengthOf(interval)) / 1000));
        const range = { startTime: start, endTime: Math.ceil(end / 1000) - 1 };
        return get('/klines', { symbol: market, interval, ...range }, 'history');
      },
      parse: candles({
        rows: (body) => list(body, 'klines').filter(isTraded),
        time: ({ start }) => timeOf(start),
        columns: { ...spelled, base: 'volume', quote: 'quoteVolume' },
      }),
    },
  },
});

/** Bitfinex: spot and USDT-settled perpetuals, all of them linear and counted in base. https://docs.bitfinex.com/reference */

import { ShapeError } from '../../failure.ts';
import { bulk, required } from '../../read.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import { candles, levels } from '../levels-and-bars.ts';
import { recentTrades, signed } from '../trades.ts';
import { ownWords } from '../words.ts';
import { fundingStats, histories, loans, marginHours, marginSizes } from './analytics.ts';
import { type Ask, apis, get, segment } from './api.ts';
import { contracts, instruments, tickers } from './markets.ts';
import { books, liquidations, live, trades } from './streams.ts';

const status = contracts.poll(get('status', 'status/deriv', { keys: 'ALL' }));

const bookLevel = { price: 0, quantity: 2, columns: 3 };
const amountOf = (row: unknown) => (Array.isArray(row) ? required(row[2]) : NaN);

/** `[time, open, close, high, low, volume in base]`. */
const readCandles = candles({
  rows: '',
  time: 0,
  columns: { open: 1, high: 3, low: 4, close: 2, base: 5 },
  width: 6,
});

export const bitfinex = defineVenue({
  id: 'bitfinex',
  name: 'Bitfinex',
  kinds: ['spot', 'perpetual'],
  example: 'tBTCUSD',
  apis,
  parts: ['all'],
  feeds: {
    instruments: everyTenMinutes({ all: instruments }),
    prices: everyHalfMinute({ all: tickers.poll(get('tickers', 'tickers', { symbols: 'ALL' })) }),
    derivatives: everyHalfMinute({ all: status }),
    openInterest: everyHalfMinute({ all: status }),
  },
  events: { liquidations },
  live,
  polls: { loans, fundingStats, marginHours, marginSizes },
  books,
  trades,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>({
      all: {
        most: 1000,
        request: ({ market, limit }) => get('trades', `trades/${segment(market)}/hist`, { limit }),
        rows: '',
        // `[id, ms, amount, price]`: the amount is below zero where the taker sold.
        columns: {
          ...{ id: 0, at: 1, price: 3, width: 4 },
          ...signed(2),
        },
      },
    }),
    orderBook: {
      cap: 50,
      most: 100,
      request: ({ market, depth }) =>
        get('book', `book/${segment(market)}/P0`, { len: depth <= 25 ? 25 : 100 }),
      /** `[price, orders, amount]` of both sides in one list; asks have negative amounts. No time. */
      parse(body, { instrument: size }) {
        const rows = bulk(body, 'book');
        const below = rows.filter((row) => amountOf(row) > 0);
        const above = rows.filter((row) => amountOf(row) < 0);
        if (below.length + above.length === 0) {
          throw new ShapeError('book: no level is readable');
        }
        const asks = above.map((row) => (Array.isArray(row) ? [row[0], -amountOf(row)] : row));
        return { bids: levels(below, size, bookLevel), asks: levels(asks, size), stated: null };
      },
    },
    candles: {
      // No 2h, 3m, 8h, 3d; 4h and the week are not named alike in all sources, and are built.
      intervals: {
        ...ownWords('1m', '5m', '15m', '30m', '1h', '6h', '12h'),
        '1d': '1D',
        '1M': '1M',
      },
      page: 10_000,
      forward: ['all'],
      request({ market, interval, limit, before, from }) {
        const path = `candles/trade:${interval}:${segment(market)}/hist`;
        const end = before !== undefined && { end: before - 1 };
        return get('candles', path, {
          ...{ limit, ...end },
          ...(from !== undefined && { start: from, sort: 1 }),
        });
      },
      parse: readCandles,
    },
  },
});

/**
 * Bitfinex: spot and USDT-settled perpetuals, all of them linear and counted in base.
 * https://docs.bitfinex.com/reference
 *
 * Rows are arrays of columns. A trading pair is `t` and two currencies, `tBTCUSD` when both have three letters,
 * else `tDOGE:USD`; those of perpetuals end in `F0` (`tBTCF0:USTF0`). UST is its name for USDT.
 */

import { ShapeError } from '../../failure.ts';
import { bulk, required, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import { defineVenue, everyHalfMinute, everyHour, type MarketPoll } from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { barOf, bars, levels, sizeOf } from '../levels-and-bars.ts';
import { by, marketRows } from '../rows.ts';
import { fundingHistory, openInterestHistory } from './analytics.ts';
import { type Ask, apis, get, segment } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { loans } from './loans.ts';
import { fundingStats, marginHours, marginSizes } from './margin.ts';
import {
  derivative,
  interest,
  isFunding,
  readInstruments,
  type StatusRead,
  tickers,
} from './rows.ts';

/** Where a candle has its numbers. */
const candleKeys = { open: 1, high: 3, low: 4, close: 2, volume: 5 };

const configs = [
  'pub:info:pair',
  'pub:info:pair:futures',
  'pub:map:currency:sym',
  'pub:list:pair:securities',
];

const instruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('conf', `conf/${configs.join(',')}`, {})],
  parse: ([body]) => readInstruments(body),
};

const prices: MarketPoll<PriceRow, Ask> = {
  requests: () => [get('tickers', 'tickers', { symbols: 'ALL' })],
  parse([body], { instruments: markets }) {
    const pairs = bulk(body, 'tickers').filter((row) => !isFunding(row));
    return marketRows(bulk(pairs, 'pairs'), markets, tickers);
  },
};

/** Contracts that the list does not hold are long gone: their rows are left out without a count. */
const status = <Row>(read: StatusRead<Row>): MarketPoll<Row, Ask> => ({
  requests: () => [get('status', 'status/deriv', { keys: 'ALL' })],
  parse([body], { instruments: markets }) {
    const gone = (row: unknown) =>
      Array.isArray(row) && typeof row[0] === 'string' && !markets.has(row[0]);
    const rows = bulk(body, 'status').filter((row) => !gone(row));
    return marketRows(rows, markets, { id: by(0), columns: 24, read });
  },
});

const bookLevel = { price: 0, quantity: 2, columns: 3 };
const amountOf = (row: unknown) => (Array.isArray(row) ? required(row[2]) : NaN);

/** `[time, open, close, high, low, volume in base]`. */
const candle = (row: WireRow): Bar => barOf(row, required(row[0]), candleKeys);

export const bitfinex = defineVenue({
  id: 'bitfinex',
  name: 'Bitfinex',
  kinds: ['spot', 'perpetual'],
  example: 'tBTCUSD',
  apis,
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: everyHour({ all: instruments }),
    prices: everyHalfMinute({ all: prices }),
    derivatives: everyHalfMinute({ all: status(derivative) }),
    openInterest: everyHalfMinute({ all: status(interest) }),
  },
  events: { liquidations },
  live,
  polls: { loans, fundingStats, marginHours, marginSizes },
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 100,
      request: ({ market, depth }) =>
        get('book', `book/${segment(market)}/P0`, { len: depth <= 25 ? 25 : 100 }),
      /** `[price, orders, amount]` of both sides in one list; asks have negative amounts. No time. */
      parse(body, ask) {
        const rows = bulk(body, 'book');
        const size = sizeOf({ ...ask, market: ask.market.slice(1) }, false);
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
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '6h': '6h',
        '12h': '12h',
        '1d': '1D',
        '1M': '1M',
      },
      page: 10_000,
      request({ market, interval, limit, before }) {
        const path = `candles/trade:${interval}:${segment(market)}/hist`;
        return get('candles', path, { limit, ...(before !== undefined && { end: before - 1 }) });
      },
      parse(body, ask) {
        const { scale } = sizeOf({ ...ask, market: ask.market.slice(1) }, false);
        return bars(body, scale, candle, 6);
      },
    },
    fundingHistory,
    openInterestHistory,
  },
});

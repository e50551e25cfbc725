/** OKX: spot and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */

import { bulk, field, list, required, time, type WireRow } from '../../read.ts';
import { defineVenue, everyHalfMinute, everyHour, type MarketPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import { instrumentRows, listPoll, marketRows } from '../rows.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { loans } from './loans.ts';
import { options } from './options.ts';
import { derivative, interest, readInstrument, rowsById, tickers } from './rows.ts';

const listOf = (instType: string) => get('/public/instruments', 'instruments', { instType });

const spotInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [listOf('SPOT')],
  parse: ([body]) => instrumentRows(bulk(field(body, 'data'), 'data'), 'instId', readInstrument),
};

/** Dated contracts are listed for the size of their liquidations only, so that swaps are served without them. */
const contractInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [listOf('SWAP'), { ...listOf('FUTURES'), optional: true }],
  parse([swaps, dated]) {
    const rows = bulk(field(swaps, 'data'), 'data');
    const more = dated === undefined ? [] : list(field(dated, 'data'), 'data');
    return instrumentRows([...rows, ...more], 'instId', readInstrument);
  },
};

const prices = (instType: string): MarketPoll<PriceRow, Ask> =>
  listPoll(
    get('/market/tickers', 'tickers', { instType }),
    (body) => bulk(field(body, 'data'), 'data'),
    tickers,
  );

const swaps = { instType: 'SWAP' };
const markPrices = get('/public/mark-price', 'marks', swaps);
/** Rates of every swap; an index has the id of its spot pair, and is asked by its quote. Marks are served without. */
const derivativeRequests: Ask[] = [
  markPrices,
  { ...get('/public/funding-rate', 'funding', { instId: 'ANY' }), optional: true },
  ...['USDT', 'USD', 'USDC'].map((quoteCcy) => ({
    ...get('/market/index-tickers', 'indices', { quoteCcy }),
    optional: true as const,
  })),
];

const derivatives: MarketPoll<DerivativeRow, Ask> = {
  requests: () => derivativeRequests,
  parse: ([marks, funding, ...indices], context) =>
    marketRows(
      bulk(field(marks, 'data'), 'marks'),
      context.instruments,
      derivative(rowsById('funding rates', funding), rowsById('indices', ...indices)),
    ),
};

const openInterest: MarketPoll<OpenInterestRow, Ask> = {
  requests: () => [
    get('/public/open-interest', 'interest', swaps),
    { ...markPrices, optional: true },
  ],
  parse: ([body, marks], context) =>
    marketRows(
      bulk(field(body, 'data'), 'open interest'),
      context.instruments,
      interest(rowsById('marks', marks)),
    ),
};

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
    instruments: everyHour({ spot: spotInstruments, swap: contractInstruments }),
    prices: everyHalfMinute({ spot: prices('SPOT'), swap: prices('SWAP') }),
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
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'swap');
        const [book] = list(field(body, 'data'), 'data');
        return bookOf(book, size, time(field(book, 'ts')), bookLevel);
      },
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
        return bars(field(body, 'data'), scale, candle, 9);
      },
    },
  },
});

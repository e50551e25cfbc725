/** MEXC: spot, and linear and inverse perpetuals in one list. https://www.mexc.com/api-docs */

import { field, required, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/queries/candles.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { bars, book, candles, ohlc, type Size, sizeOf } from '../levels-and-bars.ts';
import { rowsFromColumns } from '../wire.ts';
import { type Ask, apis, getContracts, getSpot } from './api.ts';
import { bookLevel, contracts, derivatives, instruments, spotPrices } from './markets.ts';
import { books, live } from './streams.ts';

function bookRequest({ part, market, depth }: OrderBookAsk<Ask['api']>): Ask {
  const limit = [20, 50].find((size) => size >= depth) ?? 1000;
  if (part === 'spot') return getSpot('/depth', 'depth', 1, { symbol: market, limit });
  return getContracts(`/depth/${encodeURIComponent(market)}`, 'depth', { limit });
}

const readBook = {
  spot: book({ at: '', stated: 'timestamp' }),
  contracts: book({
    at: 'data',
    stated: 'data.timestamp',
    level: bookLevel,
    inContracts: () => true,
  }),
};

/** The word of the contracts for an interval, and its length in seconds; a month at its longest. */
const intervals: Readonly<Record<string, readonly [word: string, seconds: number]>> = {
  '1m': ['Min1', 60],
  '5m': ['Min5', 300],
  '15m': ['Min15', 900],
  '30m': ['Min30', 1800],
  '60m': ['Min60', 3600],
  '4h': ['Hour4', 14_400],
  '1d': ['Day1', 86_400],
  '1M': ['Month1', 2_678_400],
};

/** Documented as 1000; 500 is what spot gives. */
const page = 500;

/** A range of `limit` candles; its answer is never cut, since that would leave out the newest of them. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<Ask['api']>): Ask {
  const [word, seconds] = intervals[interval] ?? ['Min1', 60];
  const length = limit * seconds;
  if (part !== 'spot') {
    const end = before === undefined ? null : before / 1000;
    const range: Query = end === null ? {} : { start: end - length, end: end - 1 };
    const path = `/kline/${encodeURIComponent(market)}`;
    return getContracts(path, 'candles', { interval: word, ...range });
  }
  const range: Query =
    before === undefined
      ? { limit }
      : { startTime: before - length * 1000, endTime: before - 1, limit: page };
  return getSpot('/klines', 'candles', 1, { symbol: market, interval, ...range });
}

/** `[time in ms, open, high, low, close, base, close time, quote]`. */
const readSpotCandles = candles({
  rows: '',
  time: 0,
  columns: { open: 1, high: 2, low: 3, close: 4, volume: 5, turnover: 7 },
  width: 8,
});

/** An answer has a list for each of them: seconds, four prices, contracts, quote. */
const columns = ['time', 'open', 'high', 'low', 'close', 'vol', 'amount'] as const;

/** Base of inverse contracts is not stated: their USD at the mean of the four prices. */
const contractCandle =
  ({ contract, inverse }: Size) =>
  (row: WireRow): Bar => {
    const amount = required(row[5]) * contract;
    const bar = ohlc(row, amount, inverse ? amount : required(row[6]));
    bar.timestamp *= 1000;
    if (inverse) bar.volume = (amount * 4) / (bar.open + bar.high + bar.low + bar.close);
    return bar;
  };

export const mexc = defineVenue({
  id: 'mexc',
  name: 'MEXC',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'contracts'],
  partOf: (market) => (market.includes('_') ? 'contracts' : 'spot'),
  feeds: {
    instruments: everyHour(instruments),
    prices: everyHalfMinute({ spot: spotPrices, contracts }),
    derivatives: everyHalfMinute({ contracts: derivatives }),
    openInterest: everyHalfMinute({ contracts }),
  },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request: bookRequest,
      parse: (body, ask) => readBook[ask.part](body, ask),
    },
    candles: {
      // Contracts alone have 8h. Weeks are built from days, so that they open on Mondays.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '60m',
        '4h': '4h',
        '1d': '1d',
        '1M': '1M',
      },
      page,
      request: candleRequest,
      parse(body, ask) {
        if (ask.part === 'spot') return readSpotCandles(body, ask);
        const size = sizeOf(ask, true);
        return bars(
          rowsFromColumns(field(body, 'data'), columns),
          size.scale,
          contractCandle(size),
        );
      },
    },
  },
});

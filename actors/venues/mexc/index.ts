/** MEXC: spot, and linear and inverse perpetuals in one list. https://www.mexc.com/api-docs */

import { field } from '../../read.ts';
import type { CandleAsk, OrderBookAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { rowsFromColumns } from '../cells.ts';
import { book, byPartOf, candles, inOrder } from '../levels-and-bars.ts';
import { buyerIsMaker, recentTrades } from '../trades.ts';
import { lengthsOf, ownWords, type Words } from '../words.ts';
import {
  type Ask,
  apis,
  bookLevel,
  contracts,
  derivatives,
  getContracts,
  getSpot,
  instruments,
  spotPrices,
} from './markets.ts';
import { books, live } from './streams.ts';

function bookRequest({ part, market, depth }: OrderBookAsk<Ask['api']>): Ask {
  const limit = [20, 50].find((size) => size >= depth) ?? 1000;
  if (part === 'spot') return getSpot('/depth', { symbol: market, limit }, 'depth', 1);
  return getContracts(`/depth/${encodeURIComponent(market)}`, { limit }, 'depth');
}

const readBook = {
  spot: book({ stated: 'timestamp' }),
  contracts: book({ at: 'data', stated: 'data.timestamp', level: bookLevel }),
};

/** Contracts alone have 8h. Weeks are built from days, so that they open on Mondays. */
const words: Words = {
  ...ownWords('1m', '5m', '15m', '30m'),
  '1h': '60m',
  ...ownWords('4h', '1d', '1M'),
};
const lengthOf = lengthsOf(words);

/** The words of the contracts. */
const contractWords: Readonly<Record<string, string>> = {
  '1m': 'Min1',
  '5m': 'Min5',
  '15m': 'Min15',
  '30m': 'Min30',
  '60m': 'Min60',
  '4h': 'Hour4',
  '1d': 'Day1',
  '1M': 'Month1',
};

/** Documented as 1000; 500 is what spot gives. */
const page = 500;

/** A range of `limit` candles; its answer is never cut, since that would leave out the newest of them. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<Ask['api']>): Ask {
  const length = limit * lengthOf(interval);
  if (part !== 'spot') {
    const range: Query =
      before === undefined ? {} : { start: (before - length) / 1000, end: before / 1000 - 1 };
    const path = `/kline/${encodeURIComponent(market)}`;
    return getContracts(path, { interval: contractWords[interval] ?? '', ...range }, 'candles');
  }
  const range: Query =
    before === undefined
      ? { limit }
      : { startTime: before - length, endTime: before - 1, limit: page };
  return getSpot('/klines', { symbol: market, interval, ...range }, 'candles', 1);
}

/** `[time in ms, open, high, low, close, base, close time, quote]`. */
const readSpotCandles = candles({
  rows: '',
  time: 0,
  columns: { ...inOrder, base: 5, quote: 7 },
  width: 8,
});

/** An answer has a list for each of them: seconds, four prices, contracts, quote. */
const columns = ['time', 'open', 'high', 'low', 'close', 'vol', 'amount'] as const;

/** Base of inverse contracts is not stated. */
const readContractCandles = candles({
  rows: (body) => rowsFromColumns(field(body, 'data'), columns),
  time: 0,
  unit: 1000,
  columns: { ...inOrder, contracts: 5, quote: 6 },
});

const takers: ReadonlyMap<unknown, boolean> = new Map([
  [1, true],
  [2, false],
]);

/** Spot states no ids as a rule. Contracts state the side in `T`: 1 is a taker that bought. */
const trades = recentTrades<Ask>({
  spot: {
    most: 1000,
    request: ({ market, limit }) => getSpot('/trades', { symbol: market, limit }, 'trades', 5),
    rows: '',
    columns: {
      ...{ id: 'id', at: 'time', price: 'price', quantity: 'qty' },
      bought: buyerIsMaker('isBuyerMaker'),
    },
  },
  contracts: {
    most: 100,
    request: ({ market, limit }) =>
      getContracts(`/deals/${encodeURIComponent(market)}`, { limit }, 'trades'),
    rows: 'data',
    columns: {
      ...{ id: 'i', at: 't', price: 'p', quantity: 'v' },
      bought: ({ T: side }) => takers.get(side) ?? null,
    },
  },
});

export const mexc = defineVenue({
  id: 'mexc',
  name: 'MEXC',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'contracts'],
  feeds: {
    instruments: everyTenMinutes(instruments),
    prices: everyHalfMinute({ spot: spotPrices, contracts }),
    derivatives: everyHalfMinute({ contracts: derivatives }),
    openInterest: everyHalfMinute({ contracts }),
  },
  live,
  books,
  queries: {
    recentTrades: trades,
    orderBook: {
      cap: 50,
      most: 1000,
      request: bookRequest,
      parse: byPartOf(readBook),
    },
    candles: {
      intervals: words,
      page,
      ranged: ['spot', 'contracts'],
      request: candleRequest,
      parse: byPartOf({ spot: readSpotCandles, contracts: readContractCandles }),
    },
  },
});

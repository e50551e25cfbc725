/**
 * Crypto.com Exchange: spot and USD-settled perpetuals, all of them linear and counted in base.
 * https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html
 */

import { text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { codesOf } from '../apis.ts';
import { book, candles, initials } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { lengthsOf, ownWords } from '../words.ts';
import { kindOf, tickers, valuations, valuationTypes } from './markets.ts';
import { bookLevel, books, live } from './streams.ts';

/** `{ code, message }` with any status; an unknown path has a body without a code. */
const faults: Faults = {
  name: 'Crypto.com',
  at: 'code',
  ok: [0],
  codes: codesOf(
    ['rate_limited', 10006, 42901],
    ['unknown_instrument', 30003],
    ['unavailable', 40801, 50001, 9010001],
  ),
  message: 'message',
  patterns: [{ code: /^40004$/, text: /instrument/, means: 'unknown_instrument' }],
};

const perSecond = (weight: number) => ({ weight, per: 1000 });

const apis = {
  rest: {
    hosts: ['https://api.crypto.com'],
    budgets: {
      // 100 a second, method and address.
      default: perSecond(40),
      instruments: perSecond(10),
      tickers: perSecond(40),
      // One method: less than half of what it allows in all. Each type has its own budget, so that none displaces another.
      funding_rate: perSecond(13),
      mark_price: perSecond(13),
      index_price: perSecond(13),
      book: perSecond(40),
      candlestick: perSecond(40),
      trades: perSecond(40),
    },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

/** Each method has a budget of its own. */
const get = (method: Ask['budget'] & string, query: Query): Ask => ({
  api: 'rest',
  path: `/exchange/v1/public/get-${method}`,
  budget: method,
  query,
});

const instruments = listing({
  venue: 'cryptocom',
  requests: get('instruments', {}),
  rows: 'result.data',
  id: 'symbol',
  read: (row) => ({ kind: kindOf(row), base: text(row.base_ccy), quote: text(row.quote_ccy) }),
  tick: 'price_tick_size',
});

const all = tickers.poll(get('tickers', {}));

/**
 * Asked for a perpetual, `index_price` is that of its index, whose own name need not be known. Each type has a budget of its own.
 */
const aboutPerpetual = (market: string): Ask[] =>
  valuationTypes.map((type) => ({
    api: 'rest',
    path: '/exchange/v1/public/get-valuations',
    budget: type,
    // More than one row makes the newest up to 20 s old.
    query: { instrument_name: market, valuation_type: type, count: 1 },
    market,
  }));

const derivatives = valuations.poll(({ markets }) => markets.flatMap(aboutPerpetual), {
  rotates: true,
  most: 150,
});

/** No 3m, 8h, 3d; 2h is not in all sources and no source documents when a week of `7D` opens: both are built. */
const words = {
  ...ownWords('1m', '5m', '15m', '30m', '1h', '4h', '6h', '12h'),
  '1d': '1D',
  '1M': '1M',
};
const lengthOf = lengthsOf(words);

/** Most bars in one answer. */
const page = 300;

/** Right whether or not the ends belong to the range, which is not documented. */
const range = (interval: string, limit: number, before: number) => ({
  count: page,
  start_ts: Math.max(0, before - limit * lengthOf(interval) - 1),
  end_ts: before - 1,
});

export const cryptocom = defineVenue({
  id: 'cryptocom',
  name: 'Crypto.com',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis,
  parts: ['all'],
  feeds: {
    instruments: everyTenMinutes({ all: instruments }),
    prices: everyHalfMinute({ all }),
    derivatives: everyHalfMinute({ all: derivatives }),
    openInterest: everyHalfMinute({ all }),
  },
  live,
  books,
  queries: {
    recentTrades: recentTrades<Ask>({
      all: {
        most: 150,
        request: ({ market, limit }) => get('trades', { instrument_name: market, count: limit }),
        rows: 'result.data',
        columns: { id: 'd', at: 't', price: 'p', quantity: 'q', bought: takerWord('s') },
      },
    }),
    orderBook: {
      cap: 50,
      most: 150,
      request: ({ market, depth }) => get('book', { instrument_name: market, depth }),
      parse: book({ at: 'result.data.0', stated: 'result.data.0.t', level: bookLevel }),
    },
    candles: {
      intervals: words,
      page,
      ranged: ['all'],
      request({ market, interval, limit, before }) {
        const what = { instrument_name: market, timeframe: interval };
        const which = before === undefined ? { count: limit } : range(interval, limit, before);
        return get('candlestick', { ...what, ...which });
      },
      parse: candles({ rows: 'result.data', time: 't', columns: { ...initials, base: 'v' } }),
    },
  },
});

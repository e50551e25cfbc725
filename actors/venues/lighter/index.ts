/**
 * Lighter: perpetuals and spot in USDC, in one list. A market's id is its number, which every call
 * takes. https://apidocs.lighter.xyz
 */
import { field, text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import { type CandleAsk, defineVenue, everyHalfMinute, everyHour } from '../../sources/venue.ts';
import { intervals, isInterval, type Level } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { candles, initials, levels, type Size, sizeOf } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { details, everything, idOf, kindOf, rates } from './markets.ts';
import { books, liquidations, live } from './streams.ts';

/** `{code, message}` with any status. */
const faults: Faults = {
  name: 'Lighter',
  at: 'code',
  ok: [200],
  codes: {
    // "invalid param": of all parameters only the market is a client's.
    20001: 'unknown_instrument',
    21602: 'unknown_instrument',
    23000: 'rate_limited',
  },
};

const apis = {
  rest: {
    hosts: ['https://mainnet.zklighter.elliot.ai'],
    budgets: { default: { weight: 60, per: 60_000 } },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: string, query: Query = {}): Ask => ({
  api: 'rest',
  path: `/api/v1${path}`,
  query,
});

const list = get('/orderBookDetails', { filter: 'all' });

/** `ETH` is a perpetual in USDC, `ETH/USDC` a spot pair. Quantities are in base everywhere. */
const instruments = listing({
  requests: list,
  rows: everything,
  id: idOf,
  read(row) {
    const name = text(row.symbol);
    const [base = '', quote = 'USDC'] = name.split('/');
    return { kind: kindOf(row), base, quote, name };
  },
});

const tickers = details.poll(list);

const orderForm = { price: 'price', quantity: 'remaining_base_amount' };

/** One row an order: the sums by price. */
function book(rows: unknown, size: Size): Level[] {
  const byPrice = new Map<number, Level>();
  for (const level of levels(rows, size, orderForm)) {
    const known = byPrice.get(level.price);
    if (known) known.quantity += level.quantity;
    else byPrice.set(level.price, level);
  }
  return [...byPrice.values()];
}

const readCandles = candles({ rows: 'c', time: 't', columns: { ...initials, turnover: 'V' } });

const lengthOf = (word: string): number => (isInterval(word) ? intervals[word] : 0);
/** The latest time that the documentation allows. */
const latest = 5_000_000_000_000;

export const lighter = defineVenue({
  id: 'lighter',
  name: 'Lighter',
  kinds: ['spot', 'perpetual'],
  // BTC
  example: 'BTC',
  apis,
  // One list and one ticker request hold both kinds.
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: everyHour({ all: instruments }),
    prices: everyHalfMinute({ all: tickers }),
    derivatives: everyHalfMinute({ all: rates.poll(get('/funding-rates')) }),
    openInterest: everyHalfMinute({ all: tickers }),
  },
  live,
  books,
  events: { liquidations },
  queries: {
    orderBook: {
      cap: 50,
      most: 250,
      /** The most there is: orders, not levels, are counted. */
      request: ({ market }) => get('/orderBookOrders', { market_id: market, limit: 250 }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return {
          bids: book(field(body, 'bids'), size),
          asks: book(field(body, 'asks'), size),
          stated: null,
        };
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 3d, 1M.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '4h': '4h',
        '12h': '12h',
        '1d': '1d',
        '1w': '1w',
      },
      page: 500,
      /** The last `count_back` bars that open before `end_timestamp`, ms. */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const end = before === undefined ? now : before - 1;
        const start = end === undefined ? 0 : Math.max(0, end - limit * lengthOf(interval));
        return get('/candles', {
          market_id: market,
          resolution: interval,
          start_timestamp: start,
          end_timestamp: end ?? latest,
          count_back: limit,
        });
      },
      /** `v` is in base, `V` in quote; without bars `c` is null. */
      parse: (body, ask) => (field(body, 'c') === null ? [] : readCandles(body, ask)),
    },
  },
});

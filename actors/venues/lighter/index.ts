/**
 * Lighter: perpetuals and spot in USDC, in one list. A market's id is its number, which every call
 * takes. https://apidocs.lighter.xyz
 */
import { field, list as rowsOf, text, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { CandleAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Level } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import { codesOf, getter, mayFail } from '../apis.ts';
import type { Size } from '../cells.ts';
import { candles, initials, levels } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { recentTrades } from '../trades.ts';
import { lengthsOf, ownWords } from '../words.ts';
import { described, details, idOf, kindOf, rates } from './markets.ts';
import { books, liquidations, live } from './streams.ts';

/** `{code, message}` with any status. */
const faults: Faults = {
  name: 'Lighter',
  at: 'code',
  ok: [200],
  // "invalid param" (20001): of all parameters only the market is a client's.
  codes: codesOf(['unknown_instrument', 20001, 21602], ['rate_limited', 23000]),
};

const apis = {
  rest: {
    hosts: ['https://mainnet.zklighter.elliot.ai'],
    budgets: { default: { weight: 60, per: 60_000 } },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = getter<Ask>('rest', '/api/v1');

const list = get('/orderBookDetails', { filter: 'all' });

/**
 * `ETH` is a perpetual in USDC, `ETH/USDC` a spot pair. Quantities are in base everywhere. Without the tokens a market is about what it
 * was about before.
 */
const instruments = listing({
  venue: 'lighter',
  requests: () => [list, mayFail(get('/tokenlist'))],
  rows: described,
  id: idOf,
  extra:
    ([, tokens], { instruments: before }) =>
    (market: string) =>
      tokens === undefined ? before.get(market)?.asset_class : undefined,
  read(row, market, classBefore) {
    const name = text(row.symbol);
    const [base = '', quote = 'USDC'] = name.split('/');
    const asset_class = classBefore(market);
    return { kind: kindOf(row), base, quote, name, ...(asset_class && { asset_class }) };
  },
  tick: digitsIn('price_decimals'),
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

/** Volumes of zero are left out: then the price has stood still. */
const unlessStill = (volume: unknown, { h, l }: WireRow) => volume ?? (h === l ? 0 : null);

const readCandles = candles({
  rows: 'c',
  time: 't',
  columns: {
    ...initials,
    base: (row) => unlessStill(row.v, row),
    quote: (row) => unlessStill(row.V, row),
  },
});

/** Null where a market has had no trades. */
function tradesIn(body: unknown): readonly unknown[] {
  const trades = field(body, 'trades');
  return trades === null ? [] : rowsOf(trades, 'trades');
}

/** No 3m, 2h, 6h, 8h, 3d, 1M. On which day a week opens is not documented: they are built from days. */
const words = ownWords('1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d');
const lengthOf = lengthsOf(words);
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
  feeds: {
    instruments: everyTenMinutes({ all: instruments }),
    prices: everyHalfMinute({ all: tickers }),
    derivatives: everyHalfMinute({ all: rates.poll(get('/funding-rates')) }),
    openInterest: everyHalfMinute({ all: tickers }),
  },
  live,
  books,
  events: { liquidations },
  queries: {
    recentTrades: recentTrades<Ask>({
      all: {
        most: 100,
        // Twice what an ordinary call weighs.
        request: ({ market, limit }) =>
          get('/recentTrades', { market_id: market, limit }, undefined, 2),
        rows: tradesIn,
        columns: {
          ...{ id: 'trade_id', at: 'timestamp', price: 'price', quantity: 'size' },
          bought: ({ is_maker_ask: bought }) => (typeof bought === 'boolean' ? bought : null),
        },
        // What deleveraging hands over is not traded in the order book.
        keep: ({ type }) => type === 'trade' || type === 'liquidation',
      },
    }),
    orderBook: {
      cap: 50,
      most: 250,
      /** The most there is: orders, not levels, are counted. */
      request: ({ market }) => get('/orderBookOrders', { market_id: market, limit: 250 }),
      parse(body, { instrument: size }) {
        return {
          bids: book(field(body, 'bids'), size),
          asks: book(field(body, 'asks'), size),
          stated: null,
        };
      },
    },
    candles: {
      intervals: words,
      page: 500,
      ranged: ['all'],
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

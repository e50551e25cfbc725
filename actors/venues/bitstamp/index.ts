/** Bitstamp: spot and linear perpetuals in one list. https://www.bitstamp.net/api */

import { asRow, bulk, isRecord, required, text, type WireRow } from '../../read.ts';
import type { Apis, MarketPoll, RequestOf } from '../../sources/define.ts';
import { defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Instrument } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import { aboutEach, codesOf, getter } from '../apis.ts';
import { book, candles, spelled } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { markets } from '../markets.ts';
import { seconds } from '../tables.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { secondWords } from '../words.ts';
import { books, live, trades } from './streams.ts';

/** The codes for too many requests, whatever the status. */
const tooMany = codesOf(['rate_limited', '400.002', '400.067', '400.068']);

/** `{status: "error", response_code}`; or `{message}` where a path with an unknown market leads nowhere. */
const faults: Faults = [
  {
    name: 'Bitstamp',
    at: ['response_code', 'code'],
    when: ({ status, response_code: code }) =>
      status === 'error' || Object.hasOwn(tooMany, text(code)),
    codes: tooMany,
  },
  {
    name: 'Bitstamp',
    // Order books of unknown markets are answered with a page.
    when: ({ message }, status, body) =>
      status === 404 && (body === undefined || typeof message === 'string'),
    means: 'unknown_instrument',
  },
];

const apis = {
  rest: {
    hosts: ['https://www.bitstamp.net'],
    budgets: { default: { weight: 10_000, per: 600_000 } },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = getter<Ask>('rest', (path) => `/api/v2/${path}/`);

/** Markets are part of paths, in lower case; no other sign may get there. */
const at = (path: string, market: string): string =>
  `${path}/${market.toLowerCase().replace(/[^a-z0-9-]/g, '_')}`;

/** `BTC/USD-PERP` of the replies is `btcusd-perp` in paths and in the list of markets. */
const idOf = ({ market }: WireRow): string => text(market).replace('/', '').toLowerCase();

/** All perpetuals are linear with contracts of one coin; the units of others are not documented. */
function kindOf(row: WireRow): Instrument['kind'] {
  if (row.trading !== 'Enabled') return 'other';
  if (row.market_type === 'SPOT') return 'spot';
  const usual = row.payoff_type === 'Linear' && required(row.contract_size) === 1;
  return row.market_type === 'PERPETUAL' && usual ? 'perpetual' : 'other';
}

const instruments = listing({
  venue: 'bitstamp',
  requests: get('markets'),
  rows: '',
  id: 'market_symbol',
  read: (row) => ({
    kind: kindOf(row),
    base: text(row.base_currency),
    quote: text(row.counter_currency),
  }),
  tick: digitsIn('counter_decimals'),
});

/**
 * No field has the turnover: `vwap` is the mean price of `volume`. `open` is that of the UTC day, `percent_change_24` is rounded.
 */
const prices = markets({
  id: idOf,
  time: seconds('timestamp'),
  price: {
    last: 'last',
    bid: 'bid',
    ask: 'ask',
    high: 'high',
    low: 'low',
    base: 'volume',
    quote: ({ volume, vwap }) => required(volume) * required(vwap),
    open: 'open_24',
    untraded: 'volume',
  },
}).poll(get('ticker'));

const isPerpetual = (row: unknown): row is WireRow =>
  isRecord(row) && row.market_type === 'PERPETUAL';

/** Tickers of the perpetuals, of which there may be none. */
const perpetuals = (body: unknown): WireRow[] => bulk(body, 'tickers').filter(isPerpetual);

/** In base, taken as one side, with its value in dollars. */
const openInterest = markets({
  rows: ([body]) => perpetuals(body),
  id: idOf,
  time: seconds('timestamp'),
  interest: { base: 'open_interest', value: 'open_interest_value', mark: 'mark_price' },
}).poll(get('ticker'));

/** One body for both, so that a spot market that is not listed yet is no fault of the open interest. */
const tickers: MarketPoll<'prices' | 'openInterest', Ask> = {
  requests: prices.requests,
  parse: (bodies, context) => ({
    ...prices.parse(bodies, context),
    ...openInterest.parse(bodies, context),
  }),
};

/** The rate is a running estimate, a fraction per 8 hours, charged at 00, 08 and 16 UTC. Marks are in the tickers. */
const derivatives = markets({
  rows([body, ...rates]) {
    const listed = new Map(perpetuals(body).map((row) => [idOf(row), row]));
    return rates
      .filter((rate) => rate !== undefined)
      .map(asRow)
      .map((rate) => ({ ...rate, ticker: listed.get(idOf(rate)) }));
  },
  id: idOf,
  time: seconds('timestamp'),
  derivative: {
    mark: ({ ticker }) => asRow(ticker).mark_price,
    index: ({ ticker }) => asRow(ticker).index_price,
    rate: 'funding_rate',
    hours: () => 8,
    next: seconds('next_funding_time'),
  },
}).poll(
  (plan) => [
    get('ticker'),
    ...aboutEach(plan.markets, (market) => get(at('funding_rate', market))),
  ],
  { rotates: true },
);

/** No 8h, 1w, 1M. */
const names = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d', '3d'] as const;

export const bitstamp = defineVenue({
  id: 'bitstamp',
  name: 'Bitstamp',
  kinds: ['spot', 'perpetual'],
  example: 'btcusd',
  apis,
  parts: ['markets'],
  feeds: {
    instruments: everyTenMinutes({ markets: instruments }),
    prices: everyHalfMinute({ markets: tickers }),
    derivatives: everyHalfMinute({ markets: derivatives }),
    openInterest: everyHalfMinute({ markets: tickers }),
  },
  live,
  books,
  trades,
  queries: {
    // Those of an hour, whatever is asked. Type 0 is a taker that bought.
    recentTrades: recentTrades<Ask>({
      markets: {
        most: 1000,
        request: ({ market }) => get(at('transactions', market), { time: 'hour' }),
        rows: '',
        columns: {
          ...{ id: 'tid', at: 'date', unit: 1000, price: 'price', quantity: 'amount' },
          bought: takerWord('type', '0', '1'),
        },
      },
    }),
    orderBook: {
      // The whole book, whatever is asked; `group` 1 adds up the orders of a price.
      cap: 50,
      most: 1000,
      request: ({ market }) => get(at('order_book', market), { group: 1 }),
      // When the book changed last.
      parse: book({ stated: 'microtimestamp', unit: 1e-3 }),
    },
    candles: {
      intervals: secondWords(...names),
      page: 1000,
      ranged: ['markets'],
      request({ market, interval, limit, before }) {
        const query = { step: interval, limit };
        if (before === undefined) return get(at('ohlc', market), query);
        // Seconds, both included.
        const end = before / 1000 - 1;
        const start = Math.max(0, end + 1 - limit * required(interval));
        return get(at('ohlc', market), { ...query, start, end });
      },
      parse: candles({
        rows: 'data.ohlc',
        time: 'timestamp',
        unit: 1000,
        columns: { ...spelled, base: 'volume' },
      }),
    },
  },
});

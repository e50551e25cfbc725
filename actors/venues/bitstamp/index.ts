/** Bitstamp: spot and linear perpetuals in one list. https://www.bitstamp.net/api */

import { bulk, field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { barOf, bars, bookOf, sizeOf, spelled } from '../levels-and-bars.ts';
import {
  besidePrices,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  listPoll,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { books } from './books.ts';
import { livePrices } from './live.ts';

/** The codes for too many requests, whatever the status. */
const tooMany = {
  '400.002': 'rate_limited',
  '400.067': 'rate_limited',
  '400.068': 'rate_limited',
} as const;

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

const get = (path: string, query: Query = {}): Ask => ({
  api: 'rest',
  path: `/api/v2/${path}/`,
  query,
});

/** Markets are part of paths, in lower case; no other sign may get there. */
const at = (path: string, market: string): string =>
  `${path}/${market.toLowerCase().replace(/[^a-z0-9-]/g, '_')}`;

/** `BTC/USD-PERP` of the replies is `btcusd-perp` in paths and in the list of markets. */
const idOf = (name: unknown): string => text(name).replace('/', '').toLowerCase();

const fiat: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP']);

/** Metals, indices and currencies have another `asset_class`; markets from before it have none. */
const isCrypto = (row: WireRow): boolean =>
  (text(row.asset_class) || 'CRYPTO') === 'CRYPTO' && !fiat.has(text(row.base_currency));

/** All perpetuals are linear with contracts of one coin; the units of others are not documented. */
function kindOf(row: WireRow): Instrument['kind'] {
  if (row.trading !== 'Enabled' || !isCrypto(row)) return 'other';
  if (row.market_type === 'SPOT') return 'spot';
  const usual = row.payoff_type === 'Linear' && required(row.contract_size) === 1;
  return row.market_type === 'PERPETUAL' && usual ? 'perpetual' : 'other';
}

const instruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('markets')],
  parse: ([body]) =>
    instrumentRows(bulk(body, 'markets'), 'market_symbol', (row, market) =>
      instrument({
        market,
        kind: kindOf(row),
        base: text(row.base_currency),
        quote: text(row.counter_currency),
      }),
    ),
};

const seconds = (value: unknown): number | null => time(value, 1000);

/** No field has the turnover; `volume` is in base and `vwap` its mean price. */
const tickers: Reader<Instrument, PriceRow> = {
  id: (row) => idOf(row.market),
  isUntraded: neverTradedBy('last', 'volume'),
  read(row, market) {
    const last = positive(row.last);
    return priceOf(market, {
      last,
      volume: required(row.volume) * required(row.vwap),
      // `open` is that of the UTC day, `percent_change_24` is rounded.
      change: changeOf(last, positive(row.open_24)),
      stated: seconds(row.timestamp),
      bid: positive(row.bid),
      ask: positive(row.ask),
      high: positive(row.high),
      low: positive(row.low),
      base: required(row.volume),
    });
  },
};

const prices: MarketPoll<PriceRow, Ask> = listPoll(
  get('ticker'),
  (body) => bulk(body, 'tickers'),
  tickers,
);

const isPerpetual = (row: unknown): row is WireRow =>
  isRecord(row) && row.market_type === 'PERPETUAL';

/** Tickers of the perpetuals, of which there may be none. */
const perpetuals = (body: unknown): WireRow[] => bulk(body, 'tickers').filter(isPerpetual);

/** The rate is a running estimate, a fraction per 8 hours, charged at 00, 08 and 16 UTC. */
const derivatives: MarketPoll<DerivativeRow, Ask> = {
  rotates: true,
  requests: ({ markets }) => [
    get('ticker'),
    ...markets.map((market) => ({ ...get(at('funding_rate', market)), market })),
  ],
  parse([body, ...rates], context) {
    const marks = new Map(perpetuals(body).map((row) => [idOf(row.market), row]));
    const answers = rates.filter((rate) => rate !== undefined);
    return marketRows(answers, context.instruments, {
      id: (row) => idOf(row.market),
      read: (row, market) =>
        derivativeOf(market, {
          mark: positive(marks.get(market.market)?.mark_price),
          index: positive(marks.get(market.market)?.index_price),
          rate: required(row.funding_rate),
          hours: 8,
          next: seconds(row.next_funding_time),
          stated: seconds(row.timestamp),
        }),
    });
  },
};

/** In base, taken as one side, with its value in dollars. */
const interests: Reader<Instrument, OpenInterestRow> = {
  id: (row) => idOf(row.market),
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.open_interest),
      value: required(row.open_interest_value),
      mark: positive(row.mark_price),
      stated: seconds(row.timestamp),
    }),
};

const openInterest: SharedPoll<OpenInterestRow> = besidePrices(perpetuals, interests);

export const bitstamp = defineVenue({
  id: 'bitstamp',
  name: 'Bitstamp',
  kinds: ['spot', 'perpetual'],
  example: 'btcusd',
  apis,
  parts: ['markets'],
  partOf: () => 'markets',
  feeds: {
    instruments: everyHour({ markets: instruments }),
    prices: everyHalfMinute({ markets: prices }),
    derivatives: everyHalfMinute({ markets: derivatives }),
    openInterest: everyHalfMinute({ markets: openInterest }),
  },
  live: { prices: livePrices },
  books,
  queries: {
    orderBook: {
      // The whole book, whatever is asked; `group` 1 adds up the orders of a price.
      cap: 50,
      most: 1000,
      request: ({ market }) => get(at('order_book', market), { group: 1 }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        // When the book changed last.
        return bookOf(body, size, time(field(body, 'microtimestamp'), 1e-3));
      },
    },
    candles: {
      // No 8h, 1w, 1M.
      intervals: {
        '1m': '60',
        '3m': '180',
        '5m': '300',
        '15m': '900',
        '30m': '1800',
        '1h': '3600',
        '2h': '7200',
        '4h': '14400',
        '6h': '21600',
        '12h': '43200',
        '1d': '86400',
        '3d': '259200',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        const query = { step: interval, limit };
        if (before === undefined) return get(at('ohlc', market), query);
        // Seconds, both included.
        const end = before / 1000 - 1;
        const start = Math.max(0, end + 1 - limit * required(interval));
        return get(at('ohlc', market), { ...query, start, end });
      },
      parse: (body, ask) =>
        bars(field(field(body, 'data'), 'ohlc'), sizeOf(ask, false).scale, (row) =>
          barOf(row, required(row.timestamp) * 1000, spelled),
        ),
    },
  },
});

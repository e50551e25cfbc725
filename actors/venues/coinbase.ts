/**
 * Coinbase: spot, listed by Advanced Trade and with the candles of Coinbase Exchange (the same books), and the
 * perpetuals of Coinbase International. https://docs.cdp.coinbase.com
 */
import { isRecord, positive, required, text } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import {
  derivatives,
  openInterest,
  perpetualBar,
  perpetualInstruments,
  perpetualPrices,
} from './coinbase-international.ts';
import { timeOf, timeText } from './iso.ts';
import {
  bars,
  bulk,
  by,
  field,
  instrument,
  instrumentRows,
  levels,
  marketRows,
  type Named,
  priceOf,
  type Reader,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import { defineVenue, type MarketAsk, type Part } from './venue.ts';

const words: readonly (readonly [pattern: RegExp, code: FailureCode])[] = [
  [/rate.?limit|resource.exhausted/i, 'rate_limited'],
  [/permission.denied/i, 'blocked'],
  [/not.found/i, 'unknown_instrument'],
  // Of all arguments only the product is a client's.
  [/invalid.argument/i, 'unknown_instrument'],
  [/internal|unavailable/i, 'unavailable'],
];

function codeOf(status: number, word: string): FailureCode {
  if (status === 429) return 'rate_limited';
  const [, code] = words.find(([pattern]) => pattern.test(word)) ?? [];
  if (code) return code;
  if (status === 404) return 'unknown_instrument';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** A refusal has a status of 400 or more and says why at `key`, in a word or in words. */
const api = (name: string, host: string, key: string): Api => ({
  hosts: [host],
  budgets: { default: { weight: 10, per: 1000 } },
  fault(status, body): Failure | null {
    const word = isRecord(body) ? text(body[key]) : '';
    if (status < 400 || word === '') return null;
    return { code: codeOf(status, word), message: `${name} error`, status };
  },
});

type Query = NonNullable<UpstreamRequest['query']>;

const products = '/api/v3/brokerage/market';
const get = (
  api: 'advanced' | 'exchange' | 'international',
  path: string,
  query: Query = {},
): UpstreamRequest => ({ api, path, query });

const listSpot = () => [get('advanced', `${products}/products`, { product_type: 'SPOT' })];
const spotRows = (body: unknown) => bulk(field(body, 'products'), 'products');

const isTraded = (row: WireRow): boolean =>
  row.status === 'online' &&
  row.product_venue === 'CBE' &&
  [row.is_disabled, row.trading_disabled, row.view_only, row.auction_mode].every(
    (flag) => flag !== true,
  );

const spotInstruments: Part<Instrument> = {
  requests: listSpot,
  parse: ([body]) =>
    instrumentRows(spotRows(body), 'product_id', (row, market) =>
      instrument({
        market,
        kind: isTraded(row) ? 'spot' : 'other',
        base: text(row.base_currency_id),
        quote: text(row.quote_currency_id),
        contract: 1,
        inverse: false,
      }),
    ),
};

const spotTickers: Reader<Named, PriceRow> = {
  id: by('product_id'),
  fromId(market) {
    const [base, quote] = market.split('-');
    return base && quote ? { market, kind: 'spot', quote, ...canonical(base) } : null;
  },
  read: (row, market) =>
    priceOf(market, {
      last: positive(row.price),
      volume: required(row.approximate_quote_24h_volume),
      change: required(row.price_percentage_change_24h),
      stated: null,
    }),
};

/**
 * BTC-USDC is a view of the book of BTC-USD and shows its volume: a product that states an `alias` is not
 * counted again.
 */
const isCounted = (row: unknown): boolean =>
  !isRecord(row) || (isTraded(row) && text(row.alias) === '');

const spotPrices: Part<PriceRow> = {
  requests: listSpot,
  parse: ([body], { instruments }) =>
    marketRows(spotRows(body).filter(isCounted), instruments, spotTickers),
};

/** Seconds, as Coinbase Exchange says it, to the word of Coinbase International. */
const granularities: Readonly<Record<string, string>> = {
  60: 'ONE_MINUTE',
  300: 'FIVE_MINUTE',
  900: 'FIFTEEN_MINUTE',
  3600: 'ONE_HOUR',
  21600: 'SIX_HOUR',
  86400: 'ONE_DAY',
};

/** Coinbase International wants a start; without `now` there is none for the newest rows. */
type CandleAsk = MarketAsk & { interval: string; limit: number; before?: number; now?: number };

/** The stretch that ends before `end`; both limits are included. */
const rangeOf = (end: number | undefined, length: number): Query =>
  end === undefined ? {} : { start: timeText(end - length), end: timeText(end - 1000) };

/** `[s, low, high, open, close, base]`. */
const spotBar = (row: WireRow) => ({
  timestamp: required(row[0]) * 1000,
  open: positive(row[3]),
  high: positive(row[2]),
  low: positive(row[1]),
  close: positive(row[4]),
  volume: required(row[5]),
  turnover: null,
});

export const coinbase = defineVenue({
  id: 'coinbase',
  name: 'Coinbase',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USD',
  apis: {
    advanced: api('Coinbase', 'https://api.coinbase.com', 'error'),
    exchange: api('Coinbase Exchange', 'https://api.exchange.coinbase.com', 'message'),
    international: api('Coinbase International', 'https://api.international.coinbase.com', 'title'),
  },
  parts: ['spot', 'perpetual'],
  partOf: (market) => (/-PERP(-INTX)?$/.test(market) ? 'perpetual' : 'spot'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: spotInstruments, perpetual: perpetualInstruments },
    },
    prices: { every: 30_000, parts: { spot: spotPrices, perpetual: perpetualPrices } },
    derivatives: { every: 30_000, parts: { perpetual: derivatives } },
    openInterest: { every: 30_000, parts: { perpetual: openInterest } },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ market, part, depth }) {
        // Advanced Trade has the perpetuals too, as BTC-PERP-INTX.
        const suffix = part === 'spot' || market.endsWith('-INTX') ? '' : '-INTX';
        const query = { product_id: market + suffix, limit: depth };
        return get('advanced', `${products}/product_book`, query);
      },
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const book = field(body, 'pricebook');
        return {
          bids: levels(field(book, 'bids'), size, 'price', 'size'),
          asks: levels(field(book, 'asks'), size, 'price', 'size'),
          stated: timeOf(field(book, 'time')),
        };
      },
    },
    candles: {
      // Those that both have.
      intervals: {
        '1m': '60',
        '5m': '300',
        '15m': '900',
        '1h': '3600',
        '6h': '21600',
        '1d': '86400',
      },
      page: 300,
      request({ market, part, interval, limit, before, now }: CandleAsk) {
        const id = encodeURIComponent(market);
        const length = required(interval) * 1000;
        if (part === 'spot') {
          const range = rangeOf(before, limit * length);
          return get('exchange', `/products/${id}/candles`, { granularity: interval, ...range });
        }
        const newest = now === undefined ? now : (Math.floor(now / length) + 1) * length;
        const range = rangeOf(before ?? newest, limit * length);
        const granularity = granularities[interval] ?? '';
        return get('international', `/api/v1/instruments/${id}/candles`, { granularity, ...range });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        if (ask.part === 'spot') return bars(body, scale, spotBar);
        return bars(field(body, 'aggregations'), scale, perpetualBar);
      },
    },
  },
});

/**
 * Coinbase: spot, listed by Advanced Trade and with the candles of Coinbase Exchange (the same books), and the
 * perpetuals of Coinbase International. https://docs.cdp.coinbase.com
 */

import { bulk, field, isRecord, positive, required, text, type WireRow } from '../../read.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
} from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { timeOf, timeText } from '../iso.ts';
import { barOf, bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import {
  by,
  instrument,
  instrumentRows,
  marketRows,
  type Named,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical, pairOf } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';
import { type Ask, apis } from './api.ts';
import { books } from './books.ts';
import {
  derivatives,
  openInterest,
  perpetualBar,
  perpetualInstruments,
  perpetualPrices,
} from './international.ts';
import { livePrices } from './live.ts';

/** Where a candle has its numbers. */
const candleKeys = { open: 3, high: 2, low: 1, close: 4, volume: 5 };

const products = '/api/v3/brokerage/market';
const get = (api: Ask['api'], path: string, query: Query = {}): Ask => ({ api, path, query });

const listSpot = () => [get('advanced', `${products}/products`, { product_type: 'SPOT' })];
const spotRows = (body: unknown) => bulk(field(body, 'products'), 'products');

const isTraded = (row: WireRow): boolean =>
  row.status === 'online' &&
  row.product_venue === 'CBE' &&
  [row.is_disabled, row.trading_disabled, row.view_only, row.auction_mode].every(
    (flag) => flag !== true,
  );

const spotInstruments: MarketPoll<Instrument, Ask> = {
  requests: listSpot,
  parse: ([body]) =>
    instrumentRows(spotRows(body), 'product_id', (row, market) =>
      instrument({
        market,
        kind: isTraded(row) ? 'spot' : 'other',
        base: text(row.base_currency_id),
        quote: text(row.quote_currency_id),
      }),
    ),
};

const spotTickers: Reader<Named, PriceRow> = {
  id: by('product_id'),
  fromId(market) {
    const pair = pairOf(market, '-');
    return pair && { market, kind: 'spot', quote: pair.quote, ...canonical(pair.base) };
  },
  isUntraded: neverTradedBy('price', 'volume_24h'),
  read: (row, market) =>
    priceOf(market, {
      last: positive(row.price),
      volume: required(row.approximate_quote_24h_volume),
      change: required(row.price_percentage_change_24h),
      stated: null,
      bid: positive(row.best_bid_price),
      ask: positive(row.best_ask_price),
      base: required(row.volume_24h),
    }),
};

/**
 * BTC-USDC is a view of the book of BTC-USD and shows its volume: a product that states an `alias` is not
 * counted again.
 */
const isCounted = (row: unknown): boolean =>
  !isRecord(row) || (isTraded(row) && text(row.alias) === '');

const spotPrices: MarketPoll<PriceRow, Ask> = {
  requests: listSpot,
  parse: ([body], { instruments }) =>
    marketRows(spotRows(body).filter(isCounted), instruments, spotTickers),
};

/** Seconds, the word of Coinbase Exchange, to the word of Coinbase International. */
const granularities: Readonly<Record<string, string>> = {
  60: 'ONE_MINUTE',
  300: 'FIVE_MINUTE',
  900: 'FIFTEEN_MINUTE',
  3600: 'ONE_HOUR',
  21600: 'SIX_HOUR',
  86400: 'ONE_DAY',
};

/** The stretch that ends before `end`; both limits are included. */
const rangeOf = (end: number | undefined, length: number): Query =>
  end === undefined ? {} : { start: timeText(end - length), end: timeText(end - 1000) };

/** `[s, low, high, open, close, base]`. */
const spotBar = (row: WireRow) => barOf(row, required(row[0]) * 1000, candleKeys);

export const coinbase = defineVenue({
  id: 'coinbase',
  name: 'Coinbase',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USD',
  apis,
  parts: ['spot', 'perpetual'],
  partOf: (market) => (/-PERP(-INTX)?$/.test(market) ? 'perpetual' : 'spot'),
  feeds: {
    instruments: everyHour({ spot: spotInstruments, perpetual: perpetualInstruments }),
    prices: everyHalfMinute({ spot: spotPrices, perpetual: perpetualPrices }),
    derivatives: everyHalfMinute({ perpetual: derivatives }),
    openInterest: everyHalfMinute({ perpetual: openInterest }),
  },
  live: { prices: livePrices },
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, part, depth }) {
        // Advanced Trade has the perpetuals too, as BTC-PERP-INTX.
        const suffix = part === 'spot' || market.endsWith('-INTX') ? '' : '-INTX';
        const query = { product_id: market + suffix, limit: depth };
        return get('advanced', `${products}/product_book`, query);
      },
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const book = field(body, 'pricebook');
        return bookOf(book, size, timeOf(field(book, 'time')), {
          price: 'price',
          quantity: 'size',
        });
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
        if (ask.part === 'spot') return bars(body, scale, spotBar, 6);
        return bars(field(body, 'aggregations'), scale, perpetualBar);
      },
    },
  },
});

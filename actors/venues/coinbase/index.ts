/**
 * Coinbase: spot, listed by Advanced Trade and with the candles of Coinbase Exchange (the same books), and the
 * perpetuals of Coinbase International. https://docs.cdp.coinbase.com
 */

import { at, required, text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { CandleAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { timeOf, timeText } from '../iso.ts';
import { book, byPartOf, candles, spelled } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { secondWords } from '../words.ts';
import { perpetualInstruments, perpetualTickers, spotInstruments, spotTickers } from './markets.ts';
import { books, live, trades } from './streams.ts';

/** A refusal has a status of 400 or more and its reason at `key`, in a word or in words. */
const api = (name: string, host: string, key: string) =>
  ({
    hosts: [host],
    budgets: { default: { weight: 10, per: 1000 } },
    faults: {
      name,
      when: ({ [key]: words }, status) => status >= 400 && text(words) !== '',
      message: key,
      patterns: [
        { text: /rate.?limit|resource.exhausted/i, means: 'rate_limited' },
        { text: /permission.denied/i, means: 'blocked' },
        { text: /not.found/i, means: 'unknown_instrument' },
        // Of all arguments only the product is a client's.
        { text: /invalid.argument/i, means: 'unknown_instrument' },
        { text: /internal|unavailable/i, means: 'unavailable' },
        { status: 404, means: 'unknown_instrument' },
      ],
    },
  }) satisfies Api;

const apis = {
  advanced: api('Coinbase', 'https://api.coinbase.com', 'error'),
  exchange: api('Coinbase Exchange', 'https://api.exchange.coinbase.com', 'message'),
  international: api('Coinbase International', 'https://api.international.coinbase.com', 'title'),
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (api: Ask['api'], path: string, query: Query): Ask => ({ api, path, query });

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
const spotCandles = candles({
  rows: '',
  time: 0,
  unit: 1000,
  columns: { open: 3, high: 2, low: 1, close: 4, base: 5 },
  width: 6,
});

/** A candle of `aggregations`: its open time is text, its volume base. */
const perpetualCandles = candles({
  rows: 'aggregations',
  time: ({ start }) => timeOf(start),
  columns: { ...spelled, base: 'volume' },
});

export const coinbase = defineVenue({
  id: 'coinbase',
  name: 'Coinbase',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USD',
  apis,
  parts: ['spot', 'perpetual'],
  feeds: {
    instruments: everyTenMinutes({ spot: spotInstruments, perpetual: perpetualInstruments }),
    ...pollsByTopic({ spot: spotTickers }, { perpetual: perpetualTickers }),
  },
  live,
  books,
  trades,
  queries: {
    // Coinbase Exchange states the side of the maker. Perpetuals have no trades without a key.
    recentTrades: recentTrades<Ask>({
      spot: {
        most: 1000,
        request: ({ market, limit }) =>
          get('exchange', `/products/${encodeURIComponent(market)}/trades`, { limit }),
        rows: '',
        columns: {
          ...{ id: 'trade_id', at: (row) => timeOf(row.time), price: 'price', quantity: 'size' },
          // That of the maker.
          bought: takerWord('side', 'sell', 'buy'),
        },
      },
    }),
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, part, depth }) {
        // Advanced Trade has the perpetuals too, as BTC-PERP-INTX.
        const suffix = part === 'spot' || market.endsWith('-INTX') ? '' : '-INTX';
        const query = { product_id: market + suffix, limit: depth };
        return get('advanced', '/api/v3/brokerage/market/product_book', query);
      },
      parse: book({
        at: 'pricebook',
        stated: (body) => timeOf(at(body, 'pricebook.time')),
        level: { price: 'price', quantity: 'size' },
      }),
    },
    candles: {
      // Those that both have.
      intervals: secondWords('1m', '5m', '15m', '1h', '6h', '1d'),
      page: 300,
      ranged: ['spot', 'perpetual'],
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
      parse: byPartOf({ spot: spotCandles, perpetual: perpetualCandles }),
    },
  },
});

/** WhiteBIT: spot and linear perpetuals (`futures`, in USDT). https://docs.whitebit.com */

import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import { type Bar, sameWords } from '../../sources/candles.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import {
  type DerivativeRow,
  type Instrument,
  intervals,
  isInterval,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { barOf, bars, levels, type Size, sizeOf } from '../levels-and-bars.ts';
import {
  besidePrices,
  by,
  derivativeOf,
  instrument,
  instrumentRows,
  listPoll,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical, pairOf } from '../symbols.ts';
import { neverTraded, neverTradedBy } from '../wire.ts';
import { books } from './books.ts';
import { live } from './live.ts';

/** Where a candle has its numbers. */
const candleKeys = { open: 1, high: 3, low: 4, close: 2, volume: 5, turnover: 6 };

/** `{market: ["Market is not available."]}`, by itself or below `message` (v1) or `errors` (v4). */
const isAboutMarket = (value: unknown): boolean => isRecord(value) && Array.isArray(value.market);

/** Limits and maintenance are answered without JSON. */
const faults: Faults = [
  {
    name: 'WhiteBIT',
    when: (body) => [body, body.message, body.errors].some(isAboutMarket),
    means: 'unknown_instrument',
  },
  {
    name: 'WhiteBIT',
    when: ({ success, message }, status) =>
      success === false || (status >= 400 && typeof message === 'string'),
  },
];

/** Requests per 10 s and address. */
const per10s = (weight: number): Budget => ({ weight, per: 10_000 });

const apis = {
  rest: {
    hosts: ['https://whitebit.com'],
    budgets: { default: per10s(2000), books: per10s(600) },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: string, query: Query = {}, budget: Ask['budget'] = 'default'): Ask => ({
  api: 'rest',
  path,
  query,
  budget,
});

/** `BTC_USDT`, `BTC_PERP`; perpetuals settle in USDT. */
function fromId(market: string): Named | null {
  const pair = pairOf(market, '_');
  if (pair === null) return null;
  const { base, quote } = pair;
  const perpetual = quote === 'PERP';
  return {
    ...{ market, kind: perpetual ? 'perpetual' : 'spot', quote: perpetual ? 'USDT' : quote },
    ...canonical(base),
  };
}

/** `tradfiFutures` are shares, metals and currencies. */
function kindOf(row: WireRow, market: string): Instrument['kind'] {
  if (row.tradesEnabled !== true) return 'other';
  if (row.type === 'futures') return market.endsWith('_PERP') ? 'perpetual' : 'other';
  return row.type === 'spot' ? 'spot' : 'other';
}

/** Quantities are in base everywhere. */
const readInstrument = (row: WireRow, market: string): Instrument | null =>
  instrument({
    market,
    kind: kindOf(row, market),
    base: text(row.stock),
    quote: row.money === 'PERP' ? 'USDT' : text(row.money),
  });

const isSpot = (row: unknown): boolean => isRecord(row) && row.type === 'spot';

/** One list holds both; unreadable rows go with the futures. */
const instruments = (spot: boolean): MarketPoll<Instrument, Ask> => ({
  requests: () => [get('/api/v4/public/markets')],
  parse([body]) {
    const rows = bulk(body, 'markets').filter((row) => isSpot(row) === spot);
    return instrumentRows(bulk(rows, 'markets of the part'), 'name', readInstrument);
  },
});

/**
 * A map from id to ticker, as pairs; without perpetuals, which it lists too, and frozen markets.
 */
function spotRows(body: unknown): readonly unknown[] {
  const tickers = isRecord(body) ? body : {};
  const pairs: [id: string, row: unknown][] = [];
  let known = false;
  for (const id of Object.keys(tickers)) {
    const row = tickers[id];
    const readable = isRecord(row);
    known ||= readable && 'last_price' in row;
    if (id.endsWith('_PERP') || (readable && row.isFrozen === true)) continue;
    pairs.push([id, row]);
  }
  if (!known) throw new ShapeError('tickers: no ticker in it');
  return pairs;
}

/** `quote_volume` is in quote, `change` in percent. */
const spotTickers: Reader<Named, PriceRow> = {
  id: by(0),
  fromId,
  isUntraded: ({ 1: row }) => isRecord(row) && neverTraded(row.last_price, row.base_volume),
  read({ 1: row }, market) {
    if (!isRecord(row)) return null;
    const volume = required(row.quote_volume);
    const [last, change] = [positive(row.last_price), required(row.change)];
    const base = required(row.base_volume);
    return priceOf(market, { last, volume, change, stated: null, base });
  },
};

/** `money_volume` is in quote; there is neither a change nor an open. */
const futuresTickers: Reader<Named, PriceRow> = {
  id: by('ticker_id'),
  fromId,
  isUntraded: neverTradedBy('last_price', 'stock_volume'),
  read(row, market) {
    const volume = required(row.money_volume);
    const change = required(null);
    return priceOf(market, {
      ...{ last: positive(row.last_price), volume, change, stated: null },
      ...{ bid: positive(row.bid), ask: positive(row.ask) },
      ...{ high: positive(row.high), low: positive(row.low), base: required(row.stock_volume) },
    });
  },
};

/**
 * The rate predicted for the next settlement, a fraction per interval. An unknown mark is '', an
 * unknown index 0.
 */
const futuresFunding: Reader<Named, DerivativeRow> = {
  id: by('ticker_id'),
  fromId,
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.mark_price),
      index: positive(row.index_price),
      rate: required(row.funding_rate),
      hours: positive(row.funding_interval_minutes) / 60,
      next: time(row.next_funding_rate_timestamp),
      stated: null,
    }),
};

/** `open_interest` is in base; WhiteBIT does not document how it counts; one side is assumed. */
const futuresInterest: Reader<Named, OpenInterestRow> = {
  id: by('ticker_id'),
  fromId,
  read(row, market) {
    const mark = positive(row.mark_price);
    return openInterestOf(market, {
      base: required(row.open_interest),
      value: required(null),
      mark: mark > 0 ? mark : positive(row.last_price),
      stated: null,
    });
  },
};

const futures = <Row>(reader: Reader<Named, Row>): SharedPoll<Row> =>
  besidePrices((body) => bulk(field(body, 'result'), 'futures'), reader);

/** An empty side is null. */
function side(body: unknown, key: string, size: Size) {
  const rows = field(body, key);
  return rows === null ? [] : levels(rows, size);
}

/** `[time in s, open, close, high, low, base, quote]`. */
const candle = (row: WireRow): Bar => barOf(row, required(row[0]) * 1000, candleKeys);

export const whitebit = defineVenue({
  id: 'whitebit',
  name: 'WhiteBIT',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis,
  parts: ['spot', 'futures'],
  partOf: (market) => (market.endsWith('_PERP') ? 'futures' : 'spot'),
  feeds: {
    instruments: everyHour({ spot: instruments(true), futures: instruments(false) }),
    prices: everyHalfMinute({
      spot: listPoll(get('/api/v4/public/ticker'), spotRows, spotTickers),
      futures: {
        requests: () => [get('/api/v4/public/futures')],
        parse: futures(futuresTickers).parse,
      },
    }),
    derivatives: everyHalfMinute({ futures: futures(futuresFunding) }),
    openInterest: everyHalfMinute({ futures: futures(futuresInterest) }),
  },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 100,
      request: ({ market, depth }) =>
        get(
          `/api/v4/public/orderbook/${encodeURIComponent(market)}`,
          { limit: depth, level: 0 },
          'books',
        ),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return {
          bids: side(body, 'bids', size),
          asks: side(body, 'asks', size),
          stated: time(field(body, 'timestamp'), 1000),
        };
      },
    },
    candles: {
      intervals: sameWords,
      page: 1440,
      /** Seconds; without `start` the range may begin a week back. */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const query = { market, interval, limit };
        const end = before ?? now;
        if (end === undefined || !isInterval(interval)) return get('/api/v1/public/kline', query);
        const start = Math.max(0, Math.ceil((end - limit * intervals[interval]) / 1000));
        return get('/api/v1/public/kline', { ...query, start, end: Math.ceil(end / 1000) - 1 });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        return bars(field(body, 'result'), scale, candle, 7);
      },
    },
  },
});

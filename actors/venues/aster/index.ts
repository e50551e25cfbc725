/**
 * Aster: spot and linear perpetuals, each an API of its own in the manner of Binance.
 * https://github.com/asterdex/api-docs
 */

import { bulk, field, isRecord, required, text, time, type WireRow } from '../../read.ts';
import { sameWords } from '../../sources/candles.ts';
import { defineVenue, everyHalfMinute, everyHour, type MarketPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  candleColumns,
  candleQuery,
  candleWeight,
  futuresBookWeight,
  futuresDepth,
  interests,
  marksOf,
  premiums,
  tickers,
} from '../binance/form.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import { listPoll, marketRows } from '../rows.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { hoursIn, hoursOf, type PartName, readInstruments } from './rows.ts';

const instruments = (part: PartName): MarketPoll<Instrument, Ask> => ({
  requests: () => [get(part, '/exchangeInfo', 1)],
  parse: ([body]) => readInstruments(part, body),
});

const prices = (part: PartName): MarketPoll<PriceRow, Ask> =>
  listPoll(get(part, '/ticker/24hr', 40), (body) => bulk(body, 'tickers'), tickers);

/**
 * `premiumIndex` also has contracts that no list holds; new ones are noticed by the tickers, so that these are left
 * out without a count.
 */
const derivatives: MarketPoll<DerivativeRow, Ask> = {
  requests: () => [
    get('linear', '/premiumIndex', 1),
    { ...get('linear', '/fundingInfo', 1), optional: true },
  ],
  parse([index, info], { instruments: markets }) {
    const isUnlisted = (row: unknown) => {
      const symbol = isRecord(row) ? text(row.symbol) : '';
      return symbol !== '' && !markets.has(symbol);
    };
    const listed = bulk(index, 'premium index').filter((row) => !isUnlisted(row));
    const hours = info === undefined ? null : hoursOf(info);
    return marketRows(listed, markets, premiums(hoursIn(hours)));
  },
};

/** `openInterest` is not documented, but answers: one symbol at a time, one side (the venue's pages show two). */
const openInterest: MarketPoll<OpenInterestRow, Ask> = {
  requests: ({ markets }) => [
    get('linear', '/premiumIndex', 1),
    ...markets.map((market) => ({
      ...get('linear', '/openInterest', 1, { symbol: market }),
      market,
    })),
  ],
  parse: ([index, ...bodies], context) =>
    interests(bodies, marksOf(bulk(index, 'premium index')), context.instruments),
  rotates: true,
};

const candle = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));

export const aster = defineVenue({
  id: 'aster',
  name: 'Aster',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear'],
  // Both write BTCUSDT: the form states no part.
  partOf: () => 'spot',
  feeds: {
    instruments: everyHour({ spot: instruments('spot'), linear: instruments('linear') }),
    prices: everyHalfMinute({ spot: prices('spot'), linear: prices('linear') }),
    derivatives: everyHalfMinute({ linear: derivatives }),
    openInterest: everyHalfMinute({ linear: openInterest }),
  },
  live,
  books,
  events: { liquidations },
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request: ({ part, market, depth }) =>
        get(part, '/depth', futuresBookWeight(depth), {
          symbol: market,
          limit: futuresDepth(depth),
        }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        // T is when the book was so, E when that was sent.
        return bookOf(body, size, time(field(body, 'T')) ?? time(field(body, 'E')));
      },
    },
    candles: {
      intervals: sameWords,
      page: 1500,
      request: (ask) => get(ask.part, '/klines', candleWeight(ask.limit), candleQuery(ask)),
      parse: (body, ask) => bars(body, sizeOf(ask, false).scale, candle, candleColumns),
    },
  },
});

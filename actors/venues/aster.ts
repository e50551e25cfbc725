/**
 * Aster: spot and linear perpetuals, each an API of its own in the manner of Binance.
 * https://github.com/asterdex/api-docs
 */
import { isRecord, optionalNonZero, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import { hoursIn, hoursOf, isUntraded, type PartName, readInstruments } from './aster-rows.ts';
import {
  budgets,
  candleQuery,
  candleWeight,
  faultOf,
  futuresDepth,
  interests,
  marksOf,
  premiums,
  type Query,
  tickers,
} from './binance-form.ts';
import { sameWords } from './candles.ts';
import { bars, bulk, field, levels, marketRows, ohlc, sizeOf } from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

const api = (host: string, weight: number): Api => ({
  hosts: [host],
  budgets: budgets(weight),
  fault: faultOf('Aster'),
});

const get = (part: string, path: string, weight: number, query: Query = {}): UpstreamRequest => ({
  api: part,
  path: `${part === 'spot' ? '/api/v3' : '/fapi/v3'}${path}`,
  query,
  weight,
});

const instruments = (part: PartName): Part<Instrument> => ({
  requests: () => [get(part, '/exchangeInfo', 1)],
  parse: ([body]) => readInstruments(part, body),
});

const prices = (part: PartName): Part<PriceRow> => ({
  requests: () => [get(part, '/ticker/24hr', 40)],
  parse([body], { instruments: markets }) {
    const traded = bulk(body, 'tickers').filter((row) => !isUntraded(row));
    return marketRows(traded, markets, tickers);
  },
  needsInstruments: true,
});

/**
 * `premiumIndex` also has contracts that no list holds; the tickers tell of new ones, so that these are left
 * out in silence.
 */
const derivatives: Part<DerivativeRow> = {
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
  needsInstruments: true,
};

/** `openInterest` is not documented, but answers: one symbol at a time, one side (the venue's pages show two). */
const openInterest: Part<OpenInterestRow> = {
  requests: ({ markets }) => [
    get('linear', '/premiumIndex', 1),
    ...markets.map((market) => ({
      ...get('linear', '/openInterest', 1, { symbol: market }),
      market,
    })),
  ],
  parse: ([index, ...bodies], context) =>
    interests(bodies, marksOf(bulk(index, 'premium index')), context.instruments),
  needsInstruments: true,
  rotates: true,
};

export const aster = defineVenue({
  id: 'aster',
  name: 'Aster',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis: {
    // The documentation's examples disagree, from 1200 to 6000; the header corrects it.
    spot: api('https://sapi.asterdex.com', 1200),
    linear: api('https://fapi.asterdex.com', 2400),
  },
  parts: ['spot', 'linear'],
  // Both write BTCUSDT: the form says nothing.
  partOf: () => 'spot',
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: instruments('spot'), linear: instruments('linear') },
    },
    prices: { every: 30_000, parts: { spot: prices('spot'), linear: prices('linear') } },
    derivatives: { every: 30_000, parts: { linear: derivatives } },
    openInterest: { every: 30_000, parts: { linear: openInterest } },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: ({ part, market, depth }) =>
        get(part, '/depth', 2, { symbol: market, limit: futuresDepth(depth) }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return {
          bids: levels(field(body, 'bids'), size),
          asks: levels(field(body, 'asks'), size),
          // T is when the book was so, E when that was sent.
          stated: optionalNonZero(field(body, 'T')) ?? optionalNonZero(field(body, 'E')),
        };
      },
    },
    candles: {
      intervals: sameWords,
      page: 1500,
      request: (ask) => get(ask.part, '/klines', candleWeight(ask.limit), candleQuery(ask)),
      parse: (body, ask) =>
        bars(body, sizeOf(ask, false).scale, (row) =>
          ohlc(row, required(row[5]), required(row[7])),
        ),
    },
  },
});

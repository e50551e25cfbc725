/**
 * Binance: spot, USD-M (linear) and COIN-M (inverse) futures. https://developers.binance.com/docs
 */
import { optionalNonZero, positive, required } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
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
import {
  type Contracts,
  fundingHours,
  inverseTickers,
  type PartName,
  premiumRows,
  readInstruments,
} from './binance-rows.ts';
import { sameWords } from './candles.ts';
import { bars, bulk, field, levels, marketRows, ohlc, sizeOf } from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

/** Lists of instruments are several MB. */
const api = (weight: number, ...hosts: string[]): Api => ({
  hosts,
  budgets: budgets(weight),
  fault: faultOf('Binance'),
  maxBody: 32 * 2 ** 20,
});

const prefixes: Readonly<Record<string, string>> = {
  spot: '/api/v3',
  linear: '/fapi/v1',
  inverse: '/dapi/v1',
};

/** Each part is an API of its own. */
const get = (part: string, path: string, weight: number, query: Query = {}): UpstreamRequest => ({
  api: part,
  path: `${prefixes[part]}${path}`,
  query,
  weight,
});

const spotInstruments: Part<Instrument> = {
  requests: () => [get('spot', '/exchangeInfo', 20, { showPermissionSets: 'false' })],
  parse: ([info]) => readInstruments('spot', info, () => null),
};

const contracts = (part: Contracts): Part<Instrument> => ({
  // `fundingInfo` has a limit of its own, 500 in 5 minutes, which an hourly request does not come near.
  requests: () => [
    get(part, '/exchangeInfo', 20),
    { ...get(part, '/fundingInfo', 1), optional: true },
  ],
  parse: ([info, funding], context) => readInstruments(part, info, fundingHours(funding, context)),
});

const prices = (part: PartName, weight: number, query?: Query): Part<PriceRow> => ({
  requests: () => [get(part, '/ticker/24hr', weight, query)],
  parse: ([body], { instruments: markets }) =>
    marketRows(bulk(body, 'tickers'), markets, part === 'inverse' ? inverseTickers : tickers),
  needsInstruments: true,
});

const premiumIndex = (part: Contracts) => get(part, '/premiumIndex', 10);

const marks = premiums((market) => positive(market.funding_hours));

const derivatives = (part: Contracts): Part<DerivativeRow> => ({
  requests: () => [premiumIndex(part)],
  parse: ([body], { instruments: markets }) => marketRows(premiumRows(body), markets, marks),
  needsInstruments: true,
});

/** Market by market; the marks, in bulk, go first. */
const openInterest = (part: Contracts): Part<OpenInterestRow> => ({
  requests: ({ markets }) => [
    premiumIndex(part),
    ...markets.map((market) => ({
      ...get(part, '/openInterest', 1, { symbol: market }),
      market,
    })),
  ],
  parse: ([premium, ...bodies], context) =>
    interests(bodies, marksOf(premiumRows(premium)), context.instruments),
  needsInstruments: true,
  rotates: true,
});

export const binance = defineVenue({
  id: 'binance',
  name: 'Binance',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis: {
    spot: api(
      6000,
      // Market data only, served where api.binance.com answers 451.
      'https://data-api.binance.vision',
      'https://api.binance.com',
      'https://api-gcp.binance.com',
      'https://api1.binance.com',
      'https://api2.binance.com',
      'https://api3.binance.com',
      'https://api4.binance.com',
    ),
    linear: api(2400, 'https://fapi.binance.com'),
    // Sources disagree, from 1200 to 6000; the header corrects it.
    inverse: api(1200, 'https://dapi.binance.com'),
  },
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('_')) return 'spot';
    return market.includes('USD_') ? 'inverse' : 'linear';
  },
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: spotInstruments,
        linear: contracts('linear'),
        inverse: contracts('inverse'),
      },
    },
    prices: {
      every: 30_000,
      parts: {
        spot: prices('spot', 80, { type: 'MINI' }),
        linear: prices('linear', 40),
        inverse: prices('inverse', 40),
      },
    },
    derivatives: {
      every: 30_000,
      parts: { linear: derivatives('linear'), inverse: derivatives('inverse') },
    },
    openInterest: {
      every: 30_000,
      parts: { linear: openInterest('linear'), inverse: openInterest('inverse') },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ part, market, depth }) {
        // Spot accepts any depth.
        const limit = part === 'spot' ? depth : futuresDepth(depth);
        return get(part, '/depth', part === 'spot' ? 5 : 2, { symbol: market, limit });
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'inverse');
        return {
          bids: levels(field(body, 'bids'), size),
          asks: levels(field(body, 'asks'), size),
          // T is when the book was so, E when that was sent; spot gives neither.
          stated: optionalNonZero(field(body, 'T')),
        };
      },
    },
    candles: {
      intervals: sameWords,
      page: 1000,
      request(ask) {
        const weight = ask.part === 'spot' ? 2 : candleWeight(ask.limit);
        return get(ask.part, '/klines', weight, candleQuery(ask));
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        if (ask.part !== 'inverse') {
          return bars(body, scale, (row) => ohlc(row, required(row[5]), required(row[7])));
        }
        // COIN-M counts contracts at 5 and base at 7.
        const usd = ask.instrument?.contract;
        return bars(body, scale, (row) =>
          ohlc(row, required(row[7]), usd === undefined ? null : required(row[5]) * usd),
        );
      },
    },
  },
});

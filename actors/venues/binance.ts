/**
 * Binance: spot, USD-M (linear) and COIN-M (inverse) futures. https://developers.binance.com/docs
 */
import { isRecord, optionalNonZero, required } from '../read.ts';
import type {
  DerivativeRow,
  Failure,
  FailureCode,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import {
  type Contracts,
  fundingHours,
  interest,
  inverseTickers,
  marksOf,
  type PartName,
  premiumRows,
  premiums,
  readInstruments,
  tickers,
} from './binance-rows.ts';
import { sameWords } from './candles.ts';
import { bars, bulk, field, levels, marketRows, ohlc, sizeOf } from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

/**
 * `{code, msg}` bodies; whatever has none is no answer of Binance's own, so the status alone
 * decides elsewhere.
 */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'number' || typeof body.msg !== 'string') return null;
  const code = faultCode(status, body.code);
  return code && { code, message: `Binance error ${body.code}`, status };
}

function faultCode(status: number, code: number): FailureCode | null {
  // -1121 invalid symbol, -1100 illegal characters: of all parameters only the symbol is a client's.
  if (code === -1121 || code === -1100) return 'unknown_instrument';
  if (status === 418) return 'banned';
  if (status === 429 || code === -1003) return 'rate_limited';
  if (status === 403 || status === 451) return 'blocked';
  if (status >= 500) return 'unavailable';
  return code < 0 ? 'refused' : null;
}

/** `weight` a minute and address. Lists of instruments are several MB. */
const api = (weight: number, ...hosts: string[]): Api => ({
  hosts,
  budgets: { default: { weight, per: 60_000, usedHeader: 'x-mbx-used-weight-1m' } },
  fault,
  maxBody: 32 * 2 ** 20,
});

type Query = NonNullable<UpstreamRequest['query']>;
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

const derivatives = (part: Contracts): Part<DerivativeRow> => ({
  requests: () => [premiumIndex(part)],
  parse: ([body], { instruments: markets }) => marketRows(premiumRows(body), markets, premiums),
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
  parse: ([premium, ...bodies], { instruments: markets }) =>
    marketRows(
      bodies.filter((body) => body !== undefined),
      markets,
      interest(marksOf(premium)),
    ),
  needsInstruments: true,
  rotates: true,
});

/** Futures accept these depths only; spot accepts any. */
const futuresDepth = (depth: number) => [5, 10, 20].find((legal) => legal >= depth) ?? 50;

function candleWeight(part: string, limit: number): number {
  if (part === 'spot') return 2;
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

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
      request({ part, market, interval, limit, before }) {
        const range: Query = before === undefined ? {} : { endTime: before - 1 };
        const query = { symbol: market, interval, limit, ...range };
        return get(part, '/klines', candleWeight(part, limit), query);
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

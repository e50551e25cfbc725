/**
 * Aster: spot and linear perpetuals, each an API of its own in the manner of Binance.
 * https://github.com/asterdex/api-docs
 */
import { isRecord, optionalNonZero, required, text } from '../read.ts';
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
  hoursOf,
  interest,
  isUntraded,
  marksOf,
  type PartName,
  premiums,
  readInstruments,
  tickers,
} from './aster-rows.ts';
import { sameWords } from './candles.ts';
import { bars, bulk, field, levels, marketRows, ohlc, sizeOf } from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

/** `{code, msg}`, both always there. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'number' || typeof body.msg !== 'string') return null;
  const code = faultCode(status, body.code);
  return code && { code, message: `Aster error ${body.code}`, status };
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

/** `weight` a minute and address. */
const api = (host: string, weight: number): Api => ({
  hosts: [host],
  budgets: { default: { weight, per: 60_000, usedHeader: 'x-mbx-used-weight-1m' } },
  fault,
});

type Query = NonNullable<UpstreamRequest['query']>;

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
    return marketRows(listed, markets, premiums(info === undefined ? null : hoursOf(info)));
  },
  needsInstruments: true,
};

/** `openInterest` is not documented, but answers: one symbol at a time. */
const openInterest: Part<OpenInterestRow> = {
  requests: ({ markets }) => [
    get('linear', '/premiumIndex', 1),
    ...markets.map((market) => ({
      ...get('linear', '/openInterest', 1, { symbol: market }),
      market,
    })),
  ],
  parse([index, ...bodies], { instruments: markets }) {
    const answered = bodies.filter((body) => body !== undefined);
    return marketRows(answered, markets, interest(marksOf(index)));
  },
  needsInstruments: true,
  rotates: true,
};

function candleWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

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
      request({ part, market, depth }) {
        const limit = [5, 10, 20].find((legal) => legal >= depth) ?? 50;
        return get(part, '/depth', 2, { symbol: market, limit });
      },
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
      request({ part, market, interval, limit, before }) {
        const range: Query = before === undefined ? {} : { endTime: before - 1 };
        const query = { symbol: market, interval, limit, ...range };
        return get(part, '/klines', candleWeight(limit), query);
      },
      parse: (body, ask) =>
        bars(body, sizeOf(ask, false).scale, (row) =>
          ohlc(row, required(row[5]), required(row[7])),
        ),
    },
  },
});

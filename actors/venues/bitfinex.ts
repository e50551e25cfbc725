/**
 * Bitfinex: spot and USDT-settled perpetuals, all of them linear and counted in base.
 * https://docs.bitfinex.com/reference
 *
 * Rows are arrays of columns. A trading pair is `t` and two currencies, `tBTCUSD` when both have three letters,
 * else `tDOGE:USD`; those of perpetuals end in `F0` (`tBTCF0:USTF0`). UST is its name for USDT.
 */

import { ShapeError } from '../failure.ts';
import { isRecord, positive, required, text } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import {
  derivative,
  interest,
  isFunding,
  readInstruments,
  type StatusRead,
  tickers,
} from './bitfinex-rows.ts';
import type { Bar } from './candles.ts';
import { bars, bulk, by, levels, marketRows, sizeOf, type WireRow } from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

/** https://docs.bitfinex.com/docs/abbreviations-glossary#section-errorinfo-codes */
const faults: ReadonlyMap<unknown, FailureCode> = new Map<unknown, FailureCode>([
  [10_000, 'unavailable'],
  [11_000, 'unavailable'],
  [11_010, 'rate_limited'],
  [20_060, 'unavailable'],
  ['ERR_RATE_LIMIT', 'rate_limited'],
  ['temporarily_unavailable', 'unavailable'],
]);
/** An address that asks too much is shut out for a minute. */
const shutOut = 60_000;

/** `["error", code, message]`, with HTTP 500 as a rule; or `{ error }` from what stands before the API. */
function fault(status: number, body: unknown): Failure | null {
  const code = Array.isArray(body) ? listedFault(body) : isRecord(body) && faults.get(body.error);
  if (!code) return null;
  const name = Array.isArray(body) ? body[1] : isRecord(body) && body.error;
  const silence = code === 'rate_limited' && { retryAfter: shutOut };
  return { code, message: `Bitfinex error ${name}`, status, ...silence };
}

function listedFault([word, code, message]: readonly unknown[]): FailureCode | null {
  if (word !== 'error' || typeof code !== 'number') return null;
  // Bad parameters; of all of them only the symbol, which is part of a candle's key, is a client's.
  if (code === 10_020 && /symbol|key/.test(text(message))) return 'unknown_instrument';
  return faults.get(code) ?? 'refused';
}

type Budget = 'tickers' | 'status' | 'conf' | 'book' | 'candles';
const get = (budget: Budget, path: string, query: UpstreamRequest['query']): UpstreamRequest => ({
  api: 'rest',
  path: `/v2/${path}`,
  budget,
  query,
});

/** A client's symbol as a part of a path. */
const segment = (market: string) => encodeURIComponent(market).replaceAll('%3A', ':');

const configs = [
  'pub:info:pair',
  'pub:info:pair:futures',
  'pub:map:currency:sym',
  'pub:list:pair:securities',
];

const instruments: Part<Instrument> = {
  requests: () => [get('conf', `conf/${configs.join(',')}`, {})],
  parse: ([body]) => readInstruments(body),
};

const prices: Part<PriceRow> = {
  requests: () => [get('tickers', 'tickers', { symbols: 'ALL' })],
  parse([body], { instruments: markets }) {
    const pairs = bulk(body, 'tickers').filter((row) => !isFunding(row));
    return marketRows(bulk(pairs, 'pairs'), markets, tickers);
  },
  needsInstruments: true,
};

/** Contracts that the list does not hold are long gone: their rows are left out in silence. */
const status = <Row>(read: StatusRead<Row>): Part<Row> => ({
  requests: () => [get('status', 'status/deriv', { keys: 'ALL' })],
  parse([body], { instruments: markets }) {
    const gone = (row: unknown) =>
      Array.isArray(row) && typeof row[0] === 'string' && !markets.has(row[0]);
    const rows = bulk(body, 'status').filter((row) => !gone(row));
    return marketRows(rows, markets, { id: by(0), read });
  },
  needsInstruments: true,
});

const amountOf = (row: unknown) => (Array.isArray(row) ? required(row[2]) : NaN);

/** `[time, open, close, high, low, volume in base]`. */
const candle = (row: WireRow): Bar => ({
  timestamp: required(row[0]),
  open: positive(row[1]),
  high: positive(row[3]),
  low: positive(row[4]),
  close: positive(row[2]),
  volume: required(row[5]),
  turnover: null,
});

const perMinute = (weight: number) => ({ weight, per: 60_000 });

export const bitfinex = defineVenue({
  id: 'bitfinex',
  name: 'Bitfinex',
  kinds: ['spot', 'perpetual'],
  example: 'tBTCUSD',
  apis: {
    rest: {
      hosts: ['https://api-pub.bitfinex.com', 'https://api.bitfinex.com'],
      budgets: {
        default: perMinute(30),
        // Documented as 90 now and as 30 before: what is polled stays within both.
        tickers: perMinute(30),
        status: perMinute(30),
        conf: perMinute(30),
        // The vendor's page says 15, others more.
        stats: perMinute(10),
        candles: perMinute(90),
        book: perMinute(240),
      },
      fault,
    },
  },
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: { every: 3_600_000, parts: { all: instruments } },
    prices: { every: 30_000, parts: { all: prices } },
    derivatives: { every: 30_000, parts: { all: status(derivative) } },
    openInterest: { every: 30_000, parts: { all: status(interest) } },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: ({ market, depth }) =>
        get('book', `book/${segment(market)}/P0`, { len: depth <= 25 ? 25 : 100 }),
      /** `[price, orders, amount]` of both sides in one list; asks have negative amounts. No time. */
      parse(body, ask) {
        const rows = bulk(body, 'book');
        const size = sizeOf({ ...ask, market: ask.market.slice(1) }, false);
        const below = rows.filter((row) => amountOf(row) > 0);
        const above = rows.filter((row) => amountOf(row) < 0);
        if (below.length + above.length === 0) {
          throw new ShapeError('book: no level is readable');
        }
        const asks = above.map((row) => (Array.isArray(row) ? [row[0], -amountOf(row)] : row));
        return { bids: levels(below, size, 0, 2), asks: levels(asks, size), stated: null };
      },
    },
    candles: {
      // No 2h, 3m, 8h, 3d; 4h and the week are not named alike in all sources, and are built.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '6h': '6h',
        '12h': '12h',
        '1d': '1D',
        '1M': '1M',
      },
      page: 10_000,
      request({ market, interval, limit, before }) {
        const path = `candles/trade:${interval}:${segment(market)}/hist`;
        return get('candles', path, { limit, ...(before !== undefined && { end: before - 1 }) });
      },
      parse(body, ask) {
        const { scale } = sizeOf({ ...ask, market: ask.market.slice(1) }, false);
        return bars(body, scale, candle);
      },
    },
  },
});

/** WOO X: spot and linear perpetuals, all quoted in USDT. https://docs.woox.io */
import { isRecord, optional, optionalNonZero, positive, required } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { Budget, UpstreamRequest } from '../upstream/request.ts';
import { bars, field, levels, sizeOf } from './rows.ts';
import { defineVenue, hoursBefore, type Part, type SharedPart } from './venue.ts';
import {
  derivative,
  fundingHours,
  hoursInDay,
  interest,
  parseDays,
  parseFutures,
  perpPrice,
  prefixes,
  readInstruments,
  rowsOf,
} from './woo-rows.ts';

const faults: ReadonlyMap<number, FailureCode> = new Map([
  [-1000, 'unavailable'],
  [-1003, 'rate_limited'],
  [-1006, 'unknown_instrument'],
  [-1011, 'unavailable'],
]);

/** `{success: false, message}`, often with a `code`; the gateway's own lack `success` inside a 200. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || body.success === true || typeof body.message !== 'string') return null;
  const number = optional(body.code);
  const code = faultCode(status, number ?? 0, body.message);
  return { code, message: number === null ? 'WOO X error' : `WOO X error ${number}`, status };
}

function faultCode(status: number, code: number, message: string): FailureCode {
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  // Also inside a 500.
  if (/symbol/i.test(message)) return 'unknown_instrument';
  return status >= 500 || code >= 500 ? 'unavailable' : 'refused';
}

/** Requests a second and address, each path by itself. */
const perSecond: Budget = { weight: 10, per: 1000 };

type Query = NonNullable<UpstreamRequest['query']>;

const get = (path: string, query: Query = {}): UpstreamRequest => ({
  api: 'rest',
  path: `/v3/public/${path}`,
  query,
  budget: path,
});

const spotInstruments: Part<Instrument> = {
  requests: () => [get('instruments')],
  parse: ([body]) => readInstruments('spot', body, new Map()),
};

const perpInstruments: Part<Instrument> = {
  requests: () => [get('instruments'), { ...get('fundingRate'), optional: true }],
  parse: ([body, rates], context) =>
    readInstruments('perp', body, rates === undefined ? hoursBefore(context) : fundingHours(rates)),
};

const perpPrices: Part<PriceRow> = {
  requests: () => [get('futures')],
  parse: parseFutures(perpPrice),
};

const shared = <Row>(parse: Part<Row>['parse']): SharedPart<Row> => ({ bodiesOf: 'prices', parse });

const spotPrices: Part<PriceRow> = {
  rotates: true,
  requests: ({ markets }) =>
    markets.map((market) => ({
      ...get('kline', { symbol: market, type: '1h', limit: hoursInDay }),
      market,
    })),
  parse: parseDays,
};

export const woo = defineVenue({
  id: 'woo',
  name: 'WOO X',
  kinds: ['spot', 'perpetual'],
  example: 'SPOT_BTC_USDT',
  apis: {
    rest: {
      hosts: ['https://api.woox.io'],
      budgets: {
        default: perSecond,
        instruments: perSecond,
        futures: perSecond,
        fundingRate: perSecond,
        orderbook: perSecond,
        kline: perSecond,
        klineHistory: perSecond,
      },
      fault,
    },
  },
  parts: ['spot', 'perp'],
  partOf: (market) => (market.startsWith(prefixes.perp) ? 'perp' : 'spot'),
  feeds: {
    instruments: { every: 3_600_000, parts: { spot: spotInstruments, perp: perpInstruments } },
    prices: { every: 30_000, parts: { spot: spotPrices, perp: perpPrices } },
    derivatives: { every: 30_000, parts: { perp: shared(parseFutures(derivative)) } },
    openInterest: { every: 30_000, parts: { perp: shared(parseFutures(interest)) } },
  },
  queries: {
    orderBook: {
      cap: 50,
      // Without `rpi` the orders of retail makers are missing, and with them most of the book.
      request: ({ market, depth }) =>
        get('orderbook', { symbol: market, maxLevel: depth, rpi: 'true' }),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const data = field(body, 'data');
        return {
          bids: levels(field(data, 'bids'), size, 'price', 'quantity'),
          asks: levels(field(data, 'asks'), size, 'price', 'quantity'),
          stated: optionalNonZero(field(body, 'timestamp')),
        };
      },
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 3d.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '4h': '4h',
        '12h': '12h',
        '1d': '1d',
        '1w': '1w',
        '1M': '1mon',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        const query = { symbol: market, type: interval, limit };
        // `klineHistory` lacks the running candle.
        return before === undefined
          ? get('kline', query)
          : get('klineHistory', { ...query, before });
      },
      parse: (body, ask) =>
        bars(rowsOf(body), sizeOf(ask, false).scale, (row) => ({
          timestamp: required(row.startTimestamp),
          open: positive(row.open),
          high: positive(row.high),
          low: positive(row.low),
          close: positive(row.close),
          volume: required(row.volume),
          turnover: required(row.amount),
        })),
    },
  },
});

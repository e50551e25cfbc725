/**
 * Hyperliquid: perpetuals margined in USDC, and spot pairs; every question is a POST to one path.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { optionalNonZero, positive, required } from '../read.ts';
import {
  type DerivativeRow,
  type Failure,
  type Instrument,
  intervals,
  isInterval,
  type OpenInterestRow,
  type PriceRow,
} from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import { openOf, sameWords } from './candles.ts';
import {
  pairInstruments,
  pairRows,
  perpInstruments,
  perpOf,
  perpRows,
  reader,
} from './hyperliquid-rows.ts';
import {
  bars,
  changeOf,
  derivativeOf,
  field,
  levels,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { defineVenue, type MarketAsk, type Parsed, type Part, type SharedPart } from './venue.ts';

/**
 * Refusals are plain text, which says nothing beyond its status; an unknown coin is the JSON value
 * null with 200 (order book) or 500 (candles).
 */
function fault(status: number, body: unknown): Failure | null {
  if (body !== null || (status !== 200 && status !== 500)) return null;
  return { code: 'unknown_instrument', message: 'Hyperliquid knows no such coin', status };
}

const info = (body: Readonly<Record<string, unknown>>, weight: number): UpstreamRequest => ({
  api: 'info',
  path: '/info',
  method: 'POST',
  body,
  weight,
});

const perps = () => [info({ type: 'metaAndAssetCtxs' }, 20)];
const pairs = () => [info({ type: 'spotMetaAndAssetCtxs' }, 20)];

const instruments = (
  requests: () => UpstreamRequest[],
  read: (body: unknown) => Parsed<Instrument>,
): Part<Instrument> => ({ requests, parse: ([body]) => read(body) });

/** No last trade is published: the middle of the book, or the mark price while one side is empty. */
function price(context: WireRow, market: Named): PriceRow | null {
  const mid = positive(context.midPx);
  const last = mid > 0 ? mid : positive(context.markPx);
  const change = changeOf(last, positive(context.prevDayPx));
  return priceOf(market, { last, volume: required(context.dayNtlVlm), change, stated: null });
}

const perpPrices: Part<PriceRow> = {
  requests: perps,
  parse: ([body], { instruments }) =>
    marketRows<Named, PriceRow>(perpRows(body), instruments, reader(price, perpOf)),
};

const pairPrices: Part<PriceRow> = {
  requests: pairs,
  parse: ([body], { instruments }) => marketRows(pairRows(body), instruments, reader(price)),
  needsInstruments: true,
};

/** `funding` is the running rate of the hour; it is charged when the hour is full. */
const derivatives: SharedPart<DerivativeRow> = {
  bodiesOf: 'prices',
  parse([body], { instruments, received }) {
    const next = openOf(received, '1h') + intervals['1h'];
    const read = (context: WireRow, market: Named) =>
      derivativeOf(market, {
        mark: positive(context.markPx),
        index: positive(context.oraclePx),
        rate: required(context.funding),
        hours: 1,
        next,
        stated: null,
      });
    return marketRows<Named, DerivativeRow>(perpRows(body), instruments, reader(read, perpOf));
  },
};

/** Base units of one side. */
const interest = (context: WireRow, market: Named): OpenInterestRow | null =>
  openInterestOf(market, {
    base: required(context.openInterest),
    value: NaN,
    mark: positive(context.markPx),
    stated: null,
  });

const openInterest: SharedPart<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments }) =>
    marketRows<Named, OpenInterestRow>(perpRows(body), instruments, reader(interest, perpOf)),
};

const { '6h': _, ...words } = sameWords;

/** The venue keeps this many candles of each interval. */
const kept = 5000;
const farFuture = 4_102_444_800_000;

/** What asks for candles; `now`, Unix ms, where it is known. */
type CandleAsk = MarketAsk & { interval: string; limit: number; before?: number; now?: number };

/** `end` is exclusive; without one the whole history is asked for, because a start must be named. */
function candleRange(interval: string, limit: number, end: number | undefined) {
  if (end === undefined || !isInterval(interval)) {
    return { startTime: 0, endTime: farFuture, rows: kept };
  }
  const startTime = Math.max(0, end - limit * intervals[interval]);
  return { startTime, endTime: end - 1, rows: limit };
}

export const hyperliquid = defineVenue({
  id: 'hyperliquid',
  name: 'Hyperliquid',
  kinds: ['spot', 'perpetual'],
  example: 'BTC',
  apis: {
    info: {
      hosts: ['https://api.hyperliquid.xyz'],
      budgets: { default: { weight: 1200, per: 60_000 } },
      fault,
    },
  },
  parts: ['spot', 'perp'],
  partOf: (market) => (market.startsWith('@') || market.includes('/') ? 'spot' : 'perp'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: instruments(pairs, pairInstruments),
        perp: instruments(perps, perpInstruments),
      },
    },
    prices: { every: 30_000, parts: { spot: pairPrices, perp: perpPrices } },
    derivatives: { every: 30_000, parts: { perp: derivatives } },
    openInterest: { every: 30_000, parts: { perp: openInterest } },
  },
  queries: {
    orderBook: {
      // The venue always gives 20 levels.
      cap: 20,
      request: ({ market }) => info({ type: 'l2Book', coin: market }, 2),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const sides = field(body, 'levels');
        return {
          bids: levels(field(sides, 0), size, 'px', 'sz'),
          asks: levels(field(sides, 1), size, 'px', 'sz'),
          stated: optionalNonZero(field(body, 'time')),
        };
      },
    },
    candles: {
      intervals: words,
      page: kept,
      request({ market, interval, limit, before, now }: CandleAsk) {
        const { rows, ...range } = candleRange(interval, limit, before ?? now);
        const req = { coin: market, interval, ...range };
        return info({ type: 'candleSnapshot', req }, 20 + Math.ceil(rows / 60));
      },
      parse: (body, ask) =>
        bars(body, sizeOf(ask, false).scale, (row) => ({
          timestamp: required(row.t),
          open: positive(row.o),
          high: positive(row.h),
          low: positive(row.l),
          close: positive(row.c),
          volume: required(row.v),
          // Base volume only.
          turnover: null,
        })),
    },
  },
});

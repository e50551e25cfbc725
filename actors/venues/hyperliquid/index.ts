/**
 * Hyperliquid: perpetuals margined in USDC, and spot pairs; every question is a POST to one path.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */

import { field, required, time } from '../../read.ts';
import { sameWords } from '../../sources/candles.ts';
import type { Parsed } from '../../sources/define.ts';
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
import { barOf, bars, initials, levels, sizeOf } from '../levels-and-bars.ts';
import { besidePrices, marketRows, type Named } from '../rows.ts';
import { clearinghouse, fundingHistory, vault } from './analytics.ts';
import { type Ask, apis, info } from './api.ts';
import { books } from './books.ts';
import { live } from './live.ts';
import {
  funding,
  interest,
  isIdle,
  pairInstruments,
  pairRows,
  perpInstruments,
  perpOf,
  perpRows,
  price,
  reader,
} from './rows.ts';

const perps = () => [info({ type: 'metaAndAssetCtxs' }, 20)];
const pairs = () => [info({ type: 'spotMetaAndAssetCtxs' }, 20)];

const instruments = (
  requests: () => Ask[],
  read: (body: unknown) => Parsed<Instrument>,
): MarketPoll<Instrument, Ask> => ({ requests, parse: ([body]) => read(body) });

const perpPrices: MarketPoll<PriceRow, Ask> = {
  requests: perps,
  parse: ([body], { instruments }) =>
    marketRows<Named, PriceRow>(perpRows(body), instruments, reader(price, perpOf)),
};

const pairPrices: MarketPoll<PriceRow, Ask> = {
  requests: pairs,
  parse: ([body], { instruments }) =>
    marketRows(pairRows(body), instruments, { ...reader(price), isUntraded: isIdle }),
};

const derivatives: SharedPoll<DerivativeRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments, received }) =>
    marketRows<Named, DerivativeRow>(
      perpRows(body),
      instruments,
      reader(funding(received), perpOf),
    ),
};

const openInterest: SharedPoll<OpenInterestRow> = besidePrices(perpRows, reader(interest, perpOf));

const { '6h': _, ...words } = sameWords;

/** The venue keeps this many candles of each interval. */
const longestHistory = 5000;
const farFuture = 4_102_444_800_000;

/** `end` is exclusive; without one the whole history is asked for, because a start must be named. */
function candleRange(interval: string, limit: number, end: number | undefined) {
  if (end === undefined || !isInterval(interval)) {
    return { startTime: 0, endTime: farFuture, rows: longestHistory };
  }
  const startTime = Math.max(0, end - limit * intervals[interval]);
  return { startTime, endTime: end - 1, rows: limit };
}

export const hyperliquid = defineVenue({
  id: 'hyperliquid',
  name: 'Hyperliquid',
  kinds: ['spot', 'perpetual'],
  example: 'BTC',
  apis,
  parts: ['spot', 'perp'],
  partOf: (market) => (market.startsWith('@') || market.includes('/') ? 'spot' : 'perp'),
  feeds: {
    instruments: everyHour({
      spot: instruments(pairs, pairInstruments),
      perp: instruments(perps, perpInstruments),
    }),
    prices: everyHalfMinute({ spot: pairPrices, perp: perpPrices }),
    derivatives: everyHalfMinute({ perp: derivatives }),
    openInterest: everyHalfMinute({ perp: openInterest }),
  },
  live,
  books,
  queries: {
    orderBook: {
      // The venue always gives 20 levels.
      cap: 20,
      most: 20,
      request: ({ market }) => info({ type: 'l2Book', coin: market }, 2),
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const sides = field(body, 'levels');
        return {
          bids: levels(field(sides, 0), size, { price: 'px', quantity: 'sz' }),
          asks: levels(field(sides, 1), size, { price: 'px', quantity: 'sz' }),
          stated: time(field(body, 'time')),
        };
      },
    },
    candles: {
      intervals: words,
      page: longestHistory,
      request({ market, interval, limit, before, now }: CandleAsk) {
        const { rows, ...range } = candleRange(interval, limit, before ?? now);
        const req = { coin: market, interval, ...range };
        return info({ type: 'candleSnapshot', req }, 20 + Math.ceil(rows / 60));
      },
      parse: (body, ask) =>
        bars(body, sizeOf(ask, false).scale, (row) => barOf(row, required(row.t), initials)),
    },
    fundingHistory,
    vault,
    clearinghouse,
  },
});

/** Settled funding and whole order books of Kraken Futures. */
import { valueNear } from '../../../indicators/order-book/depth.ts';
import { field, required } from '../../read.ts';
import type { MarketQuery } from '../../sources/venue.ts';
import type { Depth, HistoryParams } from '../../topics/index.ts';
import { bodyCaps } from '../../upstream/limits.ts';
import { fundingLife, fundingPoints, hourly } from '../fundings.ts';
import { fundingQuery } from '../histories.ts';
import { timeOf } from '../iso.ts';
import { levels } from '../levels-and-bars.ts';
import type { Ask } from './api.ts';

/** The exchange gives all of about a year at once, and takes no range. */
const all = 10_000;

/**
 * `fundingRate` is an amount a contract and hour (USD per base unit, or base per USD); `relativeFundingRate` is the
 * fraction of the position.
 */
export const fundingHistory = {
  ...fundingQuery<Ask>({
    ttl: fundingLife,
    page: all,
    step: ({ part }) => (part === 'futures' ? hourly : null),
    requests: ({ market }) => [
      {
        api: 'futures',
        path: '/derivatives/api/v4/historicalfundingrates',
        query: { symbol: market },
      },
    ],
    parse: ([body]) =>
      fundingPoints(field(body, 'rates'), 1, (row) => ({
        timestamp: timeOf(row.timestamp),
        rate: required(row.relativeFundingRate),
      })),
  }),
  // One answer holds every range.
  page: ({ part, market, kind }: HistoryParams & { part: string }) =>
    part === 'futures' ? { market, kind, limit: all } : null,
  maxBody: 4 * 2 ** 20,
};

/** Most levels a side that are given. */
const mostLevels = 200;
const near = 0.01;

/** The whole book, whose levels are in no order. */
export const depth: MarketQuery<'depth', Depth, Ask> = {
  ttl: 2_000,
  maxBody: bodyCaps.orderBook,
  page: ({ part, market, kind }) =>
    part === 'futures' ? { market, kind, limit: mostLevels } : null,
  requests: ({ market }) => [
    { api: 'futures', path: '/derivatives/api/v3/orderbook', query: { symbol: market } },
  ],
  parse([body], { market, instrument }, received): Depth {
    const book = field(body, 'orderBook');
    const bids = levels(field(book, 'bids'), instrument).sort((a, b) => b.price - a.price);
    const asks = levels(field(book, 'asks'), instrument).sort((a, b) => a.price - b.price);
    return {
      market,
      bids: bids.slice(0, mostLevels),
      asks: asks.slice(0, mostLevels),
      ...valueNear({ bids, asks }, near),
      timestamp: timeOf(field(body, 'serverTime')) ?? received,
    };
  },
  slice: (whole, { limit }) => ({
    ...whole,
    bids: whole.bids.slice(0, limit),
    asks: whole.asks.slice(0, limit),
  }),
};

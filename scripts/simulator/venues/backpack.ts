/**
 * Backpack: spot and perpetuals. Source: the venue's public API reference,
 * https://docs.backpack.exchange.
 */

import { bookOf } from '../book.ts';
import { books } from '../books/backpack.ts';
import { bookTime } from '../books/wire.ts';
import { type Bar, monday, nextOpen, opensFrom } from '../calendar.ts';
import { plain } from '../format.ts';
import { backpackMarkets } from '../listings/aster-bybit.ts';
import { channels } from '../live/backpack.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'backpack';
const hour = 3_600_000;
const states = { live: 'Open', halted: 'Closed', preopen: 'PostOnly' } as const;

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
});
const refuse = (status: number, code: string, message: string): never => {
  throw new Refused(status, refusal(status, code, message).body);
};
/** Parameters that cannot be read are answered in plain text. */
const unreadable = (name: string): never => {
  throw new Refused(400, `failed to parse parameter \`${name}\``);
};

function marketOf({ query, model, now }: Ask): Market {
  const id = query.get('symbol') ?? unreadable('symbol');
  const found = model.market(venue, 'all', id, now);
  return found ?? refuse(400, 'INVALID_CLIENT_REQUEST', 'Invalid market symbol');
}

const price = (market: Market, value: number) => plain(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);
const isPerpetual = ({ id }: Market): boolean => id.endsWith('_PERP');

function listed(market: Market): object {
  const perpetual = isPerpetual(market);
  const [base, quote] = market.id.split('_');
  const factors = (value: string, factor: string) =>
    perpetual ? { base: value, factor, type: 'sqrt' } : null;
  return {
    baseSymbol: base,
    createdAt: new Date(market.listed).toISOString().replace('Z', '000'),
    filters: {
      price: {
        borrowEntryFeeMaxMultiplier: null,
        borrowEntryFeeMinMultiplier: null,
        maxImpactMultiplier: '1.03',
        maxMultiplier: '1.25',
        maxPrice: perpetual ? '10000000' : null,
        meanMarkPriceBand: { maxMultiplier: '1.15', minMultiplier: '0.9' },
        meanPremiumBand: perpetual ? { tolerancePct: '0.05' } : null,
        minImpactMultiplier: '0.97',
        minMultiplier: '0.75',
        minPrice: plain(10 ** -market.decimals, market.decimals),
        tickSize: plain(10 ** -market.decimals, market.decimals),
      },
      quantity: {
        maxQuantity: null,
        minQuantity: plain(10 ** -market.lot, market.lot),
        stepSize: plain(10 ** -market.lot, market.lot),
      },
    },
    fundingInterval: (perpetual ? market.fundingHours : 8) * hour,
    fundingRateLowerBound: perpetual ? '-100' : null,
    fundingRateUpperBound: perpetual ? '100' : null,
    imfFunction: factors('0.02', '0.0001275'),
    marketType: perpetual ? 'PERP' : 'SPOT',
    mmfFunction: factors('0.0125', '0.0000765'),
    openInterestLimit: perpetual ? '4000000' : '0',
    orderBookState: states[market.state],
    quoteSymbol: quote,
    symbol: market.id,
    ...(market.kind === 'other' ? { rwaMarketType: 'STOCK' } : {}),
  };
}

const markets = ({ model, now }: Ask) => model.markets(venue, now).map(listed);

const live = ({ model, now }: Ask) =>
  model.markets(venue, now).filter(({ state }) => state === 'live');
const perpetuals = (ask: Ask) => {
  const all = live(ask).filter(isPerpetual);
  if (!ask.query.has('symbol')) return all;
  const one = marketOf(ask);
  const found = all.filter((market) => market === one);
  return found.length > 0 ? found : refuse(400, 'INVALID_CLIENT_REQUEST', 'Symbol not found');
};

const tickers = (ask: Ask) =>
  live(ask).map((market) => {
    const day = ask.model.last24h(market, ask.now);
    return {
      firstPrice: price(market, day.open),
      high: price(market, day.high),
      lastPrice: price(market, day.close),
      low: price(market, day.low),
      priceChange: price(market, day.close - day.open),
      priceChangePercent: plain(day.close / day.open - 1, 6),
      quoteVolume: plain(day.turnover, 8),
      symbol: market.id,
      trades: String(day.trades),
      volume: size(market, day.quantity),
    };
  });

const markPrices = (ask: Ask) =>
  perpetuals(ask).map((market) => {
    const { next } = market.fundingTimes(ask.now);
    return {
      fundingRate: plain(market.fundingRate(next), 12),
      indexPrice: plain(market.index(ask.now), market.decimals + 4),
      markPrice: plain(market.exact(ask.now), market.decimals + 4),
      nextFundingTimestamp: next,
      symbol: market.id,
    };
  });

/** Base, one side. */
const openInterest = (ask: Ask) =>
  perpetuals(ask).map((market) => ({
    openInterest: size(market, market.openInterest(ask.now)),
    symbol: market.id,
    timestamp: ask.now,
  }));

/** Bids in ascending order: the best one is the last. */
function depth(ask: Ask) {
  const market = marketOf(ask);
  const limit = ask.query.get('limit') ?? '1000';
  if (!/^(5|10|20|50|100|500|1000)$/.test(limit)) unreadable('limit');
  if (market.state === 'halted') refuse(404, 'RESOURCE_NOT_FOUND', 'Not Found');
  const { bids, asks, updateId } = bookOf(market, bookTime(ask.now, Number(limit)), Number(limit));
  const rows = (levels: typeof bids) =>
    levels.map((level) => [price(market, level.price), size(market, level.quantity)]);
  return {
    asks: rows(asks),
    bids: rows(bids).reverse(),
    lastUpdateId: String(updateId),
    timestamp: ask.now * 1000,
  };
}

const minute = 60_000;
const day = 24 * hour;
const bars: Readonly<Record<string, Bar>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30].map((n) => [`${n}m`, { ms: n * minute }])),
  ...Object.fromEntries([1, 2, 4, 6, 8, 12].map((n) => [`${n}h`, { ms: n * hour }])),
  '1d': { ms: day },
  '3d': { ms: 3 * day },
  '1w': { ms: 7 * day, origin: monday },
  '1month': { months: 1 },
};

const clockOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

function seconds({ query }: Ask, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  return text !== null && /^\d{1,11}$/.test(text) ? Number(text) * 1000 : unreadable(name);
}

/**
 * Bars that open from `startTime` to `endTime`, both included: the first 1000 of them, ascending.
 */
function klines(ask: Ask) {
  const market = marketOf(ask);
  const bar = bars[ask.query.get('interval') ?? ''] ?? unreadable('interval');
  const from = Math.max(seconds(ask, 'startTime'), market.listed);
  const to = Math.min(seconds(ask, 'endTime', ask.now), ask.now);
  if (market.state !== 'live') return [];
  return opensFrom(bar, from, to, 1000).map((time) => {
    const end = nextOpen(bar, time);
    const candle = market.candle(time, end, ask.now);
    return {
      close: price(market, candle.close),
      end: clockOf(end),
      high: price(market, candle.high),
      low: price(market, candle.low),
      open: price(market, candle.open),
      quoteVolume: plain(candle.turnover, 8),
      start: clockOf(time),
      trades: String(candle.trades),
      volume: size(market, candle.quantity),
    };
  });
}

const table: readonly (readonly [path: string, answer: Route['answer'], bucket?: string])[] = [
  ['time', ({ now }) => now],
  ['markets', markets],
  ['tickers', tickers],
  ['markPrices', markPrices],
  ['openInterest', openInterest],
  ['depth', depth],
  ['klines', klines, 'history'],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, answer, bucket = 'all']) => [
    `/api/v1/${path}`,
    { bucket, weight: () => 1, answer },
  ]),
);

/** The simulated venue. */
export const backpack: SimulatedVenue = {
  id: venue,
  hosts: ['api.backpack.exchange', 'ws.backpack.exchange'],
  markets: backpackMarkets,
  route: (path) => routes.get(path),
  channels: together(channels, books),
  buckets: { all: { weight: 2000, per: minute }, history: { weight: 30, per: minute } },
  refusals: {
    rate_limit: refusal(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    ban: refusal(403, 'FORBIDDEN', 'Forbidden'),
    server_error: refusal(503, 'MAINTENANCE', 'Service unavailable'),
  },
};

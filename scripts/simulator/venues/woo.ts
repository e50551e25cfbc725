/** WOO X: spot and linear contracts. Source: the venue's public API v3 documentation. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import { wooMarkets } from '../listings/kucoin-woo.ts';
import { channels, reply } from '../live/woo.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const day = 24 * hour;

const ok = (data: object, now: number) => ({ success: true, data, timestamp: now });
const refuse = (message: string, more: object = {}): never => {
  throw new Refused(400, { success: false, message, ...more });
};

function marketOf({ model, query, now }: Ask): Market {
  const id = query.get('symbol') ?? '';
  const group = id.startsWith('PERP_') ? 'perp' : 'spot';
  const found = model.market('woo', group, id, now);
  return found?.state === 'live' ? found : refuse(`invalid symbol ${id}`);
}

const step = (decimals: number) => fixed(10 ** -decimals, decimals);
const price = (market: Market, value: number) => plain(value, market.decimals);

const instrument = (market: Market) => ({
  symbol: market.id,
  status: market.state === 'live' ? 'TRADING' : 'SUSPENDED',
  baseAsset: market.symbol,
  baseAssetMultiplier: 1,
  quoteAsset: market.quote,
  quoteMin: '0',
  quoteMax: '100000',
  quoteTick: step(market.decimals),
  baseMin: step(market.lot),
  baseMax: '5000',
  baseTick: step(market.lot),
  minNotional: '1',
  bidCapRatio: '1.1',
  bidFloorRatio: null,
  askCapRatio: null,
  askFloorRatio: '0.9',
  orderMode: 'NORMAL',
  impactNotional: null,
  isAllowedRpi: false,
  tickGranularity: null,
});

const instruments = ({ model, now }: Ask) =>
  ok({ rows: model.markets('woo', now).map(instrument) }, now);

/** A contract that is gone stays, without an index, as it was when it stopped. */
function future(market: Market, { model, now }: Ask) {
  const live = market.state === 'live';
  const { open, high, low, close, quantity, turnover } = model.last24h(market, now);
  const { last, next } = market.fundingTimes(now);
  return {
    symbol: market.id,
    indexPrice: live ? plain(market.index(now), market.decimals + 2) : null,
    markPrice: plain(market.exact(now), market.decimals + 2),
    estFundingRate: plain(market.fundingRate(next), 8),
    lastFundingRate: plain(market.fundingRate(last), 8),
    openInterest: plain(market.openInterest(now), market.lot),
    '24hOpen': price(market, open),
    '24hClose': price(market, close),
    '24hHigh': price(market, high),
    '24hLow': price(market, low),
    '24hVolume': plain(quantity, market.lot),
    '24hAmount': plain(turnover, 8),
    nextFundingTime: live ? next : now - 30 * day,
  };
}

const perps = ({ model, now }: Ask) => model.markets('woo', now, 'perp');

const futures = (ask: Ask) => ok({ rows: perps(ask).map((m) => future(m, ask)) }, ask.now);

function rate(market: Market, now: number) {
  const { last, next } = market.fundingTimes(now);
  return {
    symbol: market.id,
    estFundingRate: plain(market.fundingRate(next), 8),
    estFundingRateTimestamp: now - 1000,
    lastFundingRate: plain(market.fundingRate(last), 8),
    lastFundingRateTimestamp: last,
    nextFundingTime: next,
    lastFundingIntervalHours: market.fundingHours,
    estFundingIntervalHours: market.fundingHours,
  };
}

const fundingRates = (ask: Ask) => ok({ rows: perps(ask).map((m) => rate(m, ask.now)) }, ask.now);

function count({ query }: Ask, name: string, most: number): number {
  const value = Number(query.get(name) ?? 100);
  return value >= 1 && value <= most ? value : refuse(`invalid ${name}`, { code: -1005 });
}

/** `orderbook?symbol=&maxLevel=&rpi=`. */
function orderBook(ask: Ask) {
  const market = marketOf(ask);
  const { bids, asks } = bookOf(market, ask.now, count(ask, 'maxLevel', 500));
  const rows = (side: typeof bids) =>
    side.map((l) => ({ price: price(market, l.price), quantity: plain(l.quantity, market.lot) }));
  return { success: true, timestamp: ask.now, data: { asks: rows(asks), bids: rows(bids) } };
}

const minute = 60_000;
const bars: Readonly<Record<string, Bar>> = {
  '1m': { ms: minute },
  '5m': { ms: 5 * minute },
  '15m': { ms: 15 * minute },
  '30m': { ms: 30 * minute },
  '1h': { ms: hour },
  '4h': { ms: 4 * hour },
  '12h': { ms: 12 * hour },
  '1d': { ms: day },
  '1w': { ms: 7 * day, origin: monday },
  '1mon': { months: 1 },
};

/** Newest first, those that open before `until`. */
function candleRows(ask: Ask, until: (bar: Bar) => number) {
  const market = marketOf(ask);
  const type = ask.query.get('type') ?? '';
  const bar = bars[type] ?? refuse('invalid type', { code: -1005 });
  const from = openOf(bar, market.listed);
  const opens = opensUntil(bar, from, until(bar) - 1, count(ask, 'limit', 1000)).reverse();
  const rows = opens.map((time) => {
    const c = market.candle(time, nextOpen(bar, time), ask.now);
    return {
      symbol: market.id,
      open: price(market, c.open),
      close: price(market, c.close),
      high: price(market, c.high),
      low: price(market, c.low),
      volume: plain(c.quantity, market.lot),
      amount: plain(c.turnover, 8),
      type,
      startTimestamp: time,
      endTimestamp: c.end,
    };
  });
  return ok({ rows }, ask.now);
}

/** The newest candles with the running one, and the closed ones. */
const candles = (ask: Ask) => candleRows(ask, () => ask.now + 1);
const candleHistory = (ask: Ask) =>
  candleRows(ask, (bar) =>
    Math.min(openOf(bar, ask.now), Number(ask.query.get('before') ?? ask.now)),
  );

const table: readonly (readonly [path: string, answer: Route['answer']])[] = [
  ['instruments', instruments],
  ['futures', futures],
  ['fundingRate', fundingRates],
  ['orderbook', orderBook],
  ['kline', candles],
  ['klineHistory', candleHistory],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, answer]) => [`/v3/public/${path}`, { bucket: path, weight: () => 1, answer }]),
);

const rateLimit = { success: false, code: -1003, message: 'Rate limit exceed.' };

/** The simulated venue. */
export const woo: SimulatedVenue = {
  id: 'woo',
  hosts: ['api.woox.io', 'api-pub.woox.io', 'wss.woox.io'],
  markets: wooMarkets,
  route: (path) => routes.get(path),
  channels,
  buckets: Object.fromEntries(table.map(([path]) => [path, { weight: 10, per: 1000 }])),
  refusals: {
    rate_limit: { status: 429, body: rateLimit },
    ban: { status: 403, body: { success: false, message: 'forbidden' } },
    // The gateway's own, inside a 200.
    server_error: { status: 200, body: { code: 503, message: '[GW] no upstream server' } },
  },
  reply,
};

/**
 * WhiteBIT: spot and perpetuals. Source: the venue's public API v4 and v1 documentation,
 * https://docs.whitebit.com.
 */

import { bookOf } from '../book.ts';
import { books } from '../books/whitebit.ts';
import { type Bar, monday, nextOpen, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import { whitebitMarkets } from '../listings/kucoin-woo.ts';
import { together } from '../live/moving.ts';
import { channels, premiums, reply } from '../live/whitebit.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'whitebit';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const price = (market: Market, value: number) => plain(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);
const isFutures = ({ group }: Market): boolean => group === 'futures';

const find = ({ model, now }: Ask, id: string): Market | undefined =>
  model.market(venue, id.endsWith('_PERP') ? 'futures' : 'spot', id, now);

function typeOf(market: Market): string {
  if (!isFutures(market)) return 'spot';
  return market.kind === 'other' ? 'tradfiFutures' : 'futures';
}

const markets = ({ model, now }: Ask) =>
  model.markets(venue, now).map((market) => ({
    name: market.id,
    stock: market.symbol,
    money: isFutures(market) ? 'PERP' : market.quote,
    stockPrec: String(market.lot),
    moneyPrec: String(market.decimals),
    feePrec: '4',
    makerFee: '0.1',
    takerFee: '0.1',
    minAmount: plain(10 ** -market.lot, market.lot),
    minTotal: '5',
    tradesEnabled: market.state === 'live',
    isCollateral: true,
    type: typeOf(market),
    maxTotal: '1000000000',
  }));

/** A map by id; perpetuals are in it too. */
const ticker = ({ model, now }: Ask) =>
  Object.fromEntries(
    model.markets(venue, now).map((market) => {
      const stretch = model.last24h(market, now);
      const row = {
        base_id: market.seed % 10_000,
        quote_id: 825,
        last_price: price(market, market.price(now)),
        quote_volume: plain(stretch.turnover, 8),
        base_volume: size(market, stretch.quantity),
        isFrozen: market.state !== 'live',
        change: plain((stretch.close / stretch.open - 1) * 100, 2),
      };
      return [market.id, row];
    }),
  );

function contract(market: Market, { model, now }: Ask): object {
  const stretch = model.last24h(market, now);
  const book = bookOf(market, now, 1);
  const live = market.state === 'live';
  return {
    ticker_id: market.id,
    stock_currency: market.symbol,
    money_currency: 'USDT',
    last_price: price(market, market.price(now)),
    stock_volume: size(market, stretch.quantity),
    money_volume: plain(stretch.turnover, 8),
    bid: price(market, book.bids[0]?.price ?? 0),
    ask: price(market, book.asks[0]?.price ?? 0),
    high: price(market, stretch.high),
    low: price(market, stretch.low),
    product_type: 'Perpetual',
    open_interest: size(market, market.openInterest(now)),
    index_price: live ? plain(market.index(now), market.decimals + 3) : '0',
    index_name: `${market.symbol} future contract`,
    index_currency: market.symbol,
    funding_rate: plain(market.fundingRate(market.fundingTimes(now).next), 8),
    next_funding_rate_timestamp: String(market.fundingTimes(now).next),
    brackets: { 1: 0, 2: 0, 3: 0, 5: 0, 10: 0, 20: 4000, 50: 800, 100: 0 },
    max_leverage: 50,
    funding_interval_minutes: market.fundingHours * 60,
    mark_price: live ? plain(market.exact(now), market.decimals + 3) : '',
    funding_cap: '0.003',
    funding_floor: '-0.003',
  };
}

const futures = (ask: Ask) => ({
  success: true,
  message: null,
  result: ask.model.markets(venue, ask.now, 'futures').map((market) => contract(market, ask)),
});

const unavailable = { market: ['Market is not available.'] };

/** `orderbook/<market>?limit=`: at most 100 levels, 100 when absent; an empty side is null. */
function orderBook(ask: Ask) {
  const market = find(ask, decodeURIComponent(ask.path.split('/').at(-1) ?? ''));
  if (market?.state !== 'live') throw new Refused(422, unavailable);
  const limit = Number(ask.query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) throw new Refused(422, { limit: ['Limit must be 1 to 100.'] });
  const book = bookOf(market, ask.now, limit);
  const rows = (levels: typeof book.bids) =>
    levels.length === 0
      ? null
      : levels.map((level) => [price(market, level.price), size(market, level.quantity)]);
  return {
    ticker_id: market.id,
    timestamp: ask.now / 1000,
    asks: rows(book.asks),
    bids: rows(book.bids),
  };
}

const bars: Readonly<Record<string, Bar>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30].map((n) => [`${n}m`, { ms: n * minute }])),
  ...Object.fromEntries([1, 2, 4, 6, 8, 12].map((n) => [`${n}h`, { ms: n * hour }])),
  '1d': { ms: day },
  '3d': { ms: 3 * day },
  '1w': { ms: 7 * day, origin: monday },
  '1M': { months: 1 },
};

/** Version 1 refuses below `message`. */
const refuse = (name: string, why: string): never => {
  throw new Refused(422, { success: false, message: { [name]: [why] }, result: null });
};

function seconds({ query }: Ask, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback / 1000);
  return Number.isInteger(value) ? value * 1000 : refuse(name, 'Must be an integer.');
}

/**
 * Bars that open from `start` to `end`, seconds, both included: the last `limit` of them,
 * ascending.
 */
function kline(ask: Ask) {
  const market = find(ask, ask.query.get('market') ?? '');
  if (!market) return refuse('market', 'Market is not available.');
  const bar = bars[ask.query.get('interval') ?? '1h'] ?? refuse('interval', 'Interval is invalid.');
  const limit = Number(ask.query.get('limit') ?? 1440);
  if (!(limit >= 1 && limit <= 1440)) return refuse('limit', 'Limit must be 1 to 1440.');
  const from = Math.max(seconds(ask, 'start', 0), market.listed);
  const to = Math.min(seconds(ask, 'end', ask.now), ask.now);
  const times = market.state === 'live' ? opensUntil(bar, from, to, limit) : [];
  const result = times.map((time) => {
    const c = market.candle(time, nextOpen(bar, time), ask.now);
    const prices = [c.open, c.close, c.high, c.low].map((value) => price(market, value));
    return [time / 1000, ...prices, size(market, c.quantity), plain(c.turnover, 9)];
  });
  return { success: true, message: '', result };
}

const route = (answer: Route['answer'], bucket = 'all'): Route => ({
  bucket,
  weight: () => 1,
  answer,
});
const routes: ReadonlyMap<string, Route> = new Map([
  ['/api/v4/public/markets', route(markets)],
  ['/api/v4/public/ticker', route(ticker)],
  ['/api/v4/public/futures', route(futures)],
  ['/api/v4/public/time', route(({ now }) => ({ time: now / 1000 }))],
  ['/api/v1/public/kline', route(kline)],
]);
const bookRoute = route(orderBook, 'books');

const refusal = (status: number, message: string) => ({
  status,
  body: { success: false, message, errors: [] },
});

/** The simulated venue. */
export const whitebit: SimulatedVenue = {
  id: venue,
  hosts: ['whitebit.com', 'wss.whitebit.com'],
  markets: whitebitMarkets,
  route: (path) => (path.startsWith('/api/v4/public/orderbook/') ? bookRoute : routes.get(path)),
  reply,
  channels: together(channels, premiums, books),
  buckets: { all: { weight: 2000, per: 10_000 }, books: { weight: 600, per: 10_000 } },
  refusals: {
    rate_limit: refusal(429, 'Too many requests.'),
    ban: refusal(451, 'Margin trading is not available in your country.'),
    server_error: refusal(503, 'Service is under maintenance.'),
  },
};

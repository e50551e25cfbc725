/**
 * WhiteBIT: spot and perpetuals. Source: the venue's public API v4 and v1 documentation,
 * https://docs.whitebit.com.
 */

import { books } from '../books/whitebit.ts';
import { type Bar, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { whitebitMarkets } from '../listings/kucoin-woo.ts';
import { together } from '../live/moving.ts';
import { channels, premiums, reply } from '../live/whitebit.ts';
import type { Market } from '../market.ts';
import { rowsWith, whileLive } from '../rows.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'whitebit';
const isFutures = ({ group }: Market): boolean => group === 'futures';

const find = ({ model, now }: Ask, id: string): Market | undefined =>
  model.market(venue, id.endsWith('_PERP') ? 'futures' : 'spot', id, now);

function typeOf(market: Market): string {
  if (!isFutures(market)) return 'spot';
  return market.kind === 'other' ? 'tradfiFutures' : 'futures';
}

const { row, list } = rowsWith({
  ...whileLive('0', 'index'),
  ...whileLive('', 'mark'),
  money: ({ market }) => (isFutures(market) ? 'PERP' : market.quote),
  type: ({ market }) => typeOf(market),
  baseId: ({ market }) => market.seed % 10_000,
  isFrozen: ({ market }) => !isLive(market),
  indexName: ({ market }) => `${market.symbol} future contract`,
  minutes: ({ market }) => market.fundingHours * 60,
});
const market = row(`
  name=id stock=symbol money stockPrec=$lot moneyPrec=$decimals feePrec='4' makerFee='0.1'
  takerFee='0.1' minAmount=step minTotal='5' tradesEnabled=isLive isCollateral=true type
  maxTotal='1000000000'`);
const tickerRow = row(`
  base_id=baseId quote_id=825 last_price=last quote_volume=turnover base_volume=quantity isFrozen
  change=percent`);
const contract = row(`
  ticker_id=id stock_currency=symbol money_currency='USDT' last_price=last stock_volume=quantity
  money_volume=turnover bid=bestBid ask=bestAsk high low product_type='Perpetual'
  open_interest=interest index_price=index+3 index_name=indexName index_currency=symbol
  funding_rate=rate next_funding_rate_timestamp=$next
  brackets={"1":0,"2":0,"3":0,"5":0,"10":0,"20":4000,"50":800,"100":0} max_leverage=50
  funding_interval_minutes=minutes mark_price=mark+3 funding_cap='0.003' funding_floor='-0.003'`);
const level = list('price size');
const candle = list('startSeconds open close high low quantity turnover.9');

const markets = (ask: Ask) => marketRows(market, ask, { venue });

/** A map by id; perpetuals are in it too. */
const ticker = (ask: Ask) =>
  Object.fromEntries(ask.model.markets(venue, ask.now).map((one) => [one.id, tickerRow(one, ask)]));

const futures = (ask: Ask) => ({
  ...{ success: true, message: null },
  result: marketRows(contract, ask, { venue, group: 'futures' }),
});

const unavailable = { market: ['Market is not available.'] };

/** `orderbook/<market>?limit=`: at most 100 levels, 100 when absent; an empty side is null. */
function orderBook(ask: Ask) {
  const market = find(ask, decodeURIComponent(ask.path.split('/').at(-1) ?? ''));
  if (market?.state !== 'live') throw new Refused(422, unavailable);
  const limit = Number(ask.query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) throw new Refused(422, { limit: ['Limit must be 1 to 100.'] });
  const { bids, asks } = bookRows(level, market, ask, limit);
  const side = (rows: unknown[][]) => (rows.length === 0 ? null : rows);
  return { ticker_id: market.id, timestamp: ask.now / 1000, asks: side(asks), bids: side(bids) };
}

const bars: Readonly<Record<string, Bar>> = barsOf(
  '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M',
);

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
  const opens = isLive(market) ? opensUntil(bar, from, to, limit) : [];
  const result = candleRows(candle, market, { bar, opens }, ask);
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

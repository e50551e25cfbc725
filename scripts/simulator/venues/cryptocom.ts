/** Crypto.com Exchange: spot, perpetuals, futures. Source: the venue's public API v1 documentation. */

import { books } from '../books/cryptocom.ts';
import { opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { fixed, plain } from '../format.ts';
import { cryptocomMarkets } from '../listings/coinbase-kraken.ts';
import { heartbeats, tickersBy, valuesBy } from '../live/cryptocom.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight, whileLive } from '../rows.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'cryptocom';
const hour = 3_600_000;

const refuse = (message: string): never => {
  throw new Refused(400, { code: 40_004, message });
};
const ok = (ask: Ask, result: object) => ({
  id: -1,
  method: ask.path.replace('/exchange/v1/', ''),
  code: 0,
  result,
});
const all = ({ model, now }: Ask) => model.markets(venue, now, 'all');

function marketOf(ask: Ask): Market {
  const id = ask.query.get('instrument_name') ?? '';
  return ask.model.market(venue, 'all', id, ask.now) ?? refuse('Invalid instrument_name');
}

/** The number at `name`, within its limits. */
function integer({ query }: Ask, name: string, fallback: number, most = 2 ** 53): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : refuse(`Invalid ${name}`);
  return value >= 1 && value <= most ? value : refuse(`Invalid ${name}`);
}

function typeOf(market: Market): string {
  if (market.kind === 'spot') return 'CCY_PAIR';
  return market.expires === undefined ? 'PERPETUAL_SWAP' : 'FUTURE';
}

const indexOf = (market: Market) => `${market.symbol}${market.quote}-INDEX`;
/** Dollars for one of the quote. */
const dollarsOf = ({ market, model }: Sight) =>
  market.dollars ?? model.truth(venue, 'BTC_USD')?.price ?? 1;

const { row } = rowsWith({
  // What does not trade has null for its prices.
  ...whileLive(null, 'high low close fraction'),
  bid: ({ best }) => best.bid?.price ?? null,
  ask: ({ best }) => best.ask?.price ?? null,
  type: ({ market }) => typeOf(market),
  product: ({ market }) => (market.symbol === 'TSLA' ? 'EQUITY' : 'DIGITAL_CURRENCIES'),
  underlying: ({ market }) => indexOf(market),
  value: (sight) => sight.stretch.turnover * dollarsOf(sight),
});

const described = `
  symbol=id inst_type=type display_name=id base_ccy=symbol quote_ccy=quote quote_decimals=decimals
  quantity_decimals=lot price_tick_size=tick qty_tick_size=step max_leverage='50' tradable=isLive
  expiry_timestamp_ms=expires beta_product=false product_type=product margin_buy_enabled=false
  margin_sell_enabled=false`;
const pair = row(described);
const contract = row(`${described} underlying_symbol=underlying contract_size='1'`);
const instrument: Row = (market, at) => (market.kind === 'spot' ? pair : contract)(market, at);
const quoted = 'i=id h=high l=low a=close v=base vv=value.2f c=fraction.4f b=bid k=ask t=now';
const tickers = { pair: row(quoted), contract: row(`${quoted} oi=interest.8`) };
const ticker: Row = (market, at) =>
  tickers[market.kind === 'spot' ? 'pair' : 'contract'](market, at);
const level = rowsWith({}, { write: fixed }).list('price size $orders');
const candle = row('o=open+0f h=high+0f l=low+0f c=close+0f v=base.8f t=start');

/** `get-instruments`. */
const instruments = (ask: Ask) => ok(ask, { data: marketRows(instrument, ask, { venue }) });

/** `get-tickers`, with `instrument_name` only that one. */
const allTickers = (ask: Ask) =>
  ok(ask, {
    data: ask.query.has('instrument_name')
      ? [ticker(marketOf(ask), ask)]
      : marketRows(ticker, ask, { venue }),
  });

/** `get-book?instrument_name=&depth=`: 1 to 150. */
function book(ask: Ask) {
  const market = marketOf(ask);
  const depth = integer(ask, 'depth', 50, 150);
  const { bids, asks } = bookRows(level, market, ask, depth);
  const data = [{ bids, asks, t: ask.now }];
  return ok(ask, { depth, data, instrument_name: market.id });
}

/** Funding as a fraction per hour: the rate of the interval that `t` is in, divided by its hours. */
const hourly = (market: Market, t: number) =>
  plain(market.fundingRate(market.fundingTimes(t).next) / market.fundingHours, 15);

function values(
  market: Market,
  type: string,
  { now }: Pick<Ask, 'now'>,
  count: number,
): [string, number][] {
  const last = Math.floor(now / hour) * hour;
  const hours = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * hour);
  if (type === 'mark_price') return [[plain(market.exact(now), market.decimals + 2), now]];
  if (type === 'index_price') return [[plain(market.index(now), market.decimals + 2), now]];
  if (type === 'estimated_funding_rate') return [[hourly(market, now + 4 * hour), now]];
  if (type === 'funding_rate') return [[hourly(market, now), last]];
  if (type === 'funding_hist') return hours.map((t) => [hourly(market, t), t]);
  return refuse('Invalid valuation_type');
}

/** The contract of a valuation; an index price is also to be had by the name of the index. */
function valued(ask: Ask, type: string): Market {
  const id = ask.query.get('instrument_name') ?? '';
  const index = type === 'index_price' && id.endsWith('-INDEX');
  const found = index ? all(ask).find((one) => one.kind !== 'spot' && indexOf(one) === id) : null;
  const market = found ?? marketOf(ask);
  return market.kind === 'spot' ? refuse('Invalid instrument_name') : market;
}

/** `get-valuations?instrument_name=&valuation_type=&count=`; an index answers under its own name. */
function valuations(ask: Ask) {
  const type = ask.query.get('valuation_type') ?? '';
  const market = valued(ask, type);
  const count = integer(ask, 'count', 25, 300);
  const data = values(market, type, ask, count).map(([v, t]) => ({ v, t }));
  return ok(ask, { data, instrument_name: type === 'index_price' ? indexOf(market) : market.id });
}

const newest = (type: string) => (market: Market, now: number) =>
  values(market, type, { now }, 1)[0] ?? refuse('Invalid valuation_type');

const valuationChannels = [
  valuesBy('mark', { value: newest('mark_price'), seconds: 1 }),
  valuesBy('index', { named: indexOf, value: newest('index_price'), seconds: 1 }),
  valuesBy('funding', { value: newest('funding_rate'), seconds: 60 }),
];

const bars = barsOf('1m 5m 15m 30m 1h 4h 6h 12h 1D=1d 7D=7d 14D=14d 1M');

/** `get-candlestick`: the last `count` bars of the range, 25 when absent, oldest first. */
function candles(ask: Ask) {
  const market = marketOf(ask);
  const interval = ask.query.get('timeframe') ?? '1m';
  const bar = bars[interval] ?? refuse('Invalid timeframe');
  const count = integer(ask, 'count', 25, 300);
  const from = Math.max(market.listed, integer(ask, 'start_ts', 1));
  const until = Math.min(ask.now, integer(ask, 'end_ts', ask.now));
  const opens = isLive(market) ? opensUntil(bar, from, until, count) : [];
  const data = candleRows(candle, market, { bar, opens }, ask);
  return ok(ask, { interval, data, instrument_name: market.id });
}

/** Method, requests a second, answer. */
const table: readonly (readonly [method: string, limit: number, answer: Route['answer']])[] = [
  ['instruments', 30, instruments],
  ['tickers', 100, allTickers],
  ['book', 100, book],
  ['valuations', 100, valuations],
  ['candlestick', 100, candles],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([method, , answer]) => [
    `/exchange/v1/public/get-${method}`,
    { bucket: method, weight: () => 1, answer },
  ]),
);

const tooMany = { status: 429, body: { code: 42_901, message: 'TOO_MANY_REQUESTS' } };

/** The simulated venue. */
export const cryptocom: SimulatedVenue = {
  id: venue,
  hosts: ['api.crypto.com', 'stream.crypto.com'],
  markets: cryptocomMarkets,
  route: (path) => routes.get(path),
  buckets: Object.fromEntries(table.map(([method, weight]) => [method, { weight, per: 1000 }])),
  refusals: {
    rate_limit: tooMany,
    ban: { ...tooMany, status: 403 },
    server_error: { status: 503, body: { code: 9_010_001, message: 'SYSTEM_MAINTENANCE' } },
  },
  channels: together(tickersBy(ticker), ...valuationChannels, heartbeats, books),
  /** A subscription is acknowledged with its id. */
  reply(frame) {
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('method' in message)) return [];
    if (message.method === 'public/respond-heartbeat') return [];
    const id = 'id' in message ? message.id : -1;
    return [JSON.stringify({ id, method: message.method, code: 0 })];
  },
};

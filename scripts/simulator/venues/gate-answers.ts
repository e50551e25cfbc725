/** The answers of Gate: bare lists, seconds, `{label, message}` with a 400 or 404 when it refuses. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'gate';
export type Group = 'spot' | 'usdt' | 'btc' | 'usd1';

export const refuse = (status: number, label: string, message: string): never => {
  throw new Refused(status, { label, message });
};

export function marketOf({ query, model, now }: Ask, group: Group): Market {
  const name = group === 'spot' ? 'currency_pair' : 'contract';
  const id = query.get(name) ?? '';
  if (id === '') return refuse(400, 'INVALID_PARAM_VALUE', `invalid argument: ${name}`);
  const found = model.market(venue, group, id, now);
  if (found?.state === 'live') return found;
  return group === 'spot'
    ? refuse(400, 'INVALID_CURRENCY_PAIR', `Invalid currency pair ${id}`)
    : refuse(400, 'CONTRACT_NOT_FOUND', 'contract not found');
}

export function integer({ query }: Ask, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  return refuse(400, 'INVALID_PARAM_VALUE', `invalid argument: ${name}`);
}

const price = (market: Market, value: number) => plain(value, market.decimals);
const baseOf = ({ id }: Market) => id.split('_')[0] ?? '';

/** `spot/currency_pairs`. */
export const pairs = ({ model, now }: Ask) =>
  model.markets(venue, now, 'spot').map((market) => ({
    id: market.id,
    base: baseOf(market),
    quote: market.quote,
    fee: '0.2',
    min_base_amount: plain(10 ** -market.lot, market.lot),
    min_quote_amount: '3',
    amount_precision: market.lot,
    precision: market.decimals,
    trade_status: market.state === 'live' ? 'tradable' : 'untradable',
    sell_start: 0,
    buy_start: 0,
  }));

const trading = ({ model, now }: Ask, group: Group) =>
  model.markets(venue, now, group).filter((market) => market.state === 'live');

const etf = (market: Market, now: number) => ({
  etf_net_value: plain(market.exact(now), 8),
  etf_pre_net_value: plain(market.exact(now - 60_000), 8),
  etf_pre_timestamp: now / 1000 - 60,
  etf_leverage: '3',
});

/** A row of `spot/tickers`. */
export const spotTicker = (market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) => {
  const day = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const change = fixed((day.close / day.open - 1) * 100, 2);
  return {
    currency_pair: market.id,
    last: price(market, market.price(now)),
    lowest_ask: asks[0] ? price(market, asks[0].price) : '',
    highest_bid: bids[0] ? price(market, bids[0].price) : '',
    change_percentage: change,
    change_utc0: change,
    change_utc8: change,
    base_volume: plain(day.base, 10),
    quote_volume: plain(day.turnover, 10),
    high_24h: price(market, day.high),
    low_24h: price(market, day.low),
    ...(market.kind === 'other' && etf(market, now)),
  };
};

/** `spot/tickers`. */
export const spotTickers = (ask: Ask) =>
  trading(ask, 'spot').map((market) => spotTicker(market, ask));

/** A row of `futures/{settle}/tickers`; `total_size` counts both sides here. */
export const ticker = (market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) => {
  const day = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const rate = plain(market.fundingRate(market.fundingTimes(now).next), 8);
  return {
    contract: market.id,
    last: price(market, market.price(now)),
    low_24h: price(market, day.low),
    high_24h: price(market, day.high),
    change_percentage: fixed((day.close / day.open - 1) * 100, 2),
    total_size: String(2 * positionSize(market, now)),
    volume_24h: plain(day.quantity, 0),
    volume_24h_btc: '0',
    volume_24h_usd: plain(day.turnover, 0),
    volume_24h_base: plain(day.base, 8),
    volume_24h_quote: plain(day.turnover, 8),
    volume_24h_settle: plain(market.inverse ? day.base : day.turnover, 8),
    mark_price: plain(market.exact(now), market.decimals + 2),
    funding_rate: rate,
    funding_rate_indicative: rate,
    index_price: plain(market.index(now), market.decimals + 2),
    highest_bid: bids[0] ? price(market, bids[0].price) : '',
    lowest_ask: asks[0] ? price(market, asks[0].price) : '',
  };
};

/** `futures/{settle}/tickers`. */
export const tickers = (group: Group) => (ask: Ask) =>
  trading(ask, group).map((market) => ticker(market, ask));

/** Contracts that one side holds. */
export function positionSize(market: Market, now: number): number {
  const base = market.openInterest(now);
  return Math.round((market.inverse ? base * market.exact(now) : base) / market.contract);
}

const statuses = { live: 'trading', halted: 'delisted', preopen: 'prelaunch' } as const;

const terms = {
  funding_offset: 0,
  risk_limit_base: '1000000',
  interest_rate: '0.0003',
  order_size_min: 1,
  enable_decimal: false,
  ref_rebate_rate: '0.2',
  ref_discount_rate: '0',
  order_price_deviate: '0.5',
  maintenance_rate: '0.005',
  mark_type: 'index',
  risk_limit_step: '1000000',
  enable_bonus: true,
  enable_credit: true,
  leverage_min: '1',
  order_size_max: 1_000_000,
  funding_impact_value: '60000',
  leverage_max: '100',
  cross_leverage_default: '10',
  risk_limit_max: '8000000',
  maker_fee_rate: '-0.0001',
  taker_fee_rate: '0.00075',
  orders_limit: 100,
  funding_cap_ratio: '1',
  voucher_leverage: '0',
  enable_circuit_breaker: false,
  funding_rate_limit: '0.02',
  market_order_slip_ratio: '0.04',
  market_order_size_max: '300000',
};

function contract(market: Market, now: number) {
  const { next } = market.fundingTimes(now);
  const rate = plain(market.fundingRate(next), 8);
  return {
    ...terms,
    name: market.id,
    type: market.inverse ? 'inverse' : 'direct',
    quanto_multiplier: market.inverse ? '0' : plain(market.contract, 8),
    last_price: price(market, market.price(now)),
    mark_price: plain(market.exact(now), market.decimals + 2),
    index_price: plain(market.index(now), market.decimals + 2),
    mark_price_round: plain(10 ** -market.decimals, market.decimals),
    order_price_round: plain(10 ** -market.decimals, market.decimals),
    funding_rate: rate,
    funding_rate_indicative: rate,
    funding_interval: market.fundingHours * 3600,
    funding_next_apply: next / 1000,
    in_delisting: market.state === 'halted',
    position_size: positionSize(market, now),
    trade_size: Math.round(market.tradeId(now)),
    trade_id: market.tradeId(now),
    orderbook_id: bookOf(market, now, 1).updateId,
    short_users: 157,
    long_users: 191,
    config_change_time: market.listed / 1000,
    create_time: market.listed / 1000,
    launch_time: market.listed / 1000,
    is_pre_market: false,
    status: statuses[market.state],
    contract_type: market.symbol === 'TSLA' ? 'stocks' : '',
  };
}

/** `futures/{settle}/contracts?limit=&offset=`. */
export const contracts = (group: Group) => (ask: Ask) => {
  const from = integer(ask, 'offset', 0, 1e6);
  const limit = integer(ask, 'limit', 1000, 1000);
  const all = ask.model.markets(venue, ask.now, group).slice(from, from + limit);
  return all.map((market) => contract(market, ask.now));
};

/** `order_book`: strings and ms on spot, `{s, p}` and seconds on futures. */
export const orderBook = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const { bids, asks, updateId } = bookOf(market, ask.now, integer(ask, 'limit', 10, 300));
  const current = group === 'spot' ? ask.now : ask.now / 1000;
  const rows = (levels: typeof bids) =>
    levels.map((l) =>
      group === 'spot'
        ? [price(market, l.price), plain(l.quantity, market.lot)]
        : { s: l.quantity, p: price(market, l.price) },
    );
  return { id: updateId, current, asks: rows(asks), bids: rows(bids), update: current };
};

const minute = 60_000;
const short = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '8h': 480,
  '1d': 1440,
};
export const bars: Readonly<Record<string, Bar>> = {
  ...Object.fromEntries(Object.entries(short).map(([name, n]) => [name, { ms: n * minute }])),
  '7d': { ms: 10_080 * minute },
  '1w': { ms: 10_080 * minute, origin: monday },
  '30d': { months: 1 },
};

/** Either the newest `limit`, or those from `from` to `to`, both included; never both. */
function opens(ask: Ask, market: Market, bar: Bar): number[] {
  const { query, now } = ask;
  const start = openOf(bar, market.listed);
  if (!query.has('from')) return opensUntil(bar, start, now, integer(ask, 'limit', 100, 1000));
  if (query.has('limit')) {
    refuse(400, 'INVALID_PARAM_VALUE', 'limit conflicts with from and to');
  }
  const from = Math.max(start, integer(ask, 'from', 0, 1e11) * 1000);
  const to = Math.min(now, integer(ask, 'to', now / 1000, 1e11) * 1000);
  return opensFrom(bar, from, to, 1000);
}

/** `candlesticks`, oldest first with the running one: rows of strings on spot, objects on futures. */
export const candles = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const bar = bars[ask.query.get('interval') ?? ''];
  if (!bar) return refuse(400, 'INVALID_PARAM_VALUE', 'invalid argument: interval');
  return opens(ask, market, bar).map((time) => {
    const c = market.candle(time, nextOpen(bar, time), ask.now);
    const [o, h, l, last] = [c.open, c.high, c.low, c.close].map((value) => price(market, value));
    const [t, sum] = [time / 1000, plain(c.turnover, 8)];
    return group === 'spot'
      ? [String(t), sum, last, h, l, o, plain(c.base, 8), String(c.closed)]
      : { t, v: c.quantity, c: last, h, l, o, sum };
  });
};

/** The answers of Gate: bare lists, seconds, `{label, message}` with a 400 or 404 when it refuses. */
import { type Bar, openOf, opensFrom, opensUntil } from '../calendar.ts';
import {
  type Answer,
  barsOf,
  bookRows,
  candleRows,
  isLive,
  marketRows,
  wholes,
} from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'gate';
export type Group = 'spot' | 'usdt' | 'btc' | 'usd1' | 'delivery';

export const refuse = (status: number, label: string, message: string): never => {
  throw new Refused(status, { label, message });
};
export const invalid = (name: string) =>
  refuse(400, 'INVALID_PARAM_VALUE', `invalid argument: ${name}`);
export const whole = wholes(invalid);

export function marketOf({ query, model, now }: Ask, group: Group): Market {
  const name = group === 'spot' ? 'currency_pair' : 'contract';
  const id = query.get(name) || invalid(name);
  const found = model.market(venue, group, id, now);
  if (found?.state === 'live') return found;
  return group === 'spot'
    ? refuse(400, 'INVALID_CURRENCY_PAIR', `Invalid currency pair ${id}`)
    : refuse(400, 'CONTRACT_NOT_FOUND', 'contract not found');
}

const statuses = { live: 'trading', halted: 'delisted', preopen: 'prelaunch' } as const;

export const { row, list } = rowsWith({
  pairName: ({ market }) => market.id.replace(/_\d+$/, ''),
  baseName: ({ market }) => market.id.split('_')[0],
  pairStatus: ({ market }) => (market.state === 'live' ? 'tradable' : 'untradable'),
  status: ({ market }) => statuses[market.state],
  isEnding: ({ market }) => market.state === 'halted',
  type: ({ market }) => (market.inverse ? 'inverse' : 'direct'),
  sort: ({ market }) => (market.symbol === 'TSLA' ? 'stocks' : ''),
  multiplier: ({ market }) => (market.inverse ? 0 : market.contract),
  settled: ({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover),
  bothSides: ({ interest }) => 2 * Math.round(interest.contracts),
  every: ({ market }) => market.fundingHours * 3600,
  nextSeconds: ({ funding }) => funding.next / 1000,
  since: ({ market }) => market.listed / 1000,
  tradeId: ({ market, now }) => market.tradeId(now),
  minuteAgo: ({ now }) => now / 1000 - 60,
  expiresSeconds: ({ market }) => (market.expires ?? 0) / 1000,
  basisRate: ({ market, now }) => market.exact(now) / market.index(now) - 1,
  basisValue: ({ market, now }) => market.exact(now) - market.index(now),
  markBefore: ({ market, now }) => market.exact(now - 60_000),
});

const pair = row(`
  id base=baseName quote fee='0.2' min_base_amount=step min_quote_amount='3' amount_precision=lot
  precision=decimals trade_status=pairStatus sell_start=0 buy_start=0`);
const usualTicker = row(`
  currency_pair=id last lowest_ask=ask highest_bid=bid change_percentage=percent.2f
  change_utc0=percent.2f change_utc8=percent.2f base_volume=base.10 quote_volume=turnover.10
  high_24h=high low_24h=low`);
const etf = row(`
  etf_net_value=mark.8 etf_pre_net_value=markBefore.8 etf_pre_timestamp=minuteAgo etf_leverage='3'`);

/** A row of `spot/tickers`. */
export const spotTicker: Row = (market, at) =>
  market.kind === 'other'
    ? { ...usualTicker(market, at), ...etf(market, at) }
    : usualTicker(market, at);

/** A row of `futures/{settle}/tickers`; `total_size` counts both sides here. */
export const ticker = row(`
  contract=id last low_24h=low high_24h=high change_percentage=percent.2f total_size=$bothSides
  volume_24h=quantity.0 volume_24h_btc='0' volume_24h_usd=turnover.0 volume_24h_base=base
  volume_24h_quote=turnover volume_24h_settle=settled.8 mark_price=mark funding_rate=rate
  funding_rate_indicative=rate index_price=index highest_bid=bid lowest_ask=ask`);

/** `position_size` counts one side. */
const contract = row(`
  funding_offset=0 risk_limit_base='1000000' interest_rate='0.0003' order_size_min=1 enable_decimal=false
  ref_rebate_rate='0.2' ref_discount_rate='0' order_price_deviate='0.5' maintenance_rate='0.005'
  mark_type='index' risk_limit_step='1000000' enable_bonus=true enable_credit=true leverage_min='1'
  order_size_max=1000000 funding_impact_value='60000' leverage_max='100' cross_leverage_default='10'
  risk_limit_max='8000000' maker_fee_rate='-0.0001' taker_fee_rate='0.00075' orders_limit=100
  funding_cap_ratio='1' voucher_leverage='0' enable_circuit_breaker=false funding_rate_limit='0.02'
  market_order_slip_ratio='0.04' market_order_size_max='300000'
  name=id type quanto_multiplier=multiplier.8 last_price=last mark_price=mark index_price=index
  mark_price_round=tick order_price_round=tick funding_rate=rate funding_rate_indicative=rate
  funding_interval=every funding_next_apply=nextSeconds in_delisting=isEnding position_size=contracts
  trade_size=tradeId trade_id=tradeId orderbook_id=updateId short_users=157 long_users=191
  config_change_time=since create_time=since launch_time=since is_pre_market=false status
  contract_type=sort`);

/** A row of `delivery/usdt/contracts`. */
const delivery = row(`
  name=id underlying=pairName cycle='QUARTERLY' type quanto_multiplier=multiplier.8 mark_type='index'
  last_price=last mark_price=mark index_price=index basis_rate=basisRate.6 basis_value=basisValue.4
  basis_impact_value='100000' settle_price='0' settle_price_interval=60 settle_price_duration=1800
  settle_fee_rate='0.00015' expire_time=expiresSeconds order_price_round=tick mark_price_round=tick
  leverage_min='1' leverage_max='100' maintenance_rate='0.01' risk_limit_base='100'
  risk_limit_step='100' risk_limit_max='800' maker_fee_rate='-0.00025' taker_fee_rate='0.00075'
  ref_discount_rate='0' ref_rebate_rate='0.2' order_price_deviate='0.5' order_size_min=1
  order_size_max=1000000 orders_limit=50 orderbook_id=updateId trade_id=tradeId trade_size=tradeId
  position_size=contracts config_change_time=since in_delisting=isEnding`);

/** `spot/currency_pairs`. */
export const pairs = (ask: Ask) => marketRows(pair, ask, { venue, group: 'spot' });

/** `tickers` of spot and of futures. */
export const tickers =
  (group: Group, made: Row): Answer =>
  (ask) =>
    marketRows(made, ask, { venue, group, keep: isLive });

/** `futures/{settle}/contracts?limit=&offset=`. */
export const contracts = (group: Group) => (ask: Ask) => {
  const from = whole(ask, 'offset', 0, [0, 1e6]);
  const limit = whole(ask, 'limit', 1000, [0, 1000]);
  const all = ask.model.markets(venue, ask.now, group).slice(from, from + limit);
  return all.map((market) => contract(market, ask));
};

/** `delivery/usdt/contracts`. */
export const deliveries = (ask: Ask) => marketRows(delivery, ask, { venue, group: 'delivery' });

const levels = { spot: list('price size'), futures: row('s=@size p=price') };
const candle = {
  spot: list('$startSeconds turnover close high low open base $isClosed'),
  futures: row('t=startSeconds v=@quantity c=close h=high l=low o=open sum=turnover'),
};
const flat = (price: string) =>
  row(`t=startSeconds o=${price} h=${price} l=${price} c=${price} v=0`);
const sortOf = (group: Group) => (group === 'spot' ? 'spot' : 'futures');

/** `order_book`: strings and ms on spot, `{s, p}` and seconds on futures. */
export const orderBook = (group: Group) => (ask: Ask) => {
  const depth = whole(ask, 'limit', 10, [0, 300]);
  const { bids, asks, updateId } = bookRows<unknown>(
    levels[sortOf(group)],
    marketOf(ask, group),
    ask,
    depth,
  );
  const current = group === 'spot' ? ask.now : ask.now / 1000;
  return { id: updateId, current, asks, bids, update: current };
};

export const bars: Readonly<Record<string, Bar>> = {
  ...barsOf('1m 5m 15m 30m 1h 4h 8h 1d 1w 30d=1M'),
  // Of any week, while `1w` opens on Mondays.
  ...barsOf('7d'),
};

/** Either the newest `limit`, or those from `from` to `to`, both included; never both. */
function opens(ask: Ask, market: Market, bar: Bar): number[] {
  const { query, now } = ask;
  const start = openOf(bar, market.listed);
  if (!query.has('from')) return opensUntil(bar, start, now, whole(ask, 'limit', 100, [0, 1000]));
  if (query.has('limit')) refuse(400, 'INVALID_PARAM_VALUE', 'limit conflicts with from and to');
  const from = Math.max(start, whole(ask, 'from', 0, [0, 1e11]) * 1000);
  const to = Math.min(now, whole(ask, 'to', now / 1000, [0, 1e11]) * 1000);
  return opensFrom(bar, from, to, 1000);
}

/** The market of `mark_BTC_USDT`, whose candles are those of its mark price, or of `index_BTC_USDT`. */
function priced(ask: Ask, group: Group): { market: Market; form: Row<unknown> } {
  const named = /^(mark|index)_(.+)$/.exec(ask.query.get('contract') ?? '');
  const [, price, contract = ''] = named ?? [];
  if (price === undefined) return { market: marketOf(ask, group), form: candle[sortOf(group)] };
  const query = new URLSearchParams({ contract });
  return { market: marketOf({ ...ask, query }, group), form: flat(`${price}Then`) };
}

/** `candlesticks`, oldest first with the running one: rows of strings on spot, objects on futures. */
export const candles = (group: Group) => (ask: Ask) => {
  const { market, form } = priced(ask, group);
  const bar = bars[ask.query.get('interval') ?? ''] ?? invalid('interval');
  const times = { bar, opens: opens(ask, market, bar) };
  return candleRows<unknown>(form, market, times, ask);
};

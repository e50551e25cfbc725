/**
 * The answers of HTX: errors inside a 200; spot numbers are JSON numbers, those of contracts mostly text; volumes
 * and open interest of contracts count both sides.
 */
import { type Bar, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'htx';
export type Group = 'linear' | 'linearDated' | 'inverse' | 'dated';
type Groups = Readonly<Record<Group, Row>>;
const hour = 3_600_000;
/** Contracts count both. */
const sides = 2;

/** A refusal of market data, spot and contracts. */
const refuse = (code: string, message: string): never => {
  throw new Refused(200, {
    status: 'error',
    'err-code': code,
    'err-msg': message,
    data: null,
  });
};

export const ok = (data: unknown, { now }: Ask) => ({ status: 'ok', data, ts: now });

export const found = (ask: Ask, group: string, name: string): Market | undefined =>
  ask.model.market('htx', group, ask.query.get(name) ?? '', ask.now);

const nameIn = (group: string) =>
  group === 'spot' || group === 'dated' ? 'symbol' : 'contract_code';

/** The market of a request for market data. */
export function marketOf(ask: Ask, group: string, name = nameIn(group)): Market {
  return found(ask, group, name) ?? refuse('invalid-parameter', 'invalid symbol');
}

const quarter = 91 * 24 * hour;
const isNext = ({ expires = 0 }: Market, now: number): boolean => expires - now > quarter;
/** What requests call a dated contract: `BTC_CQ`, and `BTC_NQ` for that of the next quarter. */
export const wordOf = (market: Market, now: number): string =>
  `${market.symbol}_${isNext(market, now) ? 'NQ' : 'CQ'}`;

const both = (of: (sight: Sight) => number) => (sight: Sight) => of(sight) * sides;

export const { row, list } = rowsWith({
  lowerQuote: ({ market }) => market.quote.toLowerCase(),
  lowerBase: ({ market }) => market.id.slice(0, -market.quote.length),
  status: ({ market }) => (isLive(market) ? 'online' : 'suspend'),
  code: ({ market }) => (isLive(market) ? 1 : 3),
  first: ({ market }) => market.id.split('-')[0],
  pair: ({ market }) => market.id.split('-').slice(0, 2).join('-'),
  word: ({ market, now }) => wordOf(market, now),
  cycle: ({ market, now }) => (isNext(market, now) ? 'next_quarter' : 'quarter'),
  delivered: ({ market }) =>
    new Date(market.expires ?? 0).toISOString().slice(0, 10).replaceAll('-', ''),
  created: ({ market }) => new Date(market.listed).toISOString().slice(0, 10).replaceAll('-', ''),
  settlement: ({ now }) => String(Math.ceil((now + 1) / (8 * hour)) * 8 * hour),
  minuteSeconds: ({ now }) => Math.floor(now / 60_000) * 60,
  afterNext: ({ funding: { last, next } }) => 2 * next - last,
  allQuantity: both(({ stretch }) => stretch.quantity),
  allBase: both(({ stretch }) => stretch.base),
  allTurnover: both(({ stretch }) => stretch.turnover),
  allInterest: both(({ interest }) => interest.base),
  allValue: both(({ interest }) => interest.value),
  allContracts: both(({ interest }) => interest.contracts),
  wholeContracts: ({ interest }) => Math.round(interest.contracts * sides),
});

const symbol = `
  base-currency=lowerBase quote-currency=lowerQuote price-precision=decimals amount-precision=lot
  symbol-partition='innovation' symbol=id state=status value-precision=8 min-order-amt=0.01
  max-order-amt=1616.4353 min-order-value=5 limit-order-min-order-amt=0.01
  limit-order-max-order-amt=1616.4353 limit-order-max-buy-amt=1616.4353
  limit-order-max-sell-amt=1616.4353 sell-market-min-order-amt=0.01
  sell-market-max-order-amt=1616.4353 buy-market-max-order-value=2500 max-order-value=2500
  api-trading='enabled' tags=''`;
const pair = row(symbol);
const token = row(`
  ${symbol} underlying='xrpusdt' mgmt-fee-rate=0.035 charge-time='23:55:00'
  rebal-time='00:00:00' rebal-threshold=-5 init-nav=10`);
/** A row of `market/tickers`. */
export const spotTicker = row(`
  symbol=id open=@open high=@high low=@low close=@close amount=@quantity vol=@turnover count=trades
  bid=#bestBid bidSize=@bestBidSize ask=#bestAsk askSize=@bestAskSize`);
const info = `
  symbol=first contract_code=id contract_size=@contract price_tick=#tick delivery_date=''
  delivery_time='' create_date=created contract_status=code settlement_date=settlement`;
const infos: Groups = {
  inverse: row(info),
  dated: row(`
    symbol contract_code=id contract_type=cycle contract_size=@contract price_tick=#tick
    delivery_date=delivered delivery_time=$expires create_date=created contract_status=code
    settlement_time=settlement`),
  linear: row(`
    ${info} support_margin_mode='all' business_type='swap' pair=id contract_type='swap'`),
  linearDated: row(`
    symbol=first contract_code=id contract_size=@contract price_tick=#tick delivery_date=delivered
    delivery_time=$expires create_date=created contract_status=code settlement_date=settlement
    support_margin_mode='cross' business_type='futures' pair contract_type=cycle`),
};
const ticker = `
  id=seconds ask[ #bestAsk @bestAskSize ] bid[ #bestBid @bestBidSize ] open close low high
  amount=allBase.18 count=trades number_of=allQuantity.0`;
/** What the channels say of a contract: JSON numbers, and `vol` counts contracts. */
const detail = `
  id=seconds ask[ #bestAsk @bestAskSize ] bid[ #bestBid @bestBidSize ] open=#open close=#close
  low=#low high=#high amount=#allBase.18 count=trades vol=#allQuantity.0`;
export const details: Groups = {
  inverse: row(detail),
  dated: row(detail),
  linear: row(`${detail} trade_turnover=#allTurnover.8`),
  linearDated: row(`${detail} trade_turnover=#allTurnover.8`),
};
/** `vol` is quote when linear and contracts when inverse. */
const merged: Groups = {
  inverse: row(`${ticker} ts=now contract_code=id vol=allQuantity.0`),
  dated: row(`${ticker} ts=now symbol=word vol=allQuantity.0`),
  linear: row(`
    ${ticker} trade_turnover=allTurnover.8 ts=now contract_code=id business_type='swap'
    vol=allTurnover.8`),
  linearDated: row(`${ticker} trade_turnover=allTurnover.8 ts=now vol=allQuantity.0`),
};
const level = list('#price #size');
const prices = 'id=startSeconds open=@open close=@close low=@low high=@high count=trades';
const candle: Readonly<Record<string, Row>> = {
  spot: row(`${prices} amount=@quantity vol=@turnover`),
  inverse: row(`${prices} amount=allBase vol=allQuantity`),
  dated: row(`${prices} amount=allBase vol=allQuantity`),
  linear: row(`${prices} amount=allBase vol=allQuantity trade_turnover=allTurnover`),
  linearDated: row(`${prices} amount=allBase vol=allQuantity trade_turnover=allTurnover`),
};

/** `v1/common/symbols`. */
export const symbols = (ask: Ask) => {
  const made: Row = (market, at) => (market.kind === 'other' ? token : pair)(market, at);
  return { status: 'ok', data: marketRows(made, ask, { venue, group: 'spot' }) };
};

export const live = <Made>(made: Row<Made>, ask: Ask, group: string) =>
  marketRows(made, ask, { venue, group, keep: isLive });

/** `market/tickers`. */
export const spotTickers = (ask: Ask) => ok(live(spotTicker, ask, 'spot'), ask);

/** `swap_contract_info` of linear or inverse swaps. */
export const contractInfo = (group: Group) => (ask: Ask) =>
  ok(marketRows(infos[group], ask, { venue, group }), ask);

/** Swaps alone, unless `business_type` is `all`. */
export const linearInfo = (ask: Ask) => {
  const groups =
    ask.query.get('business_type') === 'all'
      ? (['linear', 'linearDated'] as const)
      : (['linear'] as const);
  return ok(
    groups.flatMap((group) => marketRows(infos[group], ask, { venue, group })),
    ask,
  );
};

/** `detail/merged` of a contract. */
export const merge = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  return {
    ch: `market.${market.id}.detail.merged`,
    status: 'ok',
    tick: merged[group](market, ask),
    ts: ask.now,
  };
};

/** `v2/…/detail/batch_merged`. */
export const contractTickers = (group: Group) => (ask: Ask) => ({
  ...{ status: 'ok', ticks: live(merged[group], ask, group), ts: ask.now },
});

/** `market/depth` of spot (`depth` 5, 10, 20 or none: 150) and of contracts (`step6`: 20 levels, else 150). */
export const depth = (group: string) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const type = ask.query.get('type') ?? refuse('invalid-parameter', 'invalid type');
  const wanted = ask.query.get('depth') ?? (type === 'step6' ? '20' : '150');
  if (!['5', '10', '20', '150'].includes(wanted)) refuse('invalid-parameter', 'invalid depth');
  const { bids, asks, updateId } = bookRows(level, market, ask, Number(wanted));
  const ch = `market.${market.id}.depth.${type}`;
  const more = group === 'spot' ? {} : { ch, id: ask.now / 1000, mrid: updateId };
  const tick = { ts: ask.now, version: updateId, bids, asks, ...more };
  return { ch, status: 'ok', ts: ask.now, tick };
};

/** Days and longer open at midnight UTC+8. */
export const periods: Readonly<Record<string, Bar>> = {
  ...barsOf('1min=1m 5min=5m 15min=15m 30min=30m 60min=1h 4hour=4h'),
  ...barsOf('1day=1d 1week=1w 1mon=1M', -8 * hour),
};

function integer(ask: Ask, name: string, [least, most]: readonly [number, number]): number | null {
  const text = ask.query.get(name);
  if (text === null) return null;
  const value = Number(text);
  const isLegal = Number.isInteger(value) && value >= least && value <= most;
  return isLegal ? value : refuse('invalid-parameter', `invalid ${name}`);
}

/** `from` and `to` as open times in ms; null where there is no range. Contracts ignore it beside a size. */
function rangeIn(ask: Ask, group: string): { from: number; to: number } | null {
  const [from, to] = [integer(ask, 'from', [0, 1e12]), integer(ask, 'to', [0, 1e12])];
  if (from === null || to === null) return null;
  if (group !== 'spot' && ask.query.has('size')) return null;
  return { from: from * 1000, to: to * 1000 };
}

/** `history/kline`: the newest `size`, ascending for contracts; on spot newest first. */
export const candles =
  (
    group: string,
    {
      ranged = group !== 'spot',
      most = 2000,
      form = candle[group] ?? spotTicker,
      name = nameIn(group),
    } = {},
  ) =>
  (ask: Ask) => {
    const market = marketOf(ask, group, name);
    const period = ask.query.get('period') ?? '';
    const bar = periods[period] ?? refuse('invalid-parameter', 'invalid period');
    const size = integer(ask, 'size', [1, most]);
    const range = ranged ? rangeIn(ask, group) : null;
    const first = openOf(bar, market.listed);
    const times = range
      ? opensFrom(bar, Math.max(first, range.from), Math.min(ask.now, range.to), size ?? most)
      : opensUntil(bar, first, ask.now, size ?? 150);
    const opens = group === 'spot' ? times.reverse() : times;
    const data = candleRows(form, market, { bar, opens }, ask);
    return { ch: `market.${market.id}.kline.${period}`, status: 'ok', ts: ask.now, data };
  };

/**
 * The contracts of HTX: swaps of both margins and dated futures. Numbers are mostly text; volumes and open interest count both
 * sides.
 */
import { bookRows, isLive, marketRows } from '../answers.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'htx';
const hour = 3_600_000;
export type Group = 'linear' | 'linearDated' | 'inverse' | 'dated';
type Groups = Readonly<Record<Group, Row>>;

export const ok = (data: unknown, { now }: Pick<Ask, 'now'>) => ({ status: 'ok', data, ts: now });
export const v5 = (data: unknown, { now }: Ask) => ({
  code: 200,
  message: 'Success',
  data,
  ts: now,
});
/** A refusal of market data, spot and contracts. */
export const parameters = new Parameters((name) => {
  const why = name === 'symbol' || name === 'contract_code' ? 'symbol' : name;
  throw new Refused(200, {
    status: 'error',
    'err-code': 'invalid-parameter',
    'err-msg': `invalid ${why}`,
    data: null,
  });
});
/** Refusals of the reference paths. */
export const references = new Parameters((name, { now: ts }) => {
  const isPeriod = name === 'period';
  const err_msg = isPeriod ? 'period' : 'This contract symbol doesnt exist.';
  throw new Refused(200, { status: 'error', err_code: isPeriod ? 1067 : 1013, err_msg, ts });
});

const nameIn = (group: string) =>
  group === 'spot' || group === 'dated' ? 'symbol' : 'contract_code';
/** The market of a request for market data, and the contract of one for reference data. */
export const marketOf = (ask: Ask, group: string, name = nameIn(group)): Market =>
  ask.model.market(venue, group, ask.query.get(name) ?? '', ask.now) ??
  parameters.refuse(name, ask);
export const contractOf = (ask: Ask, group: string): Market =>
  ask.model.market(venue, group, ask.query.get('contract_code') ?? '', ask.now) ??
  references.refuse('contract_code', ask);

const isNext = ({ expires = 0 }: Market, now: number): boolean => expires - now > 91 * 24 * hour;
/** What requests call a dated contract: `BTC_CQ`, and `BTC_NQ` for that of the next quarter. */
const wordOf = (market: Market, now: number): string =>
  `${market.symbol}_${isNext(market, now) ? 'NQ' : 'CQ'}`;
const both = (of: (sight: Sight) => number) => (sight: Sight) => 2 * of(sight);
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');

export const { row, list } = rowsOf(venue, {
  lowerQuote: ({ market }) => market.quote.toLowerCase(),
  lowerBase: ({ market }) => market.id.slice(0, -market.quote.length),
  pair: ({ market }) => market.id.split('-').slice(0, 2).join('-'),
  word: ({ market, now }) => wordOf(market, now),
  cycle: ({ market, now }) => (isNext(market, now) ? 'next_quarter' : 'quarter'),
  delivered: ({ market }) => dateOf(market.expires ?? 0),
  created: ({ market }) => dateOf(market.listed),
  settlement: ({ now }) => String(Math.ceil((now + 1) / (8 * hour)) * 8 * hour),
  bookVersion: ({ now }) => Math.floor(now / 2_000),
  minuteSeconds: ({ now }) => Math.floor(now / 60_000) * 60,
  allQuantity: both(({ stretch }) => stretch.quantity),
  allBase: both(({ stretch }) => stretch.base),
  allTurnover: both(({ stretch }) => stretch.turnover),
  allInterest: both(({ interest }) => interest.base),
  allValue: both(({ interest }) => interest.value),
  allContracts: both(({ interest }) => interest.contracts),
  isLinear: ({ market }) => market.group === 'linear',
  isCoinDated: ({ market }) => market.group === 'dated',
  wholeContracts: ({ interest }) => Math.round(interest.contracts * 2),
  amount: ({ market, trade }) => trade.quantity * market.contract,
  value: ({ market, trade }) => trade.quantity * market.contract * trade.price,
});

const info = `
  contract_code=id contract_size=@contract price_tick=#tick create_date=created
  contract_status=#isLive:1/3`;
const dates = 'delivery_date=delivered delivery_time=$expires';
const linearPlace = 'linear-instruments data';
const infos: Groups = {
  inverse: row(`${info} symbol=first`, 'inverse-instruments bodies.0.data'),
  dated: row(`${info} ${dates} symbol contract_type=cycle settlement_time=settlement`),
  linear: row(`${info} symbol=first pair=id`, linearPlace),
  linearDated: row(
    `${info} ${dates} symbol=first business_type='futures' pair contract_type=cycle`,
    linearPlace,
  ),
};
const ticker = `
  id=seconds ask[ #bestAsk @bestAskSize ] bid[ #bestBid @bestBidSize ] open close low high
  amount=allBase.18 count=trades number_of=allQuantity.0`;
/** Dated contracts have a word in place of a code, and linear ones neither; `vol` is quote of linear swaps and contracts of others. */
const merged = row(`
  ${ticker} ts=now contract_code=isDated?-:id symbol=isCoinDated?word:- business_type=isLinear?'swap':-
  trade_turnover=isInverse?-:allTurnover.8 vol=isLinear?allTurnover.8:allQuantity.8`);

export const live = <Made>(made: Row<Made>, ask: Pick<Ask, 'model' | 'now'>, group: string) =>
  marketRows(made, ask, { venue, group, keep: isLive });
/** The rows of what trades in a group. */
const each = (made: Row, group: Group) => (ask: Ask) => ok(live(made, ask, group), ask);

/** `swap_contract_info` and its kin; of linear ones swaps alone, unless `business_type` is `all`. */
const contractInfo = (group: Group) => (ask: Ask) => {
  const isAll = group === 'linear' && ask.query.get('business_type') === 'all';
  const groups: Group[] = isAll ? ['linear', 'linearDated'] : [group];
  const rows = groups.flatMap((one) => marketRows(infos[one], ask, { venue, group: one }));
  return ok(rows, ask);
};
/** `detail/merged` of a contract, `v2/…/detail/batch_merged` of all. */
const merge = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const tick = merged(market, ask);
  return { ch: `market.${market.id}.detail.merged`, status: 'ok', tick, ts: ask.now };
};
const tickers = (group: Group) => (ask: Ask) => ({
  status: 'ok',
  ticks: live(merged, ask, group),
  ts: ask.now,
});

const level = list('#price #size');
/** `market/depth` of spot (`depth` 5, 10, 20 or none: 150) and of contracts (`step6`: 20 levels, else 150). */
export const depth = (group: string) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const type = parameters.text(ask, 'type');
  const wanted = parameters.oneOf(ask, 'depth', type === 'step6' ? 20 : 150, [5, 10, 20, 150]);
  const { bids, asks, updateId } = bookRows(level, market, ask, wanted);
  const ch = `market.${market.id}.depth.${type}`;
  const more = group === 'spot' ? {} : { ch, id: ask.now / 1000, mrid: updateId };
  const tick = { ts: ask.now, version: updateId, bids, asks, ...more };
  return { ch, status: 'ok', ts: ask.now, tick };
};

/** Days and longer open at midnight UTC+8. */
const bars =
  '1min=1m 5min=5m 15min=15m 30min=30m 60min=1h 4hour=4h 1day=1d@-8 1week=1w@-8 1mon=1M@-8';
const prices = 'id=startSeconds open=@open close=@close low=@low high=@high count=trades';
const spotCandle = row(`${prices} amount=@quantity vol=@turnover`);
const candle = row(
  `${prices} amount=allBase vol=allQuantity trade_turnover=isInverse?-:allTurnover`,
);
interface Candles {
  /** `from` and `to` count; those of contracts do not beside a size. */
  ranged?: boolean;
  most?: number;
  form?: Row;
  name?: string;
}
/** `history/kline`: the newest `size`, ascending for contracts; on spot newest first. */
export const candles = (
  group: string,
  {
    ranged = group !== 'spot',
    most = 2000,
    form = group === 'spot' ? spotCandle : candle,
    name,
  }: Candles = {},
) => {
  const order = group === 'spot' ? '; newest' : '';
  return (ask: Ask) => {
    const market = marketOf(ask, group, name);
    const isSized = ask.query.has('size');
    const isRanged =
      ranged && ask.query.has('from') && ask.query.has('to') && (group === 'spot' || !isSized);
    const range = isRanged ? '; from from; to to; seconds; onward' : '';
    const rows = `rows size ${isRanged ? most : 150} ${most}`;
    const table = `in period ${bars}; ${rows}; always${order}${range}`;
    const data = parameters.page(form, table)(ask, market);
    const ch = `market.${market.id}.kline.${ask.query.get('period')}`;
    return { ch, status: 'ok', ts: ask.now, data };
  };
};
export const flat = (price: string, id: string) => `
  amount='0' count='0' trade_turnover='0' vol='0' id=${id} open=${price} close=${price} high=${price}
  low=${price}`;
/** Newest mark price candles, with the number of them in `size`; the range is of no effect. */
const markThen = row(flat('markThen', 'startSeconds'));
const marks = (group: Group) => candles(group, { ranged: false, form: markThen });
const indexThen = row(`
  amount=0 count=0 vol=0 id=startSeconds open=@indexThen close=@indexThen high=@indexThen low=@indexThen`);
/** The same of an index, which has the name of the perpetual: `BTC-USDT`, `BTC-USD`. */
const indexCandles = (ask: Ask) => {
  const group = ask.query.get('symbol')?.toUpperCase().endsWith('-USD') ? 'inverse' : 'linear';
  return candles(group, { ranged: false, form: indexThen, name: 'symbol' })(ask);
};
/** The newest mark price candle of a dated contract, by its word. */
const datedMarks = (ask: Ask) => {
  const symbol = ask.query.get('symbol')?.toUpperCase();
  const dated = ask.model.markets(venue, ask.now, 'dated');
  const market = dated.find((one) => wordOf(one, ask.now) === symbol);
  if (!market) return references.refuse('symbol', ask);
  return {
    ch: `market.${symbol}.mark_price.1min`,
    ...ok([row(flat('mark', 'minuteSeconds'))(market, ask)], ask),
  };
};

const index = row('index_price=#index+1 contract_code=id');
const coinIndex = row('symbol index_price=#index+1');
const rate = `
  contract_code=id funding_rate=rate.18f funding_time=$next next_funding_time=$afterNext`;
const linearRate = row(rate);
const inverseRate = row(`${rate} symbol`);
/** Both sides of the open interest and of the last day's trades. */
const sides = (form: (fact: string) => string, more: string) =>
  row(`
    amount=${form('allInterest')} volume=${form('wholeContracts')} trade_amount=${form('allBase')}
    trade_volume=${form('allQuantity')} trade_turnover=${form('allTurnover')} contract_code=id
    ${more}`);
const linearSides = sides((fact) => `${fact}.8`, 'value=allValue.8');
const inverseSides = sides((fact) => fact, 'symbol');
const datedSides = sides((fact) => `@${fact}`, 'symbol contract_type=cycle');
const coinIndices = (ask: Ask) => {
  const rows = live(coinIndex, ask, 'dated');
  return ok([...new Map(rows.map((one) => [one.symbol, one])).values()], ask);
};

/** Dated contracts have the paths of spot, on a host of their own, or those of swaps. */
export const orDated =
  (others: (ask: Ask) => unknown, dated: (ask: Ask) => unknown) => (ask: Ask) => {
    const name = ask.query.get('symbol') ?? ask.query.get('contract_code') ?? '';
    return /\d{6}$/.test(name) ? dated(ask) : others(ask);
  };
/** Of USDT-margined contracts, swaps and dated ones. */
const ofLinear = (answer: (group: Group) => (ask: Ask) => unknown) =>
  orDated(answer('linear'), answer('linearDated'));

/** What each path answers: reference data, market data, version 5. */
export const contracts = {
  '/linear-swap-api/v1/swap_contract_info': contractInfo('linear'),
  '/swap-api/v1/swap_contract_info': contractInfo('inverse'),
  '/api/v1/contract_contract_info': contractInfo('dated'),
  '/linear-swap-api/v1/swap_index': each(index, 'linear'),
  '/swap-api/v1/swap_index': each(index, 'inverse'),
  '/api/v1/contract_index': coinIndices,
  '/swap-api/v1/swap_batch_funding_rate': each(inverseRate, 'inverse'),
  '/swap-api/v1/swap_open_interest': each(inverseSides, 'inverse'),
  '/api/v1/contract_open_interest': each(datedSides, 'dated'),
  '/v2/linear-swap-ex/market/detail/batch_merged': tickers('linear'),
  '/v2/swap-ex/market/detail/batch_merged': tickers('inverse'),
  '/v2/market/detail/batch_merged': tickers('dated'),
  '/linear-swap-ex/market/depth': ofLinear(depth),
  '/swap-ex/market/depth': depth('inverse'),
  '/linear-swap-ex/market/detail/merged': ofLinear(merge),
  '/linear-swap-ex/market/history/kline': ofLinear((group) => candles(group)),
  '/swap-ex/market/history/kline': candles('inverse'),
  '/index/market/history/linear_swap_mark_price_kline': ofLinear(marks),
  '/index/market/history/swap_mark_price_kline': marks('inverse'),
  '/index/market/history/mark_price_kline': orDated(datedMarks, marks('dated')),
  '/index/market/history/index': indexCandles,
  '/v5/market/funding_rate': (ask: Ask) => v5([linearRate(contractOf(ask, 'linear'), ask)], ask),
  '/v5/market/open_interest': ofLinear(
    (group) => (ask) => v5(linearSides(contractOf(ask, group), ask), ask),
  ),
};

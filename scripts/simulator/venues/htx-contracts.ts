/** What HTX says of its contracts beside their prices: index, mark, funding, open interest of both sides. */
import type { Market } from '../market.ts';
import { type Ask, Refused } from '../venue.ts';
import { candles, found, type Group, live, ok, row, wordOf } from './htx-answers.ts';

/** A refusal of the reference paths. */
const refuseContract = ({ now }: Ask): never => {
  const err_msg = 'This contract symbol doesnt exist.';
  throw new Refused(200, { status: 'error', err_code: 1013, err_msg, ts: now });
};

export const v5 = (data: unknown, { now }: Ask) => ({
  code: 200,
  message: 'Success',
  data,
  ts: now,
});

/** The contract of a request for reference data. */
export const contractOf = (ask: Ask, group: string): Market =>
  found(ask, group, 'contract_code') ?? refuseContract(ask);

const index = row('index_price=#index+1 index_ts=now contract_code=id');
const minute = (value: string) =>
  row(`
    amount='0' count='0' trade_turnover='0' vol='0' id=minuteSeconds open=${value} close=${value}
    high=${value} low=${value}`);
export const mark = minute('mark');
export const indexCandle = minute('index');
const rate = `
  contract_code=id funding_rate=rate.18f funding_time=$next next_funding_time=$afterNext`;
/** The rate that is charged next. */
export const notice = row(`
  symbol contract_code=id fee_asset=quote funding_time=$now settlement_time=$next
  funding_rate=rate.18f estimated_rate=null`);
const linearRate = row(`
  ${rate} min_funding_rate='-0.003750000000000000' max_funding_rate='0.00375'`);
const inverseRate = row(`
  ${rate} estimated_rate=rate.18f symbol fee_asset=symbol trade_partition=quote`);
/** Both sides of the open interest and of the last day's trades. */
const linearSides = row(`
  amount=allInterest.8 volume=wholeContracts.8 value=allValue.8 trade_amount=allBase.8
  trade_volume=allQuantity.8 trade_turnover=allTurnover.8 contract_code=id`);
const inverseSides = row(`
  amount=allInterest volume=wholeContracts trade_amount=allBase trade_volume=allQuantity
  trade_turnover=allTurnover symbol contract_code=id`);

/** `swap_index` of all contracts. */
export const indices = (group: Group) => (ask: Ask) => ok(live(index, ask, group), ask);

const markThen = row(`
  amount='0' count='0' trade_turnover='0' vol='0' id=startSeconds open=markThen close=markThen
  high=markThen low=markThen`);
const indexThen = row(`
  amount=0 count=0 vol=0 id=startSeconds open=@indexThen close=@indexThen high=@indexThen low=@indexThen`);

/** Newest mark price candles, with the number of them in `size`; the range is of no effect. */
export const marks = (group: Group) => candles(group, { ranged: false, form: markThen });
/** The same of an index, which has the name of the perpetual: `BTC-USDT`, `BTC-USD`. */
export const indexCandles = (ask: Ask) => {
  const group = ask.query.get('symbol')?.toUpperCase().endsWith('-USD') ? 'inverse' : 'linear';
  return candles(group, { ranged: false, form: indexThen, name: 'symbol' })(ask);
};

/** `v5/market/funding_rate` of one linear swap, `swap_batch_funding_rate` of all inverse swaps. */
export const linearFunding = (ask: Ask) => v5([linearRate(contractOf(ask, 'linear'), ask)], ask);
export const inverseFunding = (ask: Ask) => ok(live(inverseRate, ask, 'inverse'), ask);

const datedSides = row(`
  symbol contract_type=cycle amount=@allInterest volume=@wholeContracts contract_code=id
  trade_amount=@allBase trade_volume=@allQuantity trade_turnover=@allTurnover`);
const coinIndex = row('symbol index_price=#index+1 index_ts=now');

/** `contract_open_interest` of all dated contracts, `contract_index` of their coins. */
export const datedInterest = (ask: Ask) => ok(live(datedSides, ask, 'dated'), ask);
export const coinIndices = (ask: Ask) => {
  const rows = live(coinIndex, ask, 'dated');
  return ok([...new Map(rows.map((one) => [one.symbol, one])).values()], ask);
};

/** The newest mark price candle of a dated contract, by its word. */
export const datedMarks = (ask: Ask) => {
  const symbol = ask.query.get('symbol')?.toUpperCase();
  const market = ask.model
    .markets('htx', ask.now, 'dated')
    .find((one) => wordOf(one, ask.now) === symbol);
  if (!market) return refuseContract(ask);
  return { ch: `market.${symbol}.mark_price.1min`, ...ok([mark(market, ask)], ask) };
};

/** `v5/market/open_interest` of one linear swap, `swap_open_interest` of all inverse swaps. */
export const linearInterest = (group: Group) => (ask: Ask) =>
  v5(linearSides(contractOf(ask, group), ask), ask);
export const inverseInterest = (ask: Ask) => ok(live(inverseSides, ask, 'inverse'), ask);

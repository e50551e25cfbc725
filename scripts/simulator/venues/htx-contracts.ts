/** What HTX says of its contracts beside their prices: index, mark, funding, open interest of both sides. */
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { found, live, marketOf, number, ok, sides } from './htx-answers.ts';

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

/** `swap_index` of all contracts. */
export const indices = (group: string) => (ask: Ask) =>
  ok(
    live(ask, group).map((market) => ({
      index_price: number(market.index(ask.now), market.decimals + 1),
      index_ts: ask.now,
      contract_code: market.id,
    })),
    ask,
  );

/** Newest mark price candles, with the number of them in `size`. */
export const marks = (group: string) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const close = plain(market.exact(ask.now), market.decimals + 2);
  const id = Math.floor(ask.now / 60_000) * 60;
  const none = { amount: '0', count: '0', trade_turnover: '0', vol: '0' };
  const row = { ...none, id, open: close, close, high: close, low: close };
  return { ch: `market.${market.id}.mark_price.1min`, ...ok([row], ask) };
};

/** The rate that is charged next. */
export const rates = (market: Market, now: number) => {
  const { last, next } = market.fundingTimes(now);
  return {
    contract_code: market.id,
    funding_rate: fixed(market.fundingRate(next), 18),
    funding_time: String(next),
    next_funding_time: String(2 * next - last),
  };
};

/** `v5/market/funding_rate` of one linear swap. */
export const linearFunding = (ask: Ask) => {
  const bounds = { min_funding_rate: '-0.003750000000000000', max_funding_rate: '0.00375' };
  return v5([{ ...rates(contractOf(ask, 'linear'), ask.now), ...bounds }], ask);
};

/** `swap_batch_funding_rate` of all inverse swaps. */
export const inverseFunding = (ask: Ask) =>
  ok(
    live(ask, 'inverse').map((market) => ({
      estimated_rate: fixed(market.fundingRate(market.fundingTimes(ask.now).next), 18),
      ...rates(market, ask.now),
      symbol: market.symbol,
      fee_asset: market.symbol,
      trade_partition: market.quote,
    })),
    ask,
  );

/** Both sides of the open interest and of the last day's trades. */
function interest(market: Market, { model, now }: Ask) {
  const base = market.openInterest(now) * sides;
  const mark = market.exact(now);
  const day = model.last24h(market, now);
  return {
    amount: base,
    volume: Math.round((market.inverse ? base * mark : base) / market.contract),
    value: base * mark,
    trade_amount: day.base * sides,
    trade_volume: day.quantity * sides,
    trade_turnover: day.turnover * sides,
  };
}

/** `v5/market/open_interest` of one linear swap. */
export const linearInterest = (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const numbers = Object.entries(interest(market, ask));
  const words = Object.fromEntries(numbers.map(([key, value]) => [key, plain(value, 8)]));
  return v5({ ...words, contract_code: market.id }, ask);
};

/** `swap_open_interest` of all inverse swaps. */
export const inverseInterest = (ask: Ask) =>
  ok(
    live(ask, 'inverse').map((market) => {
      const { value: _, ...numbers } = interest(market, ask);
      return { ...numbers, symbol: market.symbol, contract_code: market.id };
    }),
    ask,
  );

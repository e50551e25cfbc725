/** Histories of HTX contracts, of v5 where no other is named: rows ascending, numbers as strings. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { ok, periods, sides } from './htx-answers.ts';
import { contractOf, v5 } from './htx-contracts.ts';

const hour = 3_600_000;
/** Rows of one answer. */
const page = 200;

/** Shares of the long and short sides among the largest accounts (1), or of their positions (2); null for an unknown period. */
function eliteRows(market: Market, of: 1 | 2, { query, now }: Ask) {
  const word = query.get('period') ?? '';
  const bar: Bar | undefined = word === '1day' ? { ms: 24 * hour } : periods[word];
  if (!bar) return null;
  return opensUntil(bar, openOf(bar, market.listed), now, page).map((ts) => {
    const long = Number(fixed(market.longShare(ts, of), 4));
    return { buy_ratio: long, sell_ratio: Number(fixed(1 - long, 4)), ts };
  });
}

/** `elite_account_ratio` (1) and `elite_position_ratio` (2). */
export const eliteRatio = (of: 1 | 2) => (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const rows = eliteRows(market, of, ask)?.map(({ buy_ratio, sell_ratio, ts }) => ({
    contract_code: market.id,
    buy_ratio: plain(buy_ratio, 4),
    sell_ratio: plain(sell_ratio, 4),
    ts: String(ts),
  }));
  return rows ? v5(rows, ask) : { code: 1067, message: 'invalid period', ts: ask.now };
};

/** `swap_elite_account_ratio` (1) and `swap_elite_position_ratio` (2) of v1: numbers, in a list of one contract. */
export const listedEliteRatio = (group: 'linear' | 'inverse', of: 1 | 2) => (ask: Ask) => {
  const market = contractOf(ask, group);
  const list = eliteRows(market, of, ask);
  if (!list) return { status: 'error', err_code: 1067, err_msg: 'period', ts: ask.now };
  return ok({ symbol: market.symbol, contract_code: market.id, list }, ask);
};

/** `funding_rate_history`: at most 100, newest first. */
export const fundingHistory = (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const { query, now } = ask;
  const bar = { ms: market.fundingHours * hour };
  const from = Math.max(market.listed, Number(query.get('start_time') ?? 0));
  const until = Math.min(now, Number(query.get('end_time') ?? now));
  const rows = opensUntil(bar, from, until, Math.min(100, Number(query.get('limit') ?? 100)));
  return v5(
    rows.reverse().map((time) => ({
      id: String(time / 1000),
      contract_code: market.id,
      funding_rate: fixed(market.fundingRate(time), 18),
      funding_time: String(time),
    })),
    ask,
  );
};

/** `swap_his_open_interest?contract_code=&period=&amount_type=&size=`: both sides; only linear ones have a value. */
export const interestHistory = (group: 'linear' | 'inverse') => (ask: Ask) => {
  const market = contractOf(ask, group);
  const { query, now } = ask;
  const hours = { '60min': 1, '4hour': 4, '12hour': 12, '1day': 24 }[query.get('period') ?? ''];
  if (hours === undefined) return { status: 'error', err_code: 1067, err_msg: 'period', ts: now };
  const size = Math.min(200, Number(query.get('size') ?? 48));
  const amount_type = query.get('amount_type') ?? '1';
  const times = opensUntil({ ms: hours * hour }, market.listed, now, size);
  const tick = times.reverse().map((time) => {
    const base = market.openInterest(time) * sides;
    const value = base * market.exact(time);
    const contracts = (market.inverse ? value : base) / market.contract;
    return {
      volume: plain(amount_type === '2' ? base : contracts, 10),
      ...{ amount_type: Number(amount_type), ts: time },
      ...(group === 'linear' && { value: plain(value, 10) }),
    };
  });
  return ok({ symbol: market.symbol, contract_code: market.id, tick }, ask);
};

/** `swap_historical_funding_rate?contract_code=&page_index=&page_size=`: newest first, 50 a page at most. */
export const pagedFundings = (group: 'linear' | 'inverse') => (ask: Ask) => {
  const market = contractOf(ask, group);
  const size = Math.min(50, Number(ask.query.get('page_size') ?? 20));
  const page = Number(ask.query.get('page_index') ?? 1);
  const bar = { ms: market.fundingHours * hour };
  const times = opensUntil(bar, market.listed, ask.now, size * page).reverse();
  const data = times.slice(size * (page - 1)).map((time) => {
    const rate = fixed(market.fundingRate(time), 18);
    return {
      ...{ avg_premium_index: rate, funding_rate: rate, realized_rate: rate },
      ...{ funding_time: String(time), contract_code: market.id, symbol: market.symbol },
      fee_asset: market.inverse ? market.symbol : market.quote,
    };
  });
  return ok({ current_page: page, data }, ask);
};

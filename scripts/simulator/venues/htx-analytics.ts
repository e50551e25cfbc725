/** Histories of HTX contracts, of v5 where no other is named: rows ascending, numbers as strings. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { barsOf, pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Row } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { type Group, ok, periods, row } from './htx-answers.ts';
import { contractOf, v5 } from './htx-contracts.ts';

const hour = 3_600_000;
/** Rows of one answer. */
const page = 200;

type Elite = 'TopAccounts' | 'TopPositions';
const shares = (of: Elite, kind: string) =>
  `buy_ratio=${kind}long${of}.4 sell_ratio=${kind}short${of}.4`;

/** Shares of the long and short sides among the largest accounts, or of their positions; null for an unknown period. */
function eliteRows(made: Row, market: Market, ask: Ask) {
  const word = ask.query.get('period') ?? '';
  const bar: Bar | undefined = word === '1day' ? { ms: 24 * hour } : periods[word];
  if (!bar) return null;
  const opens = opensUntil(bar, openOf(bar, market.listed), ask.now, page);
  return pointRows(made, market, { opens }, ask);
}

/** `elite_account_ratio` and `elite_position_ratio`. */
export const eliteRatio = (of: Elite) => {
  const made = row(`contract_code=id ${shares(of, '')} ts=$now`);
  return (ask: Ask) => {
    const rows = eliteRows(made, contractOf(ask, 'linear'), ask);
    return rows ? v5(rows, ask) : { code: 1067, message: 'invalid period', ts: ask.now };
  };
};

const noPeriod = (ts: number) => ({ status: 'error', err_code: 1067, err_msg: 'period', ts });
const about = ({ symbol, id }: Market) => ({ symbol, contract_code: id });

/** `swap_elite_account_ratio` and `swap_elite_position_ratio` of v1: numbers, in a list of one contract. */
export const listedEliteRatio = (group: Group, of: Elite) => {
  const made = row(`${shares(of, '#')} ts=now`);
  return (ask: Ask) => {
    const market = contractOf(ask, group);
    const list = eliteRows(made, market, ask);
    return list ? ok({ ...about(market), list }, ask) : noPeriod(ask.now);
  };
};

const charged = row(`
  id=$seconds contract_code=id funding_rate=charged.18f funding_time=$now`);
const paged = row(`
  avg_premium_index=charged.18f funding_rate=charged.18f realized_rate=charged.18f
  funding_time=$now contract_code=id symbol fee_asset=settle`);

/** `funding_rate_history`: at most 100, newest first. */
export const fundingHistory = (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const { query, now } = ask;
  const bar = { ms: market.fundingHours * hour };
  const from = Math.max(market.listed, Number(query.get('start_time') ?? 0));
  const until = Math.min(now, Number(query.get('end_time') ?? now));
  const rows = opensUntil(bar, from, until, Math.min(100, Number(query.get('limit') ?? 100)));
  return v5(pointRows(charged, market, { opens: rows.reverse() }, ask), ask);
};

const volumes = { '1': 'volume=allContracts.10', '2': 'volume=allInterest.10' };
const steps = barsOf('60min=1h 4hour=4h 12hour=12h 1day=1d');

/** `swap_his_open_interest?contract_code=&period=&amount_type=&size=`: both sides; only linear ones have a value. */
export const interestHistory = (group: Group) => (ask: Ask) => {
  const market = contractOf(ask, group);
  const { query, now } = ask;
  const bar = steps[query.get('period') ?? ''];
  if (!bar) return noPeriod(now);
  const size = Math.min(200, Number(query.get('size') ?? 48));
  const type = query.get('amount_type') === '2' ? '2' : '1';
  const made = row(
    `${volumes[type]} amount_type=${type} ts=now ${group === 'linear' ? 'value=allValue.10' : ''}`,
  );
  const opens = opensUntil(bar, market.listed, now, size).reverse();
  return ok({ ...about(market), tick: pointRows(made, market, { opens }, ask) }, ask);
};

/** `swap_historical_funding_rate?contract_code=&page_index=&page_size=`: newest first, 50 a page at most. */
export const pagedFundings = (group: Group) => (ask: Ask) => {
  const market = contractOf(ask, group);
  const size = Math.min(50, Number(ask.query.get('page_size') ?? 20));
  const page = Number(ask.query.get('page_index') ?? 1);
  const bar = { ms: market.fundingHours * hour };
  const times = opensUntil(bar, market.listed, ask.now, size * page).reverse();
  const opens = times.slice(size * (page - 1));
  return ok({ current_page: page, data: pointRows(paged, market, { opens }, ask) }, ask);
};

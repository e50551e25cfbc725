/** Histories of HTX's contracts: rows ascending where nothing else is said, numbers as text. */
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { contractOf, type Group, ok, references, row, v5 } from './htx-contracts.ts';

/** Shares of the long and short sides among the largest accounts, or of their positions: 200 rows, ascending. */
const elite =
  'in period 1min=1m 5min=5m 15min=15m 30min=30m 60min=1h 4hour=4h 1day=1d; rows 200; points';
type Elite = 'TopAccounts' | 'TopPositions';
const shares = (of: Elite, kind: string) =>
  `buy_ratio=${kind}long${of}.4 sell_ratio=${kind}short${of}.4`;
const eliteRatio = (of: Elite) => {
  const page = references.page(row(`contract_code=id ${shares(of, '')} ts=$now`), elite);
  return (ask: Ask) => v5(page(ask, contractOf(ask, 'linear')), ask);
};
const about = ({ symbol, id }: Market) => ({ symbol, contract_code: id });
/** The same of v1: numbers, in a list of one contract. */
const listedRatio = (group: Group, of: Elite) => {
  const page = references.page(row(`${shares(of, '#')} ts=now`), elite);
  return (ask: Ask) => {
    const market = contractOf(ask, group);
    return ok({ ...about(market), list: page(ask, market) }, ask);
  };
};
/** `funding_rate_history`: at most 100, newest first. */
const fundingRows = references.page(
  row('id=$seconds contract_code=id funding_rate=charged.18f funding_time=$now'),
  'every funding; rows limit 100 100 cut; from start_time; to end_time; newest; points',
);
/** `swap_his_open_interest?contract_code=&period=&amount_type=&size=`: both sides; only linear ones have a value. */
const interestHistory = (group: Group) => (ask: Ask) => {
  const market = contractOf(ask, group);
  const type = ask.query.get('amount_type') === '2' ? '2' : '1';
  const volume = type === '2' ? 'allInterest' : 'allContracts';
  const value = group === 'linear' ? 'value=allValue.10' : '';
  const made = row(`volume=${volume}.10 amount_type=${type} ts=now ${value}`);
  const page =
    'in period 60min=1h 4hour=4h 12hour=12h 1day=1d; rows size 48 200 cut; newest; points';
  const tick = references.page(made, page)(ask, market);
  return ok({ ...about(market), tick }, ask);
};
const paged = references.page(
  row('funding_rate=charged.18f funding_time=$now contract_code=id symbol'),
  'every funding; rows page_size 20 50 cut; page page_index; newest; points',
);
/** `swap_historical_funding_rate?contract_code=&page_index=&page_size=`: newest first, 50 a page at most. */
const pagedFundings = (ask: Ask) => {
  const data = paged(ask, contractOf(ask, 'inverse'));
  return ok({ current_page: Number(ask.query.get('page_index') ?? 1), data }, ask);
};

/** What each path answers. */
export const histories = {
  '/linear-swap-api/v1/swap_his_open_interest': interestHistory('linear'),
  '/swap-api/v1/swap_his_open_interest': interestHistory('inverse'),
  '/swap-api/v1/swap_historical_funding_rate': pagedFundings,
  '/linear-swap-api/v1/swap_elite_account_ratio': listedRatio('linear', 'TopAccounts'),
  '/linear-swap-api/v1/swap_elite_position_ratio': listedRatio('linear', 'TopPositions'),
  '/swap-api/v1/swap_elite_account_ratio': listedRatio('inverse', 'TopAccounts'),
  '/swap-api/v1/swap_elite_position_ratio': listedRatio('inverse', 'TopPositions'),
  '/v5/market/elite_account_ratio': eliteRatio('TopAccounts'),
  '/v5/market/elite_position_ratio': eliteRatio('TopPositions'),
  '/v5/market/funding_rate_history': (ask: Ask) =>
    v5(fundingRows(ask, contractOf(ask, 'linear')), ask),
};

/** Tables of the perpetuals (specification 4.10). */
import * as s from '../../../actors/topics/schema.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import {
  type ExchangeRank,
  type PerpetualMarket,
  weightedFunding,
} from '../../../indicators/derivatives/markets.ts';
import { type AssetSummary, ratioOf, sumKnown } from '../../../indicators/market/assets.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { Filter, Tables } from '../../views/market-tables.ts';
import { isApiError, warmingUp } from '../../wire/errors.ts';
import * as params from '../params.ts';
import * as common from './common.ts';

const row = { method: 'GET', group: 'Futures markets', access: 'key' } as const;

const open_interest_usd = s.numberOrNull('One side, USD; null where it is not known.');

const pairItem = s.object({
  exchange: common.exchange,
  contract: s.string("The exchange's own id."),
  symbol: common.symbol,
  quote: common.quote,
  margin_type: s.oneOf(['linear', 'inverse'], 'inverse: margined in the base asset.'),
  price: s.number('Last trade, in `quote`; the mark price where the exchange states none.'),
  mark_price: s.numberOrNull('In `quote`.'),
  index_price: s.numberOrNull('In `quote`.'),
  price_change_24h_percent: common.marketChange,
  volume_24h_usd: s.numberOrNull('Turnover of 24 hours, USD.'),
  open_interest_usd,
  open_interest_base: s.numberOrNull('One side, base units.'),
  funding_rate: s.numberOrNull('Fraction per `funding_interval_hours`.'),
  funding_interval_hours: s.numberOrNull(
    'Hours between two fundings; null where they are not known.',
  ),
  funding_rate_8h: s.numberOrNull('Fraction: the rate x 8 / `funding_interval_hours`.'),
  next_funding_time: s.integerOrNull('Unix ms.'),
  updated_at: common.updated_at,
});
const pairList = common.listOf(pairItem, common.basisOfMarkets);

const coinItem = s.object({
  symbol: common.symbol,
  price: common.priceUsd,
  price_change_1h_percent: common.changeHour,
  ...common.changeFields,
  open_interest_usd,
  open_interest_change_1h_percent: common.changeOfInterest,
  open_interest_change_24h_percent: common.changeOfInterest,
  volume_24h_usd: s.number('Turnover of 24 hours of the markets that count, USD.'),
  funding_rate_8h: s.numberOrNull('Fraction: mean over the markets by their turnover.'),
  oi_volume_ratio: s.numberOrNull('Open interest over turnover.'),
  ...common.liquidationFields,
  ...common.longShortFields,
  exchange_count: s.integer('Exchanges whose markets count.'),
  updated_at: common.updated_at,
});
const coinList = common.listOf(coinItem, {});

const rankItem = s.object({
  rank: s.integer('From 1.'),
  exchange: common.exchange,
  open_interest_usd,
  volume_24h_usd: s.numberOrNull('Turnover of 24 hours, USD.'),
  liquidation_usd_24h: common.liquidationFields.liquidation_usd_24h,
  pairs: s.integer('Perpetuals against dollars.'),
  oi_share: s.numberOrNull('Fraction of the open interest of all exchanges.'),
  volume_share: s.numberOrNull('Fraction of the turnover of all exchanges.'),
  oi_volume_ratio: s.numberOrNull('Open interest over turnover.'),
});
const rankList = common.listOf(rankItem, {});

const per8Hours = (rate: number | null, hours: number | null) =>
  rate === null || hours === null ? null : rateOf8Hours(rate, hours);

const pairOf = ({ row, turnover, interest, last, ...market }: PerpetualMarket) => ({
  exchange: market.exchange,
  contract: row.contract,
  symbol: row.symbol,
  quote: row.quote,
  margin_type: row.inverse === true ? ('inverse' as const) : ('linear' as const),
  price: last,
  mark_price: row.mark,
  index_price: row.index,
  price_change_24h_percent: row.change,
  volume_24h_usd: turnover,
  open_interest_usd: interest,
  open_interest_base: interest === null ? null : row.units,
  funding_rate: row.rate,
  funding_interval_hours: row.hours,
  funding_rate_8h: per8Hours(row.rate, row.hours),
  next_funding_time: row.next,
  updated_at: market.received,
});

/** Open interest of the markets that count, USD; null where none is known. */
export const interestOf = ({ counted }: AssetSummary<PerpetualMarket>): number | null =>
  sumKnown(counted.map(({ interest }) => interest));

/** The assets by open interest, largest first. */
export const byInterest = (
  assets: readonly AssetSummary<PerpetualMarket>[],
): readonly AssetSummary<PerpetualMarket>[] =>
  assets
    .map((asset) => ({ asset, interest: interestOf(asset) ?? -1 }))
    .sort((a, b) => b.interest - a.interest)
    .map(({ asset }) => asset);

function coinOf(tables: Tables, asset: AssetSummary<PerpetualMarket>, exchange?: string) {
  const interest = interestOf(asset);
  const { symbol } = asset;
  return {
    symbol,
    price: asset.price,
    ...common.changeOf(tables.change(symbol, exchange)),
    open_interest_usd: interest,
    price_change_1h_percent: tables.recorded.priceChange('perpetual', symbol),
    ...common.recordedOf(tables, { symbol, exchange }),
    volume_24h_usd: asset.turnover,
    funding_rate_8h: weightedFunding(asset.counted),
    oi_volume_ratio: ratioOf(interest, asset.turnover),
    ...common.liquidatedOf(tables, { symbol, exchange }),
    exchange_count: asset.exchanges,
    updated_at: asset.received,
  };
}

/** What was liquidated on an exchange in 24 hours, US dollars; null where it states none. */
function liquidatedOn({ liquidations }: Tables, exchange: string): number | null {
  const totals = liquidations.recent('exchange', exchange);
  const { long, short } = totals?.get(exchange)?.[24] ?? { long: 0, short: 0 };
  return totals && long + short;
}

const rankOf = (tables: Tables, one: ExchangeRank, i: number) => ({
  rank: i + 1,
  exchange: one.exchange,
  open_interest_usd: one.interest,
  volume_24h_usd: one.turnover,
  liquidation_usd_24h: liquidatedOn(tables, one.exchange),
  pairs: one.pairs,
  oi_share: one.interestShare,
  volume_share: one.turnoverShare,
  oi_volume_ratio: one.interestToTurnover,
});

interface TableQuery extends Filter {
  limit: number;
}

function pairsOf(tables: Tables, { limit, ...filter }: TableQuery) {
  const found = tables.futures.markets(filter);
  if (isApiError(found)) return found;
  return { ...common.ofMarkets, ...common.firstOf(found, limit, pairOf) };
}

function coinsOf(tables: Tables, { limit, ...filter }: TableQuery) {
  const found = tables.futures.assets(filter);
  if (isApiError(found)) return found;
  return common.firstOf(byInterest(found), limit, (one) => coinOf(tables, one, filter.exchange));
}

const ranksOf = (tables: Tables, { limit }: { limit: number }) =>
  tables.ranks.length === 0
    ? warmingUp
    : common.firstOf(tables.ranks, limit, (one, i) => rankOf(tables, one, i));

export function futuresRoutes(context: common.MarketsContext): Route[] {
  const { tables } = context;
  const readPairs = tables.answers<TableQuery, s.Static<typeof pairList>>(pairsOf);
  const readCoins = tables.answers<TableQuery, s.Static<typeof coinList>>(coinsOf);
  const readRanks = tables.answers<{ limit: number }, s.Static<typeof rankList>>(ranksOf);
  const table = { ...row, params: common.filters(context, 'perpetual') };
  return [
    route({
      ...table,
      path: '/v1/futures/coins-markets',
      summary:
        'Assets by open interest: price, funding, open interest and turnover of their perpetuals',
      answer: coinList,
      from: { answers: readCoins },
    }),
    route({
      ...table,
      path: '/v1/futures/pairs-markets',
      summary: 'Perpetuals of every exchange by turnover',
      answer: pairList,
      from: { answers: readPairs },
    }),
    route({
      ...row,
      path: '/v1/futures/exchange-rank',
      summary: 'Exchanges by the open interest of their perpetuals',
      params: { limit: params.limit(30, 50, 'Most exchanges.') },
      answer: rankList,
      from: { answers: readRanks },
    }),
  ];
}

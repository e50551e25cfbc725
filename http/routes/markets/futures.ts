/** Tables of the perpetuals (specification 4.10). */
import type { MarketClass } from '../../../config/assets/symbols.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import * as perpetualMarkets from '../../../indicators/derivatives/markets.ts';
import { quotientOf } from '../../../indicators/market/assets.ts';
import type { Filter, Tables } from '../../views/market-tables.ts';
import { isApiError, kit, params, s, warmingUp } from '../kit.ts';
import * as common from './common.ts';
import { markCells } from './marks.ts';

const open_interest_usd = s.numberOrNull('One side, USD; null where it is not known.');

const pair = kit.columns<perpetualMarkets.PerpetualMarket>()({
  exchange: s.exchange,
  contract: [s.ownId, 'market'],
  symbol: s.symbol,
  class: [common.asset_class, 'asset_class'],
  quote: s.quote,
  margin_type: [
    s.oneOf(['linear', 'inverse'], 'inverse: margined in the base asset.'),
    ({ row }) => (row.inverse === true ? 'inverse' : 'linear'),
  ],
  price: [s.number('Last trade, in `quote`; the mark price where there is none.'), 'last'],
  mark_price: [s.numberOrNull('In `quote`.'), ({ row }) => row.mark],
  index_price: [s.numberOrNull('In `quote`.'), ({ row }) => row.index],
  price_change_24h_percent: [common.marketChange, 'change'],
  high_24h: [s.numberOrNull('Highest price of 24 hours, in `quote`.'), ({ row }) => row.high],
  low_24h: [s.numberOrNull('Lowest price of 24 hours, in `quote`.'), ({ row }) => row.low],
  volume_24h_usd: [s.numberOrNull('Turnover of 24 hours.'), 'turnover'],
  open_interest_usd: [open_interest_usd, 'interest'],
  open_interest_base: [
    s.numberOrNull('One side.'),
    ({ row, interest }) => (interest === null ? null : row.units),
  ],
  funding_rate: [s.numberOrNull('Fraction per `funding_interval_hours`.'), ({ row }) => row.rate],
  funding_interval_hours: [
    s.numberOrNull('Hours between two fundings; null where they are not known.'),
    ({ row }) => row.hours,
  ],
  funding_rate_8h: [
    s.numberOrNull('Fraction: the rate x 8 / `funding_interval_hours`.'),
    ({ row: { rate, hours } }) =>
      rate === null || hours === null ? null : rateOf8Hours(rate, hours),
  ],
  next_funding_time: [s.integerOrNull('Unix ms.'), ({ row }) => row.next],
  updated_at: [common.updated_at, 'received'],
});

const coin = kit.columns<perpetualMarkets.FuturesAsset & common.Asset>()({
  symbol: s.symbol,
  class: [common.asset_class, 'asset_class'],
  price: common.priceUsd,
  price_change_1h_percent: [
    common.changeHour,
    ({ tables, symbol }) => tables.recorded.priceChange('perpetual', symbol),
  ],
  ...common.changeCells,
  open_interest_usd: [open_interest_usd, 'interest'],
  ...common.recordedCells,
  volume_24h_usd: [s.number('Turnover of 24 hours of the markets that count.'), 'turnover'],
  funding_rate_8h: [
    s.numberOrNull('Fraction: mean over the markets by their turnover.'),
    ({ counted }) => perpetualMarkets.weightedFunding(counted),
  ],
  oi_volume_ratio: [
    s.numberOrNull('Open interest over turnover.'),
    ({ interest, turnover }) => quotientOf(interest, turnover),
  ],
  ...common.liquidationCells,
  ...common.longShortCells,
  exchange_count: [s.integer('Exchanges whose markets count.'), 'exchanges'],
  updated_at: [common.updated_at, 'received'],
  ...markCells<perpetualMarkets.FuturesAsset>({
    outliers: { open_interest_usd: ({ counted }) => counted.filter((one) => one.implausible) },
    newest: {
      price: ({ row }) => row.priced ?? row.received,
      volume_24h_usd: ({ row }) => row.priced,
      open_interest_usd: ({ interest, row }) => (interest === null ? null : row.valued),
      funding_rate_8h: ({ row }) => (row.rate === null ? null : row.received),
    },
  }),
});

const rank = kit.columns<perpetualMarkets.ExchangeRank & { tables: Tables; place: number }>()({
  rank: [s.integer('Among all exchanges, from 1.'), 'place'],
  exchange: s.exchange,
  open_interest_usd: [open_interest_usd, 'interest'],
  volume_24h_usd: [s.numberOrNull('Turnover of 24 hours.'), 'turnover'],
  liquidation_usd_24h: [
    common.liquidation,
    ({ tables, exchange }) => common.liquidated({ tables, exchange })?.sum ?? null,
  ],
  pairs: s.integer('Perpetuals against dollars.'),
  oi_share: [s.numberOrNull('Fraction of the open interest of all exchanges.'), 'interestShare'],
  volume_share: [s.numberOrNull('Fraction of the turnover of all exchanges.'), 'turnoverShare'],
  oi_volume_ratio: [s.numberOrNull('Open interest over turnover.'), 'interestToTurnover'],
  updated_at: [common.updated_at, 'received'],
});

function coinsOf(tables: Tables, filter: Filter) {
  const found = tables.futures.assets(filter);
  if (isApiError(found)) return found;
  return perpetualMarkets
    .byInterest(found)
    .map((asset) => ({ ...asset, tables, exchange: filter.exchange }));
}

function ranksOf(tables: Tables, exchange: string | undefined, of: MarketClass) {
  if (tables.futures.all.length === 0) return warmingUp;
  const ranked = tables.ranks(of).map((one, at) => ({ ...one, tables, place: at + 1 }));
  return kit.matching(ranked, { exchange });
}

export function futuresRoutes(context: common.MarketsContext) {
  const { tables } = context;
  const { source } = tables;
  const wanted = common.filters(context, 'perpetual');
  return [
    kit.table({
      path: '/v1/futures/coins-markets',
      summary:
        'Assets by open interest: price, funding, open interest and turnover of their perpetuals',
      params: common.assetFilters(context, 'perpetual'),
      columns: coin,
      source,
      find: (filter) => tables.read((now) => coinsOf(now, filter)),
    }),
    kit.table({
      path: '/v1/futures/pairs-markets',
      summary: 'Perpetuals of every exchange by turnover',
      params: wanted,
      fields: common.basisOfMarkets,
      columns: pair,
      source,
      find: (filter) => tables.read((now) => common.marketsOf(now.futures, filter)),
    }),
    kit.table({
      path: '/v1/futures/exchange-rank',
      summary: 'Exchanges by the open interest of their perpetuals',
      params: {
        exchange: wanted.exchange,
        class: params.assetClassOrCoins,
        limit: params.limit(30, 50, 'Most exchanges.'),
      },
      columns: rank,
      source,
      find: ({ exchange, class: of }) => tables.read((now) => ranksOf(now, exchange, of)),
    }),
  ];
}

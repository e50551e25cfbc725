/** Parts of the tables of markets. */
import { marketClasses } from '../../../config/assets/symbols.ts';
import type { AssetMarket } from '../../../indicators/market/assets.ts';
import { dayChangeBases } from '../../../indicators/market/day-change.ts';
import type { Filter, Tables } from '../../views/market-tables.ts';
import { isApiError, kit, params, s } from '../kit.ts';

/** The parts of the context that the tables need. */
export interface MarketsContext extends kit.Needs<'tables'> {
  registry: kit.Registry;
}

/** An exchange that has spot markets, or perpetuals; all of them when absent. */
export const exchangeOf = ({ registry }: MarketsContext, kind: 'spot' | 'perpetual') =>
  params.exchangeOrAll(params.exchangesWith(registry, kind));

/** The filters of a table, and its length. */
export const filters = (context: MarketsContext, kind: 'spot' | 'perpetual') => ({
  symbol: params.symbolOrAll,
  exchange: exchangeOf(context, kind),
  class: params.assetClass,
  limit: params.limit(50, 500, 'Most rows.'),
});

/** The filters of a table of assets, and its page. */
export const assetFilters = (context: MarketsContext, kind: 'spot' | 'perpetual') => ({
  ...filters(context, kind),
  offset: params.offset('Rows to leave out at the start.'),
});

export const asset_class = s.oneOf(
  marketClasses,
  'What it is about; `unknown` where the list of a builder of Hyperliquid does not state it.',
);

export const priceUsd = s.number(
  'US dollars: mean over the markets by their turnover, without those more than 5 % from the median.',
);

/** An asset in the tables: over all exchanges, or on one. */
export interface Asset {
  tables: Tables;
  symbol: string;
  exchange?: string | undefined;
}

/** The change of an asset, the same in every table, and what it is of. */
export const changeCells = {
  price_change_24h_percent: [
    s.numberOrNull(
      'Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover.',
    ),
    ({ tables, symbol, exchange }: Asset) => tables.change(symbol, exchange)?.percent ?? null,
  ],
  price_change_24h_basis: [
    s.oneOf(
      [...dayChangeBases, null],
      'asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is.',
    ),
    ({ tables, symbol, exchange }: Asset) => tables.change(symbol, exchange)?.basis ?? null,
  ],
} as const;

/** The change that one market states, in the items of a list, and the field of the list that says so. */
export const marketChange = s.numberOrNull(
  'Change of the price of this market in 24 hours, percent; null where the exchange states none.',
);
export const basisOfMarkets = {
  price_change_24h_basis: s.literal('market', 'Changes are of one market each, not of the asset.'),
};
export const ofMarkets = { price_change_24h_basis: 'market' as const };
export const changeHour = s.numberOrNull(
  'Change of the mean price of all exchanges in one hour, percent; null where it is not recorded.',
);
export const updated_at = s.unixMs('When the newest of its numbers was received.');

export const liquidation = s.numberOrNull(
  'US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any.',
);

/** Liquidations of the perpetuals of an asset, or on an exchange, of 24 hours, US dollars; null where no feed states any. */
export function liquidated({ tables, symbol, exchange }: Partial<Asset> & Pick<Asset, 'tables'>) {
  const by = symbol === undefined ? 'exchange' : 'symbol';
  const totals = tables.liquidations.recent(by, exchange);
  const { long, short } = totals?.get(symbol ?? exchange ?? '')?.[24] ?? { long: 0, short: 0 };
  return totals && { long, short, sum: long + short };
}

export const liquidationCells = {
  liquidation_usd_24h: [liquidation, (asset: Asset) => liquidated(asset)?.sum ?? null],
  long_liquidation_usd_24h: [liquidation, (asset: Asset) => liquidated(asset)?.long ?? null],
  short_liquidation_usd_24h: [liquidation, (asset: Asset) => liquidated(asset)?.short ?? null],
} as const;

const interestChange = s.numberOrNull(
  'Percent, over the exchanges that are recorded at both times; null where they have less than half of it.',
);
/** Columns out of recorded series of the perpetuals of an asset. */
export const recordedCells = {
  open_interest_change_1h_percent: [
    interestChange,
    ({ tables, symbol, exchange }: Asset) => tables.recorded.interestChanges(symbol, exchange).hour,
  ],
  open_interest_change_24h_percent: [
    interestChange,
    ({ tables, symbol, exchange }: Asset) => tables.recorded.interestChanges(symbol, exchange).day,
  ],
} as const;
export const longShortCells = {
  long_short_ratio: [
    s.numberOrNull(
      'Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded.',
    ),
    ({ tables, symbol, exchange }: Asset) => tables.recorded.accountRatio(symbol, exchange),
  ],
  long_short_ratio_basis: kit.constant(
    'binance',
    'Accounts of Binance alone; /v1/long-short-ratio is of several exchanges.',
  ),
} as const;

/** The markets of a table that a client asks for, or why there is none, with what their changes are of. */
export function marketsOf<M extends AssetMarket>(
  table: { markets(filter: Filter): readonly M[] | kit.ApiError },
  filter: Filter,
) {
  const rows = table.markets(filter);
  return isApiError(rows) ? rows : { ...ofMarkets, rows };
}

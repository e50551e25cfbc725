/** The largest assets, or one, as the first screen of a dashboard shows them. */
import type { MarketClass } from '../../../config/assets/symbols.ts';
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import * as perpetualMarkets from '../../../indicators/derivatives/markets.ts';
import { type AssetSummary, dayRange, sumKnown } from '../../../indicators/market/assets.ts';
import type { SpotMarket, Tables } from '../../views/market-tables.ts';
import { apiError, isApiError, kit, params, s, warmingUp } from '../kit.ts';
import * as common from './common.ts';

/** An asset with spot markets, perpetuals or both. */
interface Listed extends common.Asset {
  price: number;
  spot: AssetSummary<SpotMarket> | undefined;
  futures: perpetualMarkets.FuturesAsset | undefined;
}

const fundingOf = ({ futures }: Listed) =>
  futures ? perpetualMarkets.weightedFunding(futures.counted) : null;

const item = kit.columns<Listed>()({
  symbol: s.symbol,
  class: [common.asset_class, ({ spot, futures }) => (spot ?? futures)?.asset_class ?? 'unknown'],
  price: s.number('US dollars: of its spot markets, or of its perpetuals where it has none.'),
  price_change_1h_percent: [
    common.changeHour,
    ({ tables, symbol, spot }) => tables.recorded.priceChange(spot ? 'spot' : 'perpetual', symbol),
  ],
  ...common.changeCells,
  high_24h: [
    s.numberOrNull('Highest spot price of 24 hours, USD.'),
    ({ spot }) => (spot ? dayRange(spot.counted).high : null),
  ],
  low_24h: [
    s.numberOrNull('Lowest spot price of 24 hours, USD.'),
    ({ spot }) => (spot ? dayRange(spot.counted).low : null),
  ],
  spot_volume_24h_usd: [
    s.numberOrNull('Null without a spot market.'),
    ({ spot }) => spot?.turnover ?? null,
  ],
  futures_volume_24h_usd: [
    s.numberOrNull('Null without a perpetual.'),
    ({ futures }) => futures?.turnover ?? null,
  ],
  open_interest_usd: [s.numberOrNull('One side.'), ({ futures }) => futures?.interest ?? null],
  ...common.recordedCells,
  funding_rate_8h: [s.numberOrNull('Fraction: mean of its perpetuals by turnover.'), fundingOf],
  funding_annualized: [
    s.numberOrNull('The mean rate per 365 days, a fraction.'),
    (one) => {
      const funding = fundingOf(one);
      return funding === null ? null : annualRate(funding, 8);
    },
  ],
  ...common.longShortCells,
  ...common.liquidationCells,
  spot_exchange_count: [
    s.integer('Exchanges with a spot market of it.'),
    ({ spot }) => spot?.exchanges ?? 0,
  ],
  futures_exchange_count: [
    s.integer('Exchanges with a perpetual of it.'),
    ({ futures }) => futures?.exchanges ?? 0,
  ],
  updated_at: [
    common.updated_at,
    ({ spot, futures }) => Math.max(spot?.received ?? 0, futures?.received ?? 0),
  ],
});

/** The list of assets, or an empty one where a table has none. */
const orNone = <T>(found: readonly T[] | kit.ApiError): readonly T[] =>
  isApiError(found) ? [] : found;

function listed(
  tables: Tables,
  spot: AssetSummary<SpotMarket> | undefined,
  futures: perpetualMarkets.FuturesAsset | undefined,
): Listed[] {
  const main = spot ?? futures;
  if (main === undefined) return [];
  const { symbol, price } = main;
  return [{ tables, symbol, price, spot, futures }];
}

function overviewOf(tables: Tables, symbol: string | undefined, of: MarketClass) {
  const spots = orNone(tables.spot.assets({ class: of }));
  const futures = perpetualMarkets.byInterest(orNone(tables.futures.assets({ class: of })));
  if (tables.spot.all.length + tables.futures.all.length === 0) return warmingUp;
  const totals = {
    total_open_interest_usd: sumKnown(futures.map(({ interest }) => interest)),
    total_spot_volume_24h_usd: sumKnown(spots.map(({ turnover }) => turnover)) ?? 0,
    total_futures_volume_24h_usd: sumKnown(futures.map(({ turnover }) => turnover)) ?? 0,
  };
  if (symbol === undefined) {
    const bySymbol = new Map(spots.map((spot) => [spot.symbol, spot]));
    const rows = futures.flatMap((one) => listed(tables, bySymbol.get(one.symbol), one));
    return { ...totals, rows };
  }
  const [spot] = orNone(tables.spot.assets({ symbol }));
  const [perpetual] = perpetualMarkets.byInterest(orNone(tables.futures.assets({ symbol })));
  const rows = listed(tables, spot, perpetual);
  if (rows.length === 0) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
  return { ...totals, rows };
}

export const overviewRoute = ({ tables }: common.MarketsContext) =>
  kit.table({
    path: '/v1/overview',
    summary:
      'Price, funding, open interest and turnover of one asset, or of those with the largest open interest',
    params: {
      symbol: params.symbolOrAll,
      class: params.assetClassOrCoins,
      limit: params.limit(10, 100, 'Without `symbol`: most assets.'),
    },
    fields: {
      total_open_interest_usd: s.numberOrNull('Of all assets of the class, one side.'),
      total_spot_volume_24h_usd: s.number('Spot turnover of all assets of the class.'),
      total_futures_volume_24h_usd: s.number('Turnover of all perpetuals of the class.'),
    },
    columns: item,
    source: tables.source,
    find: ({ symbol, class: of }) => tables.read((now) => overviewOf(now, symbol, of)),
  });

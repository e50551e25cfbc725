/** What the first screen of a dashboard shows of the largest assets, or of one. */
import * as s from '../../../actors/topics/schema.ts';
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import { type PerpetualMarket, weightedFunding } from '../../../indicators/derivatives/markets.ts';
import { type AssetSummary, sumKnown } from '../../../indicators/market/assets.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { SpotMarket, Tables } from '../../views/market-tables.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import { symbolOrAll } from '../analytics/common.ts';
import * as params from '../params.ts';
import * as common from './common.ts';
import { byInterest, interestOf } from './futures.ts';
import { rangeOf } from './spot.ts';

const item = s.object({
  symbol: common.symbol,
  price: s.number('US dollars: of its spot markets, or of its perpetuals where it has none.'),
  price_change_1h_percent: common.changeHour,
  ...common.changeFields,
  high_24h: s.numberOrNull('Highest spot price of 24 hours, USD.'),
  low_24h: s.numberOrNull('Lowest spot price of 24 hours, USD.'),
  spot_volume_24h_usd: s.numberOrNull('Null without a spot market.'),
  futures_volume_24h_usd: s.numberOrNull('Null without a perpetual.'),
  open_interest_usd: s.numberOrNull('One side, USD.'),
  open_interest_change_1h_percent: common.changeOfInterest,
  open_interest_change_24h_percent: common.changeOfInterest,
  funding_rate_8h: s.numberOrNull('Fraction: mean over its perpetuals by their turnover.'),
  funding_annualized: s.numberOrNull('The same per 365 days, a fraction.'),
  ...common.longShortFields,
  ...common.liquidationFields,
  spot_exchange_count: s.integer('Exchanges with a spot market of it.'),
  futures_exchange_count: s.integer('Exchanges with a perpetual of it.'),
  updated_at: common.updated_at,
});
const overview = common.listOf(item, {
  total_open_interest_usd: s.numberOrNull('Of all assets, one side, USD.'),
  total_spot_volume_24h_usd: s.number('Of all assets, USD.'),
  total_futures_volume_24h_usd: s.number('Of all assets, USD.'),
});
type Overview = s.Static<typeof overview>;

type Spot = AssetSummary<SpotMarket>;
type Futures = AssetSummary<PerpetualMarket>;

function futuresOf(futures: Futures | undefined) {
  const funding = futures ? weightedFunding(futures.counted) : null;
  return {
    futures_volume_24h_usd: futures?.turnover ?? null,
    open_interest_usd: futures ? interestOf(futures) : null,
    funding_rate_8h: funding,
    funding_annualized: funding === null ? null : annualRate(funding, 8),
    futures_exchange_count: futures?.exchanges ?? 0,
  };
}

/** The item of an asset with spot markets, perpetuals or both. */
function itemOf(
  tables: Tables,
  main: Spot | Futures,
  { spot, futures }: { spot: Spot | undefined; futures: Futures | undefined },
) {
  const { symbol, price } = main;
  return {
    ...{ symbol, price, ...common.changeOf(tables.change(symbol)) },
    ...(spot ? rangeOf(spot) : { high_24h: null, low_24h: null }),
    ...{ spot_volume_24h_usd: spot?.turnover ?? null, spot_exchange_count: spot?.exchanges ?? 0 },
    ...futuresOf(futures),
    price_change_1h_percent: tables.recorded.priceChange(spot ? 'spot' : 'perpetual', symbol),
    ...common.recordedOf(tables, { symbol }),
    ...common.liquidatedOf(tables, { symbol }),
    updated_at: Math.max(spot?.received ?? 0, futures?.received ?? 0),
  };
}

/** The list of assets, or an empty one where a table has none. */
const orNone = <T>(found: readonly T[] | ApiError): readonly T[] =>
  isApiError(found) ? [] : found;

interface Query {
  symbol?: string | undefined;
  limit: number;
}

function overviewOf(tables: Tables, { symbol, limit }: Query): Overview | ApiError {
  const spots = orNone(tables.spot.assets({}));
  const futures = orNone(tables.futures.assets({}));
  if (spots.length + futures.length === 0) return warmingUp;
  const totals = {
    total_open_interest_usd: sumKnown(futures.map(interestOf)),
    total_spot_volume_24h_usd: sumKnown(spots.map(({ turnover }) => turnover)) ?? 0,
    total_futures_volume_24h_usd: sumKnown(futures.map(({ turnover }) => turnover)) ?? 0,
  };
  if (symbol !== undefined) {
    const [spot] = orNone(tables.spot.assets({ symbol }));
    const [futures] = orNone(tables.futures.assets({ symbol }));
    const main = spot ?? futures;
    if (main === undefined) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
    return { ...totals, count: 1, items: [itemOf(tables, main, { spot, futures })] };
  }
  const bySymbol = new Map(spots.map((spot) => [spot.symbol, spot]));
  const list = common.firstOf(byInterest(futures), limit, (perpetual) => {
    const spot = bySymbol.get(perpetual.symbol);
    return itemOf(tables, spot ?? perpetual, { spot, futures: perpetual });
  });
  return { ...totals, ...list };
}

export function overviewRoute(context: common.MarketsContext): Route {
  const read = context.tables.answers<Query, Overview>(overviewOf);
  return route({
    method: 'GET',
    group: 'Prices, order books, bars',
    access: 'key',
    path: '/v1/overview',
    summary:
      'Price, funding, open interest and turnover of one asset, or of those with the largest open interest',
    params: {
      symbol: symbolOrAll,
      limit: params.limit(10, 100, 'Without `symbol`: most assets.'),
    },
    answer: overview,
    from: { answers: read },
  });
}

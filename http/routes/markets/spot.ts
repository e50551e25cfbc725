/** Tables of the spot markets (specification 4.5). */
import { classOfSymbol } from '../../../config/assets/symbols.ts';
import * as assets from '../../../indicators/market/assets.ts';
import type { Filter, SpotMarket, Tables } from '../../views/market-tables.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';
import * as common from './common.ts';
import { markCells } from './marks.ts';

const supported = kit.columns<{ symbol: string; exchanges: string[] }>()({
  symbol: s.symbol,
  class: [common.asset_class, ({ symbol }) => classOfSymbol(symbol)],
  exchange_count: [s.integer('Number of `exchanges`.'), ({ exchanges }) => exchanges.length],
  exchanges: s.list(s.string(), 'Exchanges that list it against dollars.'),
});

const pair = kit.columns<SpotMarket>()({
  exchange: s.exchange,
  pair: [s.ownId, 'market'],
  symbol: s.symbol,
  class: [common.asset_class, 'asset_class'],
  quote: s.quote,
  price: [s.number('Last trade, in `quote`.'), 'last'],
  bid: [
    s.numberOrNull(
      'Best bid, in `quote`, of the same message as `ask`; both are null where the exchange states none or the last price has passed one of them.',
    ),
    ({ row }) => row.bid,
  ],
  ask: [s.numberOrNull('Best ask, in `quote`; null as `bid`.'), ({ row }) => row.ask],
  spread_percent: [
    s.numberOrNull('Ask less bid, percent of the mid.'),
    ({ row }) => assets.spreadPct(row.bid, row.ask),
  ],
  price_change_24h_percent: [common.marketChange, 'change'],
  volume_24h_base: [s.numberOrNull(), ({ row }) => row.base],
  volume_24h_usd: [s.number('Turnover of 24 hours.'), 'turnover'],
  high_24h: [s.numberOrNull('Highest price of 24 hours, in `quote`.'), ({ row }) => row.high],
  low_24h: [s.numberOrNull('Lowest price of 24 hours, in `quote`.'), ({ row }) => row.low],
  quotes_updated_at: [
    s.unixMsOrNull('When bid and ask were received, at times before the price; null without them.'),
    ({ row, received }) => (row.bid === null && row.ask === null ? null : (row.quoted ?? received)),
  ],
  updated_at: [common.updated_at, 'received'],
});

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

const volume = kit.columns<SpotMarket & { whole: number; place: number }>()({
  rank: [s.integer('Among all pairs, from 1.'), 'place'],
  exchange: s.exchange,
  pair: [s.ownId, 'market'],
  symbol: s.symbol,
  class: [common.asset_class, 'asset_class'],
  volume_24h_usd: [s.number('Turnover of 24 hours.'), 'turnover'],
  price: [s.number('Last trade, in the quote of the pair.'), 'last'],
  price_change_24h_percent: [common.marketChange, 'change'],
  share: [s.number('Fraction of the total.'), ({ turnover, whole }) => shareOf(turnover, whole)],
});

const coin = kit.columns<assets.AssetSummary<SpotMarket> & common.Asset & { whole: number }>()({
  symbol: s.symbol,
  class: [common.asset_class, 'asset_class'],
  price: common.priceUsd,
  price_change_1h_percent: [
    common.changeHour,
    ({ tables, symbol }) => tables.recorded.priceChange('spot', symbol),
  ],
  ...common.changeCells,
  volume_24h_usd: [s.number('Turnover of 24 hours of the markets that count.'), 'turnover'],
  volume_share: [
    s.number('Fraction of the turnover of all assets, or of those of the class.'),
    ({ turnover, whole }) => shareOf(turnover, whole),
  ],
  high_24h: [
    s.numberOrNull('Highest price of 24 hours on any of them, USD.'),
    (asset) => assets.dayRange(asset.counted).high,
  ],
  low_24h: [
    s.numberOrNull('Lowest price of 24 hours on any of them, USD.'),
    (asset) => assets.dayRange(asset.counted).low,
  ],
  exchange_count: [s.integer('Exchanges whose markets count.'), 'exchanges'],
  buy_volume_24h_usd: [
    s.numberOrNull('Bought by takers on Binance in 24 whole hours; null where not recorded.'),
    ({ tables, symbol, exchange }) => tables.recorded.takers(symbol, exchange).buy,
  ],
  sell_volume_24h_usd: [
    s.numberOrNull('Sold by takers there; null as above.'),
    ({ tables, symbol, exchange }) => tables.recorded.takers(symbol, exchange).sell,
  ],
  updated_at: [common.updated_at, 'received'],
  ...markCells<assets.AssetSummary<SpotMarket>>({
    outliers: {},
    newest: { price: ({ received }) => received, volume_24h_usd: ({ received }) => received },
  }),
});

const total = (rows: readonly { turnover: number }[]): number =>
  assets.sumKnown(rows.map(({ turnover }) => turnover)) ?? 0;

function supportedIn(tables: Tables, { symbol, exchange, class: of }: Filter) {
  const coins = [...tables.spotListed].map(([symbol, found]) => ({
    symbol,
    exchanges: [...found].sort(),
  }));
  if (coins.length === 0)
    return apiError('upstream_failed', 'no instrument list has been received yet');
  const on = coins.filter(
    ({ symbol: own, exchanges }) =>
      (exchange === undefined || exchanges.includes(exchange)) &&
      (of === undefined || classOfSymbol(own) === of),
  );
  if (symbol === undefined) return on;
  const found = tables.spot.markets({ symbol });
  return isApiError(found) ? found : kit.matching(on, { symbol: found[0]?.symbol });
}

function volumesOf(tables: Tables, { symbol, exchange, class: of }: Filter) {
  const found = common.marketsOf(tables.spot, { exchange, class: of });
  if (isApiError(found)) return found;
  const wanted = tables.spot.markets({ symbol, exchange, class: of });
  if (isApiError(wanted)) return wanted;
  const whole = total(found.rows);
  const asset = symbol && wanted[0]?.symbol;
  const ranked = found.rows.map((one, at) => ({ ...one, whole, place: at + 1 }));
  const rows = kit.matching(ranked, { symbol: asset });
  return { ...found, total_volume_24h_usd: whole, rows };
}

function coinsOf(tables: Tables, { symbol, exchange, class: of }: Filter) {
  const found = tables.spot.assets({ symbol, exchange, class: of });
  const all = tables.spot.assets({ exchange, class: of });
  if (isApiError(found)) return found;
  const whole = isApiError(all) ? 0 : total(all);
  return found.map((asset) => ({ ...asset, tables, exchange, whole }));
}

export function spotRoutes(context: common.MarketsContext) {
  const { tables } = context;
  const { source } = tables;
  const wanted = common.filters(context, 'spot');
  const { symbol, exchange, class: of } = wanted;
  return [
    kit.table({
      path: '/v1/spot/supported-coins',
      summary: 'Assets with a spot market against dollars, and the exchanges that list them',
      params: { symbol, exchange, class: of },
      columns: supported,
      list: 'coins',
      order: 'By name.',
      source,
      find: (filter) => tables.read((now) => supportedIn(now, filter)),
    }),
    kit.table({
      path: '/v1/spot/coins-markets',
      summary: 'Assets by spot turnover: price, change, range and turnover over all exchanges',
      params: common.assetFilters(context, 'spot'),
      columns: coin,
      source,
      find: (filter) => tables.read((now) => coinsOf(now, filter)),
    }),
    kit.table({
      path: '/v1/spot/pairs-markets',
      summary: 'Spot markets of every exchange by turnover',
      params: wanted,
      fields: common.basisOfMarkets,
      columns: pair,
      source,
      find: (filter) => tables.read((now) => common.marketsOf(now.spot, filter)),
    }),
    kit.table({
      path: '/v1/spot/volume',
      summary: 'The spot markets with the largest turnover, and their shares of the total',
      params: {
        symbol,
        exchange,
        class: params.assetClassOrCoins,
        limit: params.limit(50, 500, 'Most rows.'),
      },
      fields: {
        ...common.basisOfMarkets,
        total_volume_24h_usd: s.number('Turnover of all pairs of the class, also beyond `limit`.'),
      },
      columns: volume,
      source,
      find: (filter) => tables.read((now) => volumesOf(now, filter)),
    }),
  ];
}

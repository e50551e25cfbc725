/** The assets whose prices rose and fell most in 24 hours. */
import type { MarketClass } from '../../../config/assets/symbols.ts';
import { dayChangeBases, moversOf } from '../../../indicators/market/day-change.ts';
import type { Filter, Tables } from '../../views/market-tables.ts';
import { isApiError, kit, params, s } from '../kit.ts';
import * as common from './common.ts';

const mover = kit.columns<ReturnType<typeof moversOf>[number] & { place: number }>()({
  rank: [s.integer('Among all that moved so, from 1.'), 'place'],
  symbol: [s.symbol, ({ market }) => market.symbol],
  class: [common.asset_class, ({ market }) => market.asset_class],
  exchange: [s.exchange, ({ market }) => market.exchange],
  market: [s.string("The most traded one: the exchange's own id."), ({ market }) => market.market],
  quote: [s.quote, ({ market }) => market.quote],
  price: [s.number('Last trade, in `quote`.'), ({ market }) => market.last],
  price_change_24h_percent: [
    s.number('Change of the price of the asset in 24 hours, percent: as in the tables of assets.'),
    ({ change }) => change.percent,
  ],
  price_change_24h_basis: [
    s.oneOf([...dayChangeBases], 'As in the tables of assets.'),
    ({ change }) => change.basis,
  ],
  volume_24h_usd: [s.number('Turnover of the market in 24 hours.'), 'turnover'],
  updated_at: [common.updated_at, ({ market }) => market.received],
});

const kinds = {
  spot: { kind: 'spot', market: 'spot market' },
  futures: { kind: 'perpetual', market: 'perpetual' },
} as const;
const directions = {
  gainers: { sign: 1, moved: 'rose most in 24 hours' },
  losers: { sign: -1, moved: 'fell most in 24 hours' },
} as const;

type MoversQuery = Filter & { class: MarketClass; min_volume: number };

function found(tables: Tables, kind: keyof typeof kinds, sign: 1 | -1, query: MoversQuery) {
  const { symbol, exchange, class: of, min_volume } = query;
  const table: Pick<Tables['spot' | 'futures'], 'markets'> = tables[kind];
  const markets = table.markets({ exchange, class: of });
  if (isApiError(markets)) return markets;
  const wanted = table.markets({ symbol, exchange, class: of });
  if (isApiError(wanted)) return wanted;
  const changeOf = (name: string) => tables.change(name, exchange);
  const movers = moversOf(markets, { sign, least: min_volume, changeOf });
  const rows = movers.map((one, at) => ({ ...one, place: at + 1 }));
  const asset = wanted[0]?.symbol;
  return { min_volume, rows: rows.filter(({ market }) => !symbol || market.symbol === asset) };
}

/** The rows of one kind of markets and one direction. */
function moversRoute(
  context: common.MarketsContext,
  of: keyof typeof kinds,
  direction: keyof typeof directions,
) {
  const { kind, market } = kinds[of];
  const { sign, moved } = directions[direction];
  const { tables } = context;
  return kit.table({
    path: `/v1/${of}/${direction}`,
    summary: `Assets that ${moved}, each with its most traded ${market}`,
    params: {
      symbol: params.symbolOrAll,
      exchange: common.exchangeOf(context, kind),
      class: params.assetClassOrCoins,
      min_volume: params.atLeastOr(0, 1_000_000, 'Least turnover of the market in 24 hours, USD.'),
      limit: params.limit(20, 200, 'Most assets.'),
    },
    fields: { min_volume: s.number('USD.') },
    columns: mover,
    source: tables.source,
    find: (query) => tables.read((now) => found(now, of, sign, query)),
  });
}

export const moversRoutes = (context: common.MarketsContext) =>
  (['spot', 'futures'] as const).flatMap((of) =>
    (['gainers', 'losers'] as const).map((direction) => moversRoute(context, of, direction)),
  );

/** The assets whose prices rose and fell most in 24 hours. */
import * as s from '../../../actors/topics/schema.ts';
import type { AssetMarket } from '../../../indicators/market/assets.ts';
import { dayChangeBases, type Mover, moversOf } from '../../../indicators/market/day-change.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { Tables } from '../../views/market-tables.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import * as common from './common.ts';

const item = s.object({
  rank: s.integer('From 1.'),
  symbol: common.symbol,
  exchange: common.exchange,
  market: s.string("The asset's most traded market: the exchange's own id."),
  quote: common.quote,
  price: s.number('Last trade, in `quote`.'),
  price_change_24h_percent: s.number(
    'Change of the price of the asset in 24 hours, percent: as in the tables of assets.',
  ),
  price_change_24h_basis: s.oneOf([...dayChangeBases], 'As in the tables of assets.'),
  volume_24h_usd: s.number('Turnover of the market in 24 hours, USD.'),
  updated_at: common.updated_at,
});
const answer = common.listOf(item, { min_volume: s.number('USD.') });
type Answer = s.Static<typeof answer>;

interface Query {
  exchange?: string | undefined;
  min_volume: number;
  limit: number;
}

const itemOf = ({ market: one, change, turnover }: Mover, i: number) => ({
  rank: i + 1,
  ...{ symbol: one.symbol, exchange: one.exchange, market: one.market, quote: one.quote },
  price: one.last,
  price_change_24h_percent: change.percent,
  price_change_24h_basis: change.basis,
  volume_24h_usd: turnover,
  updated_at: one.received,
});

const kinds = { spot: 'spot', futures: 'perpetual' } as const;
const directions = {
  gainers: { sign: 1, summary: 'rose most in 24 hours' },
  losers: { sign: -1, summary: 'fell most in 24 hours' },
} as const;

/** The rows of one kind of markets and one direction. */
function moversRoute(
  context: common.MarketsContext,
  kind: keyof typeof kinds,
  direction: keyof typeof directions,
): Route {
  const { sign, summary } = directions[direction];
  const build = (tables: Tables, { limit, min_volume, exchange }: Query): Answer | ApiError => {
    const found: readonly AssetMarket[] | ApiError = tables[kind].markets({ exchange });
    if (isApiError(found)) return found;
    const changeOf = (symbol: string) => tables.change(symbol, exchange);
    const moved = moversOf(found, { sign, least: min_volume, changeOf });
    return { min_volume, ...common.firstOf(moved, limit, itemOf) };
  };
  const read = context.tables.answers<Query, Answer>(build);
  return route({
    method: 'GET',
    group: kind === 'spot' ? 'Spot markets' : 'Futures markets',
    access: 'key',
    path: `/v1/${kind}/${direction}`,
    summary: `Assets whose most traded ${kind === 'spot' ? 'spot market' : 'perpetual'} ${summary}`,
    params: {
      exchange: common.exchangeOf(context, kinds[kind]),
      min_volume: {
        type: 'number',
        default: 1_000_000,
        minimum: 0,
        description: 'Least turnover of the market in 24 hours, USD.',
      },
      limit: params.limit(20, 200, 'Most assets.'),
    },
    answer,
    from: { answers: read },
  });
}

export const moversRoutes = (context: common.MarketsContext): Route[] =>
  (['spot', 'futures'] as const).flatMap((kind) =>
    (['gainers', 'losers'] as const).map((direction) => moversRoute(context, kind, direction)),
  );

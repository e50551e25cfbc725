/** Tracked wallets of Hyperliquid in one asset: how they are distributed, and where they would be liquidated. */
import { type WalletPosition, walletCoverage } from '../../actors/topics/hyperliquid-wallets.ts';
import * as walletPositions from '../../indicators/derivatives/wallet-positions.ts';
import { kit, params, s } from './kit.ts';

export const source = 'hyperliquid-wallets';
type Context = kit.Needs<'markets'>;

/** Positions that an answer is made of at most. */
export const most = 100_000;

const symbolOf = ({ markets }: Context) => params.asset(markets, 'perpetual', ['hyperliquid']);

const groupRow = kit.columns<
  ReturnType<typeof walletPositions.groupedWallets>[number] & { to: number | null }
>()({
  from_usd: [
    s.numberOrNull('Least of the group, US dollars; null for the lowest one.'),
    ({ from }) => (Number.isFinite(from) ? from : null),
  ],
  to_usd: [s.numberOrNull('Least of the next group; null for the highest one.'), 'to'],
  wallets: s.integer('Wallets in the group.'),
  long_usd: s.number('Value of their longs, US dollars.'),
  short_usd: s.number('Value of their shorts, US dollars.'),
  long_part: [
    s.numberOrNull('Longs over both, a fraction; null without a position.'),
    ({ long_usd, short_usd }) =>
      long_usd + short_usd > 0 ? long_usd / (long_usd + short_usd) : null,
  ],
  profitable: s.integer('Wallets with a profit on these positions.'),
});

/** The groups with where each ends. */
const groupsOf = (positions: readonly WalletPosition[], by: 'value' | 'profit') =>
  walletPositions
    .groupedWallets(positions, by)
    .map((one, i, all) => groupRow.read({ ...one, to: all[i + 1]?.from ?? null }));

const distribution = s.object({
  coverage: walletCoverage,
  value_groups: s.list(groupRow.schema, 'By the value of all positions of a wallet, ascending.'),
  profit_groups: s.list(groupRow.schema, 'By the unrealised profit of a wallet, ascending.'),
});

/** A subject of all positions of one asset. */
const positionsOfAsset = {
  names: ['walletPositions'],
  what: ({ symbol }: { symbol: string }) => `the positions in ${symbol} on hyperliquid`,
  ask: ({ symbol }: { symbol: string }) => ({ source, params: { symbol, most } }),
} as const;

const distributionRoute = (context: Context) =>
  kit.history({
    path: '/v1/hyperliquid/distribution',
    summary:
      'Tracked wallets of Hyperliquid in an asset by size and by profit, with their value by side',
    params: { symbol: symbolOf(context) },
    of: positionsOfAsset,
    list: 'value_groups',
    fold: ({ coverage, positions }) => ({
      coverage,
      value_groups: groupsOf(positions, 'value'),
      profit_groups: groupsOf(positions, 'profit'),
    }),
    fields: kit.plain(distribution),
  });

const level = kit.columns<ReturnType<typeof walletPositions.liquidationLevels>[number]>()({
  price: s.number('Start of the level, US dollars.'),
  side: s.oneOf(['long', 'short'], 'Of the positions that would be liquidated.'),
  value_usd: s.number('Value of the positions now, US dollars.'),
  wallets: s.integer('Wallets of them.'),
  cumulative_usd: s.number('From the price now to this level, US dollars.'),
});

const map = s.object({
  model: s.literal('exchange_prices', 'The exchange states the liquidation price of positions.'),
  coverage: walletCoverage,
  count: s.count,
  levels: s.list(level.schema, 'Ascending by price, within 25 % of the price now.'),
});

const mapRoute = (context: Context) =>
  kit.history({
    path: '/v1/hyperliquid/liquidation-map',
    summary:
      'Where tracked wallets of Hyperliquid would be liquidated, by the prices of the exchange',
    params: { symbol: symbolOf(context) },
    of: positionsOfAsset,
    fold: ({ coverage, positions }) => {
      const levels = walletPositions.liquidationLevels(positions);
      return {
        model: 'exchange_prices' as const,
        coverage,
        count: levels.length,
        levels: level.all(levels),
      };
    },
    fields: kit.plain(map),
  });

export const holderRoutes = (context: Context) => [
  ...distributionRoute(context),
  ...mapRoute(context),
];

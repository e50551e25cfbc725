/** What the simulated WOO X lists: `spot` and `perp`, all in USDT but for one pair. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

function market(asset: Asset, group: 'spot' | 'perp', more: Partial<MarketSpec>): MarketSpec {
  const { quote = 'USDT' } = more;
  return {
    venue: 'woo',
    id: `${group.toUpperCase()}_${asset.symbol}_${quote}`,
    group,
    kind: group === 'spot' ? 'spot' : 'perpetual',
    symbol: asset.symbol,
    quote,
    scale: 1,
    contract: 1,
    inverse: false,
    decimals: quote === 'BTC' ? 8 : priceDecimals(asset.price, 12),
    lot: lotDecimals(asset.price, 6),
    share: 0.01,
    listed: asset.listed,
    state: 'live',
    ...more,
  };
}

/** Every market of the venue. */
export function wooMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 5 !== 4);
  const stables = assets.filter(({ symbol }) => symbol === 'USDC');
  const pairs = coins.slice(0, 24);
  return [
    ...pairs.map((coin) => market(coin, 'spot', { share: 0.005 })),
    ...stables.map((coin) => market(coin, 'spot', {})),
    ...pairs.slice(1, 2).map((coin) => market(coin, 'spot', { quote: 'BTC', share: 0.001 })),
    ...coins.slice(24, 25).map((coin) => market(coin, 'spot', { share: 0, state: 'halted' })),
    ...coins.map((coin, i) =>
      market(coin, 'perp', i === coins.length - 1 ? { share: 0, state: 'halted' } : {}),
    ),
  ];
}

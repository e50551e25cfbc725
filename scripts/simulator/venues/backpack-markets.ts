/** What the simulated Backpack lists: spot and perpetuals against USDC, in one list. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

function market(asset: Asset, perpetual: boolean, share: number): MarketSpec {
  const equity = asset.kind === 'equity';
  const scale = perpetual && asset.price < 1e-4 ? 1000 : 1;
  const base = `${scale === 1 ? '' : 'k'}${asset.symbol}${equity ? '.US' : ''}`;
  const kind = perpetual ? 'perpetual' : 'spot';
  return {
    venue: 'backpack',
    id: `${base}_USDC${perpetual ? '_PERP' : ''}`,
    group: 'all',
    kind: equity ? 'other' : kind,
    symbol: asset.symbol,
    quote: 'USDC',
    scale,
    contract: 1,
    inverse: false,
    decimals: priceDecimals(asset.price * scale, 10),
    lot: lotDecimals(asset.price * scale, 5),
    share,
    listed: asset.listed,
    state: 'live',
  };
}

const againstBitcoin = (asset: Asset): MarketSpec => ({
  ...market(asset, false, 0.0005),
  id: `${asset.symbol}_BTC`,
  quote: 'BTC',
  decimals: 8,
});

/** Every market of the venue: about every third coin. */
export function backpackMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && (rank < 12 || rank % 3 === 0));
  const tether = assets.filter(({ symbol }) => symbol === 'USDT');
  const equities = assets.filter(({ kind }) => kind === 'equity');
  const perpetuals = coins.map((coin) => market(coin, true, 0.01));
  const closed = Math.min(15, perpetuals.length - 1);
  return [
    ...coins.map((coin) => market(coin, false, 0.002)),
    ...tether.map((coin) => market(coin, false, 0.001)),
    ...coins.filter(({ symbol }) => symbol === 'ETH').map(againstBitcoin),
    ...perpetuals.map(
      (perp, i): MarketSpec => (i === closed ? { ...perp, state: 'halted' } : perp),
    ),
    ...coins
      .slice(-1)
      .map(
        (coin): MarketSpec => ({ ...market(coin, false, 0), id: 'SOON_USDC', state: 'preopen' }),
      ),
    ...equities.map((share) => market(share, true, 0.01)),
  ];
}

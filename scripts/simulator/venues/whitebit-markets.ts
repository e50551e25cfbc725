/** What the simulated WhiteBIT lists: spot pairs and perpetuals in USDT. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

function spot(asset: Asset, quote: string, share: number): MarketSpec {
  return {
    venue: 'whitebit',
    id: `${asset.symbol}_${quote}`,
    group: 'spot',
    kind: 'spot',
    symbol: asset.symbol,
    quote,
    scale: 1,
    contract: 1,
    inverse: false,
    decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 12),
    lot: lotDecimals(asset.price, 6),
    share,
    listed: asset.listed,
    state: 'live',
  };
}

/** None is scaled. `tradfiFutures` stand in the same list. */
const perpetual = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.02),
  id: `${asset.symbol}_PERP`,
  group: 'futures',
  kind: asset.kind === 'equity' ? 'other' : 'perpetual',
});

/** Every market of the venue: about four coins of five. */
export function whitebitMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 5 !== 4);
  const usdc = assets.filter(({ symbol }) => symbol === 'USDC');
  const equities = assets.filter(({ kind }) => kind === 'equity');
  const perpetuals = coins.slice(0, Math.ceil(coins.length * 0.6)).map(perpetual);
  const stopped = Math.min(20, perpetuals.length - 1);
  return [
    ...coins.map((coin) => spot(coin, 'USDT', 0.03)),
    ...coins.filter(({ rank }) => rank < 8).map((coin) => spot(coin, 'EUR', 0.002)),
    ...coins
      .filter(({ rank, price }) => rank > 0 && rank < 10 && price > 0.1)
      .map((coin) => spot(coin, 'BTC', 0.001)),
    ...usdc.map((coin) => spot(coin, 'USDT', 0.03)),
    ...coins.slice(2, 4).map((coin): MarketSpec => ({ ...spot(coin, 'BUSD', 0), state: 'halted' })),
    ...perpetuals.map(
      (perp, i): MarketSpec => (i === stopped ? { ...perp, state: 'halted' } : perp),
    ),
    ...equities.map(perpetual),
  ];
}

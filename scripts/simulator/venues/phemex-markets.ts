/** What the simulated Phemex lists: `spot` and `inverse`, both in scaled integers, and `linear`. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

/** Decimals of spot and of inverse prices, and of most amounts. */
const scales = { spot: 8, inverse: 4, value: 8 } as const;

/** Decimals of a currency's amounts: 2 for coins of the smallest prices, as for SHIB. */
export const valueScale = (price: number): number => (price < 1e-3 ? 2 : scales.value);

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'phemex',
  id: '',
  group,
  kind: group === 'spot' ? 'spot' : 'perpetual',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: 0,
  lot: 0,
  share: 0.05,
  listed: asset.listed,
  state: 'live',
});

/** The integer price is that of 10^8 coins, the integer quantity counts 10^-`valueScale` coins. */
function spot(asset: Asset, quote: string, share: number): MarketSpec {
  const amounts = valueScale(asset.price);
  return {
    ...base(asset, 'spot'),
    id: `s${asset.symbol}${quote}`,
    quote,
    scale: 10 ** scales.spot,
    contract: 10 ** -amounts / 10 ** scales.spot,
    decimals: quote === 'BTC' ? 0 : priceDecimals(asset.price, scales.spot) - scales.spot,
    lot: lotDecimals(asset.price, amounts) - amounts,
    share,
  };
}

/** `u1000PEPEUSDT`, whose base is written `1000 PEPE`. */
function linear(asset: Asset, quote: 'USDT' | 'USDC', share: number): MarketSpec {
  const scale = asset.price < 1e-3 ? 1000 : 1;
  return {
    ...base(asset, 'linear'),
    id: scale > 1 ? `u1000${asset.symbol}${quote}` : `${asset.symbol}${quote}`,
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    quote,
    scale,
    decimals: priceDecimals(asset.price * scale, 8),
    lot: lotDecimals(asset.price * scale, 3),
    share,
  };
}

/** Contracts of 1 USD; the integer price is that of 10^4 coins. */
const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'inverse'),
  id: `${asset.symbol === 'BTC' ? '' : 'c'}${asset.symbol}USD`,
  quote: 'USD',
  scale: 10 ** scales.inverse,
  inverse: true,
  decimals: priceDecimals(asset.price, scales.inverse) - scales.inverse,
  share: 0.01,
});

const delisted = (market: MarketSpec): MarketSpec => ({ ...market, share: 0, state: 'halted' });

/** Every market of the venue. */
export function phemexMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 8 !== 7);
  const stables = assets.filter((asset) => asset.symbol === 'USDC');
  const perps = coins.slice(0, Math.ceil(coins.length * 0.8));
  return [
    ...coins.map((coin) => spot(coin, 'USDT', 0.04)),
    ...coins.slice(0, 8).map((coin) => spot(coin, 'USDC', 0.005)),
    ...coins.slice(1, 4).map((coin) => spot(coin, 'BTC', 0.001)),
    ...stables.map((coin) => spot(coin, 'USDT', 0.02)),
    ...coins.slice(9, 11).map((coin) => delisted(spot(coin, 'USDC', 0))),
    ...perps.map((coin) => linear(coin, 'USDT', 0.08)),
    ...coins.slice(0, 4).map((coin) => linear(coin, 'USDC', 0.01)),
    ...coins.slice(5, 7).map((coin) => delisted(linear(coin, 'USDC', 0))),
    ...coins.slice(-1).map((c): MarketSpec => ({ ...linear(c, 'USDC', 0.01), state: 'preopen' })),
    ...assets.filter(({ kind }) => kind === 'equity').map((share) => linear(share, 'USDT', 0.05)),
    ...coins.slice(0, 2).map(inverse),
    ...coins.slice(2, 3).map((coin) => delisted(inverse(coin))),
  ];
}

/** What the simulated HTX lists: `spot`, `linear` and `inverse` swaps. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'htx',
  id: '',
  group,
  kind: group === 'spot' ? 'spot' : 'perpetual',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price, 10),
  lot: lotDecimals(asset.price, 6),
  share: 0.03,
  listed: asset.listed,
  state: 'live',
});

/** Lower-case, without a separator: `btcusdt`. */
const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}${quote}`.toLowerCase(),
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  share,
});

/** A leveraged token, which clients leave out. */
const leveraged = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.001),
  id: `${asset.symbol}3susdt`.toLowerCase(),
  kind: 'other',
});

/** Base units per contract: 0.001 BTC, 0.01 ETH, else a power of ten worth some dollars. */
function contractOf({ symbol, price }: Asset, scale: number): number {
  if (symbol === 'BTC') return 0.001;
  return symbol === 'ETH' ? 0.01 : 10 ** Math.round(Math.log10(10 / (price * scale)));
}

/** Whole contracts. One scaled base: 1000BONK. */
function linear(asset: Asset): MarketSpec {
  const scale = asset.symbol === 'BONK' ? 1000 : 1;
  return {
    ...base(asset, 'linear'),
    id: `${scale > 1 ? scale : ''}${asset.symbol}-USDT`,
    scale,
    contract: contractOf(asset, scale),
    decimals: priceDecimals(asset.price * scale, 10),
    lot: 0,
    share: 0.06,
  };
}

const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'inverse'),
  id: `${asset.symbol}-USD`,
  quote: 'USD',
  contract: asset.symbol === 'BTC' ? 100 : 10,
  inverse: true,
  lot: 0,
  share: 0.01,
});

/** Every market of the venue. */
export function htxMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 8 !== 6);
  const stables = assets.filter((asset) => asset.symbol === 'USDC');
  const perps = coins.slice(0, Math.ceil(coins.length * 0.7));
  const halted = coins.slice(-1);
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 8 && price > 0.1);
  return [
    ...coins.filter((coin) => coin.symbol === 'XRP').map(leveraged),
    ...coins.slice(0, -1).map((coin) => spot(coin, 'USDT', 0.03)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.001)),
    ...stables.map((coin) => spot(coin, 'USDT', 0.02)),
    ...halted.map((coin): MarketSpec => ({ ...spot(coin, 'USDT', 0), state: 'halted' })),
    ...perps.map(linear),
    ...halted.map((coin): MarketSpec => ({ ...linear(coin), share: 0, state: 'halted' })),
    ...coins.filter(({ rank, price }) => rank < 6 && price > 0.01).map(inverse),
  ];
}

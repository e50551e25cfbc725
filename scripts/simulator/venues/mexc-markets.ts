/** What the simulated MEXC lists: `spot`, and linear and inverse `contracts`. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'mexc',
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
  share: 0.05,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}${quote}`,
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  share,
});

/** A leveraged token, which clients leave out. */
const leveraged = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.001),
  id: `${asset.symbol}3LUSDT`,
  kind: 'other',
});

/** Base units per contract: 0.0001 BTC, 0.01 ETH, else a power of ten worth some dollars. */
function contractOf({ symbol, price }: Asset, scale: number): number {
  if (symbol === 'BTC') return 0.0001;
  return symbol === 'ETH' ? 0.01 : 10 ** Math.round(Math.log10(10 / (price * scale)));
}

/** Whole contracts. One scaled base (1000BONK); shares end in STOCK. */
function linear(asset: Asset, quote: string, share: number): MarketSpec {
  const scale = asset.symbol === 'BONK' ? 1000 : 1;
  const name = asset.kind === 'equity' ? `${asset.symbol}STOCK` : asset.symbol;
  return {
    ...base(asset, 'contracts'),
    id: `${scale > 1 ? scale : ''}${name}_${quote}`,
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    quote,
    scale,
    contract: contractOf(asset, scale),
    decimals: priceDecimals(asset.price * scale, 10),
    lot: 0,
    share,
  };
}

const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'contracts'),
  id: `${asset.symbol}_USD`,
  quote: 'USD',
  contract: asset.symbol === 'BTC' ? 100 : 10,
  inverse: true,
  lot: 0,
  share: 0.01,
});

/** Every market of the venue. */
export function mexcMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 11 !== 10);
  const stables = assets.filter((asset) => asset.symbol === 'USDC');
  const perps = coins.slice(0, Math.ceil(coins.length * 0.85));
  const halted = coins.slice(-1);
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 8 && price > 0.1);
  return [
    ...coins.slice(0, -1).map((coin) => spot(coin, 'USDT', 0.05)),
    ...coins.slice(0, 6).map((coin) => spot(coin, 'USDC', 0.005)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.001)),
    ...stables.map((coin) => spot(coin, 'USDT', 0.02)),
    ...coins.slice(0, 1).map(leveraged),
    ...halted.map((coin): MarketSpec => ({ ...spot(coin, 'USDT', 0), state: 'halted' })),
    ...perps.map((coin) => linear(coin, 'USDT', 0.1)),
    ...coins.slice(0, 3).map((coin) => linear(coin, 'USDC', 0.005)),
    ...halted.map((coin): MarketSpec => ({ ...linear(coin, 'USDT', 0), state: 'halted' })),
    ...assets.filter((a) => a.kind === 'equity').map((share) => linear(share, 'USDT', 0.1)),
    ...coins.filter(({ rank, price }) => rank < 4 && price > 0.01).map(inverse),
  ];
}

/** What the simulated BingX lists: spot, linear (in base) and inverse (in contracts of USD) perpetuals. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'bingx',
  id: `${asset.symbol}-${quote}`,
  group: 'spot',
  kind: 'spot',
  symbol: asset.symbol,
  quote,
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 12),
  lot: lotDecimals(asset.price, 8),
  share,
  listed: asset.listed,
  state: 'live',
});

/** Cheap coins trade by the thousand, the cheapest by the million. */
const scaleOf = (price: number) => (price < 1e-6 ? 1_000_000 : price < 1e-4 ? 1000 : 1);

function linear(asset: Asset, quote: string, share: number): MarketSpec {
  const scale = scaleOf(asset.price);
  const price = asset.price * scale;
  return {
    ...spot(asset, quote, share),
    id: `${scale > 1 ? scale : ''}${asset.symbol}-${quote}`,
    group: 'linear',
    kind: 'perpetual',
    scale,
    decimals: priceDecimals(price, 10),
    lot: lotDecimals(price, 4),
  };
}

const inverse = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USD', 0.002),
  group: 'inverse',
  kind: 'perpetual',
  contract: asset.symbol === 'BTC' ? 100 : 10,
  inverse: true,
  lot: 0,
});

/** A share among the perpetuals, under the prefix that the venue gives it. */
const share = (asset: Asset): MarketSpec => ({
  ...linear(asset, 'USDT', 0.01),
  id: `NCSK${asset.symbol}2USD-USDT`,
  kind: 'other',
});

/** Every market of the venue. */
export function bingxMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const listed = coins.filter((coin) => coin.rank % 9 !== 8);
  const swaps = listed.slice(0, Math.ceil(listed.length * 0.9));
  const halted = (market: MarketSpec, i: number): MarketSpec =>
    i === Math.min(25, swaps.length - 1) ? { ...market, state: 'halted' } : market;
  return [
    ...listed.map((coin) => spot(coin, 'USDT', 0.03)).map(halted),
    ...listed.filter((coin) => coin.rank < 4).map((coin) => spot(coin, 'USDC', 0.002)),
    ...listed.filter((coin) => coin.rank === 1).map((coin) => spot(coin, 'BTC', 0.001)),
    ...swaps.map((coin) => linear(coin, 'USDT', 0.06)).map(halted),
    ...swaps.slice(0, 4).map((coin) => linear(coin, 'USDC', 0.004)),
    ...swaps.slice(0, 5).map(inverse),
    ...assets.filter((asset) => asset.kind === 'equity').map(share),
  ];
}

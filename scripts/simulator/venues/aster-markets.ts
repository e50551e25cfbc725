/** What the simulated Aster lists: spot pairs (`spot`) and linear perpetuals (`linear`). */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'aster',
  id: `${asset.symbol}${quote}`,
  group: 'spot',
  kind: 'spot',
  symbol: asset.symbol,
  quote,
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  lot: lotDecimals(asset.price, 5),
  share,
  listed: asset.listed,
  state: 'live',
});

/** Cheap coins are listed by the thousand: 1000PEPEUSDT. */
function perp(asset: Asset, quote: string, share: number): MarketSpec {
  const scale = asset.price < 1e-4 ? 1000 : 1;
  return {
    ...base(asset, quote, share),
    id: `${scale === 1 ? '' : scale}${asset.symbol}${quote}`,
    group: 'linear',
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    scale,
    decimals: priceDecimals(asset.price * scale, 8),
    lot: lotDecimals(asset.price * scale, 4),
  };
}

/** Every market of the venue: one of each kind is stopped, and one pair was never traded. */
export function asterMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin' && asset.rank % 8 !== 7);
  const pairs = coins.slice(0, 24).map((coin) => base(coin, 'USDT', 0.01));
  const perps = coins.map((coin) => perp(coin, 'USDT', 0.08));
  const stop = (markets: MarketSpec[], at: number) =>
    markets.map(
      (m, i): MarketSpec =>
        i === Math.min(at, markets.length - 1) ? { ...m, state: 'halted' } : m,
    );
  return [
    ...stop(pairs, 15),
    ...coins.slice(1, 3).map((coin) => base(coin, 'BTC', 0.001)),
    ...coins.slice(-1).map((coin): MarketSpec => ({ ...base(coin, 'USD1', 0), state: 'preopen' })),
    ...stop(perps, 30),
    ...coins.slice(0, 4).map((coin) => perp(coin, 'USD1', 0.005)),
    ...assets.filter((asset) => asset.kind === 'equity').map((share) => perp(share, 'USDT', 0.1)),
  ];
}

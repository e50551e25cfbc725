/** What the simulated Coinbase lists: spot, and the perpetuals of its international exchange. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'coinbase',
  id: `${asset.symbol}-${quote}`,
  group: 'spot',
  kind: 'spot',
  symbol: asset.symbol,
  quote,
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  lot: lotDecimals(asset.price, 8),
  share,
  listed: asset.listed,
  state: 'live',
});

/** Cheap coins trade by the thousand: 1000PEPE-PERP. */
function perpetual(asset: Asset): MarketSpec {
  const scale = asset.price < 0.0001 ? 1000 : 1;
  const price = asset.price * scale;
  return {
    ...spot(asset, 'USDC', 0.015),
    id: `${scale > 1 ? scale : ''}${asset.symbol}-PERP`,
    group: 'perpetual',
    kind: 'perpetual',
    scale,
    decimals: priceDecimals(price, 10),
    lot: lotDecimals(price, 4),
  };
}

/** Every market of the venue; the USDC names of the USD books are no markets of their own. */
export function coinbaseMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const listed = coins.filter((coin) => coin.rank % 6 !== 4);
  const halted = (market: MarketSpec, i: number): MarketSpec =>
    i === Math.min(30, listed.length - 1) ? { ...market, state: 'halted' } : market;
  return [
    ...listed.map((coin) => spot(coin, 'USD', 0.06)).map(halted),
    ...listed.filter((coin) => coin.rank < 6).map((coin) => spot(coin, 'USDT', 0.002)),
    ...listed.filter((coin) => coin.rank < 6).map((coin) => spot(coin, 'EUR', 0.004)),
    ...listed.filter((coin) => coin.rank === 1).map((coin) => spot(coin, 'BTC', 0.001)),
    ...assets.filter((asset) => asset.symbol === 'USDT').map((coin) => spot(coin, 'USD', 0.02)),
    ...listed
      .slice(0, Math.ceil(listed.length / 2))
      .map(perpetual)
      .map((market, i): MarketSpec => (i === 12 ? { ...market, state: 'halted' } : market)),
  ];
}

/** What the simulated Bitget lists: spot and three product types, all of them counted in the base. */
import { quarters, yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'bitget',
  id: '',
  group,
  kind: group === 'spot' ? 'spot' : 'perpetual',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price, 12),
  lot: lotDecimals(asset.price, 6),
  share: 0.06,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}${quote}`,
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 12),
  share,
});

function linear(asset: Asset, share: number): MarketSpec {
  const scale = asset.price < 1e-6 ? 1000 : 1;
  return {
    ...base(asset, 'usdt-futures'),
    id: `${scale === 1 ? '' : scale}${asset.symbol}USDT`,
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    scale,
    decimals: priceDecimals(asset.price * scale, 10),
    lot: lotDecimals(asset.price * scale, 4),
    share,
  };
}

/** BONK is the one that trades by the thousand here although its price would do. */
function bonk(asset: Asset): MarketSpec {
  const market = linear(asset, 0.02);
  const decimals = priceDecimals(asset.price * 1000, 7);
  return { ...market, id: `1000${asset.symbol}USDT`, scale: 1000, decimals };
}

const usdc = (asset: Asset): MarketSpec => ({
  ...base(asset, 'usdc-futures'),
  id: `${asset.symbol}PERP`,
  quote: 'USDC',
  share: 0.005,
});

const coinMargined = (asset: Asset): MarketSpec => ({
  ...base(asset, 'coin-futures'),
  id: `${asset.symbol}USD`,
  quote: 'USD',
  share: 0.005,
});

const dated = (asset: Asset): MarketSpec[] =>
  quarters().map((expires) => ({
    ...coinMargined(asset),
    id: `${asset.symbol}USD_${yymmdd(expires)}`,
    kind: 'other',
    listed: Math.max(asset.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function bitgetMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 8 !== 6);
  const perps = coins.filter(({ symbol }) => symbol !== 'BONK').slice(0, coins.length - 4);
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 12 && price > 0.1);
  const halted = (market: MarketSpec): MarketSpec => ({ ...market, state: 'halted' });
  return [
    ...coins.map((coin) => spot(coin, 'USDT', 0.05)),
    ...coins.slice(0, 12).map((coin) => spot(coin, 'USDC', 0.005)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.001)),
    ...assets.filter((a) => a.symbol === 'USDC').map((coin) => spot(coin, 'USDT', 0.03)),
    ...coins.slice(3, 5).map((coin) => halted(spot(coin, 'BUSD', 0))),
    ...perps.map((coin, i) => (i === 11 ? halted(linear(coin, 0)) : linear(coin, 0.1))),
    ...coins.filter(({ symbol }) => symbol === 'BONK').map(bonk),
    ...assets.filter((a) => a.kind === 'equity').map((share) => linear(share, 0.05)),
    ...coins.slice(0, 5).map(usdc),
    ...coins.filter(({ rank, price }) => rank < 6 && price > 0.01).map(coinMargined),
    ...coins.slice(1, 2).flatMap(dated),
  ];
}

/** What the simulated OKX lists: SPOT, SWAP (linear and inverse) and dated FUTURES. */
import { quarters, yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset): MarketSpec => ({
  venue: 'okx',
  id: '',
  group: 'SPOT',
  kind: 'spot',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price, 13),
  lot: lotDecimals(asset.price, 8),
  share: 0.1,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset),
  id: `${asset.symbol}-${quote}`,
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 13),
  share,
});

/** Base units per contract: 0.01 BTC, 0.1 ETH, else a power of ten worth some tens of dollars (1e7 PEPE). */
function contractOf({ symbol, price }: Asset): number {
  if (symbol === 'BTC') return 0.01;
  if (symbol === 'ETH') return 0.1;
  return 10 ** Math.round(Math.log10(100 / price));
}

const linear = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset),
  id: `${asset.symbol}-${quote}-SWAP`,
  group: 'SWAP',
  kind: 'perpetual',
  quote,
  contract: contractOf(asset),
  lot: 2,
  share,
});

const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset),
  id: `${asset.symbol}-USD-SWAP`,
  group: 'SWAP',
  kind: 'perpetual',
  quote: 'USD',
  contract: asset.symbol === 'BTC' ? 100 : 10,
  inverse: true,
  lot: 0,
  share: 0.02,
});

const dated = (swap: MarketSpec): MarketSpec[] =>
  quarters().map((expires) => ({
    ...swap,
    id: swap.id.replace('SWAP', yymmdd(expires)),
    group: 'FUTURES',
    kind: 'other',
    share: swap.share / 40,
    listed: Math.max(swap.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function okxMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const stables = assets.filter((asset) => asset.kind === 'stable');
  const listed = coins.filter((coin) => coin.rank % 7 !== 6);
  const swaps = listed.slice(0, Math.ceil(listed.length * 0.8));
  const crossed = ({ rank, price }: Asset) => rank > 0 && rank < 20 && price > 0.1;
  const suspended = (market: MarketSpec, i: number): MarketSpec =>
    i === Math.min(60, swaps.length - 1) ? { ...market, state: 'halted' } : market;
  return [
    ...listed.map((coin) => spot(coin, 'USDT', 0.08)),
    ...listed.filter((coin) => coin.rank < 40).map((coin) => spot(coin, 'USDC', 0.01)),
    ...listed.filter((coin) => coin.rank < 10).map((coin) => spot(coin, 'USD', 0.01)),
    ...listed.filter(crossed).map((coin) => spot(coin, 'BTC', 0.002)),
    ...listed.filter((coin) => coin.rank < 6).map((coin) => spot(coin, 'EUR', 0.002)),
    ...stables.map((coin) => spot(coin, 'USD', 0.02)),
    ...stables.filter((coin) => coin.symbol === 'USDC').map((coin) => spot(coin, 'USDT', 0.02)),
    ...swaps.map((coin) => linear(coin, 'USDT', 0.15)).map(suspended),
    ...swaps.slice(0, 5).map((coin) => linear(coin, 'USDC', 0.01)),
    ...swaps.slice(0, 5).map(inverse),
    ...listed.slice(-1).map((c): MarketSpec => ({ ...linear(c, 'USDT', 0), state: 'preopen' })),
    ...swaps
      .slice(0, 2)
      .flatMap((coin) => [...dated(linear(coin, 'USDT', 0.15)), ...dated(inverse(coin))]),
  ];
}

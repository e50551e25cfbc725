/** What the simulated Bybit lists: `spot`, `linear` (dated futures included) and `inverse`. */
import { quarters } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'bybit',
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
  share: 0.1,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}${quote}`,
  quote,
  decimals: quote === 'BTC' ? 8 : priceDecimals(asset.price, 10),
  share,
});

/** Scaled bases come in two spellings: 1000PEPE and SHIB1000. */
function nativeBase({ symbol, price }: Asset): { name: string; scale: number } {
  if (price >= 1e-4) return { name: symbol, scale: 1 };
  const scale = price < 1e-6 ? 10_000 : 1000;
  return { name: symbol === 'SHIB' ? `SHIB${scale}` : `${scale}${symbol}`, scale };
}

/** USDC contracts are named without their quote: BTCPERP. */
function linear(asset: Asset, quote: 'USDT' | 'USDC', share: number): MarketSpec {
  const { name, scale } = nativeBase(asset);
  return {
    ...base(asset, 'linear'),
    id: `${name}${quote === 'USDC' ? 'PERP' : quote}`,
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    quote,
    scale,
    decimals: priceDecimals(asset.price * scale, 7),
    lot: lotDecimals(asset.price * scale, 3),
    share,
  };
}

/** Quantities in contracts of 1 USD. */
const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'inverse'),
  id: `${asset.symbol}USD`,
  quote: 'USD',
  inverse: true,
  decimals: priceDecimals(asset.price, 5),
  lot: 0,
  share: 0.02,
});

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** `26JUN26`. */
function expiry(t: number): string {
  const date = new Date(t);
  const [day, year] = [date.getUTCDate(), date.getUTCFullYear() % 100];
  return `${String(day).padStart(2, '0')}${months[date.getUTCMonth()]}${year}`;
}

const dated = (asset: Asset): MarketSpec[] =>
  quarters().map((expires) => ({
    ...linear(asset, 'USDC', 0.002),
    id: `${asset.symbol}-${expiry(expires)}`,
    kind: 'other',
    listed: Math.max(asset.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function bybitMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 9 !== 8);
  const stables = assets.filter((asset) => asset.symbol === 'USDC');
  const perps = coins.slice(0, Math.ceil(coins.length * 0.85));
  const last = coins.slice(-1);
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 12 && price > 0.1);
  return [
    ...coins.map((coin) => spot(coin, 'USDT', 0.08)),
    ...coins.slice(0, 20).map((coin) => spot(coin, 'USDC', 0.01)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.002)),
    ...stables.map((coin) => spot(coin, 'USDT', 0.05)),
    ...coins.slice(4, 6).map((c): MarketSpec => ({ ...spot(c, 'BUSD', 0), state: 'halted' })),
    ...perps.map((coin) => linear(coin, 'USDT', 0.15)),
    ...coins.slice(0, 6).map((coin) => linear(coin, 'USDC', 0.01)),
    ...last.map((coin): MarketSpec => ({ ...linear(coin, 'USDT', 0), state: 'preopen' })),
    ...assets.filter((a) => a.kind === 'equity').map((share) => linear(share, 'USDT', 0.1)),
    ...coins.slice(0, 1).flatMap(dated),
    ...coins.filter(({ rank, price }) => rank < 8 && price > 0.01).map(inverse),
  ];
}

/** What the simulated Crypto.com lists: spot, USD-settled perpetuals, dated futures. */
import { quarters, yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'cryptocom',
  id: `${asset.symbol}_${quote}`,
  group: 'all',
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
});

const perpetual = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USD', 0.02),
  id: `${asset.symbol}USD-PERP`,
  kind: asset.kind === 'equity' ? 'other' : 'perpetual',
});

const dated = (asset: Asset): MarketSpec[] =>
  quarters().map((expires) => ({
    ...perpetual(asset),
    id: `${asset.symbol}USD-${yymmdd(expires)}`,
    kind: 'other',
    share: 0.0005,
    listed: Math.max(asset.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function cryptocomMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin' && asset.rank % 5 !== 4);
  const stables = assets.filter((asset) => asset.kind === 'stable');
  const perpetuals = coins.slice(0, Math.ceil(coins.length * 0.7)).map(perpetual);
  const last = perpetuals.length - 1;
  return [
    ...coins.map((coin) => spot(coin, 'USDT', 0.01)),
    ...coins.slice(0, 60).map((coin) => spot(coin, 'USD', 0.02)),
    ...stables.map((coin) => spot(coin, 'USD', 0.01)),
    ...coins.slice(1, 4).map((coin) => spot(coin, 'BTC', 0.002)),
    ...perpetuals.map(
      (market, i): MarketSpec => (i === last ? { ...market, state: 'halted' } : market),
    ),
    ...assets.filter(({ kind }) => kind === 'equity').map(perpetual),
    ...coins.slice(0, 2).flatMap(dated),
  ];
}

/** What the simulated Lighter lists: perpetuals with ids from 0, spot pairs with ids from 2048. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

type Unnumbered = Omit<MarketSpec, 'id'>;

function perpetual(asset: Asset): Unnumbered {
  const scale = asset.price < 1e-3 ? 1000 : 1;
  return {
    venue: 'lighter',
    group: 'all',
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    symbol: asset.symbol,
    quote: 'USDC',
    scale,
    contract: 1,
    inverse: false,
    decimals: priceDecimals(asset.price * scale, 10),
    lot: lotDecimals(asset.price * scale, 5),
    share: 0.015,
    listed: asset.listed,
    state: 'live',
  };
}

const spot = (asset: Asset, quote = 'USDC'): Unnumbered => ({
  ...perpetual(asset),
  kind: 'spot',
  quote,
  scale: 1,
  decimals: quote === 'USDC' ? priceDecimals(asset.price, 12) : 8,
  lot: lotDecimals(asset.price, 5),
  share: 0.001,
});

const numbered = (first: number, markets: readonly Unnumbered[]): MarketSpec[] =>
  markets.map((market, i) => ({ ...market, id: String(first + i) }));

/** Every market of the venue; ETH is 0 and BTC is 1. */
export function lighterMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 4 !== 3);
  const place = ({ symbol, rank }: Asset) => ['ETH', 'BTC'].indexOf(symbol) + 1 || rank + 3;
  const ordered = coins.toSorted((a, b) => place(a) - place(b));
  const equities = assets.filter(({ kind }) => kind === 'equity');
  const stopped = Math.min(10, ordered.length - 1);
  const hidden = Math.min(12, ordered.length - 1);
  const perpetuals = ordered.map((coin, i): Unnumbered => {
    const market = perpetual(coin);
    if (i === stopped) return { ...market, state: 'halted' };
    return i === hidden ? { ...market, state: 'preopen' } : market;
  });
  return [
    ...numbered(0, [...perpetuals, ...equities.map(perpetual)]),
    ...numbered(2048, [
      ...ordered.slice(0, 8).map((coin) => spot(coin)),
      ...ordered.filter(({ symbol }) => symbol === 'ETH').map((coin) => spot(coin, 'BTC')),
    ]),
  ];
}

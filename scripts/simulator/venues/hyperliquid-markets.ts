/** What the simulated Hyperliquid lists: perpetuals (`perp`) by name and spot pairs (`spot`) by number. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

/** Names of the tokens that stand for assets of other chains; every other token has its asset's name. */
const wrapped: Readonly<Record<string, string>> = {
  BTC: 'UBTC',
  ETH: 'UETH',
  SOL: 'USOL',
  BONK: 'UBONK',
  USDT: 'USDT0',
};

/** The venue's own name of a spot token. */
export const tokenOf = (symbol: string): string => wrapped[symbol] ?? symbol;

const base = (asset: Asset): MarketSpec => ({
  venue: 'hyperliquid',
  id: asset.symbol,
  group: 'perp',
  kind: 'perpetual',
  symbol: asset.symbol,
  quote: 'USDC',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price, 8),
  lot: lotDecimals(asset.price, 5),
  share: 0.08,
  listed: asset.listed,
  state: 'live',
});

/** Cheap coins are listed by the thousand: kPEPE. */
function perp(asset: Asset): MarketSpec {
  if (asset.price >= 1e-3) return base(asset);
  return {
    ...base(asset),
    id: `k${asset.symbol}`,
    scale: 1000,
    decimals: priceDecimals(asset.price * 1000, 8),
    lot: 0,
  };
}

const pair = (asset: Asset, id: string, quote: string): MarketSpec => ({
  ...base(asset),
  id,
  group: 'spot',
  kind: 'spot',
  quote,
  decimals: priceDecimals(asset.price, 10),
  share: 0.01,
});

/** Every market of the venue. */
export function hyperliquidMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const perps = coins.filter((coin) => coin.rank % 5 !== 4).map(perp);
  const delisted = Math.min(40, perps.length - 1);
  const spot = coins.filter((coin) => coin.rank < 30);
  const quiet = Math.min(20, spot.length - 1);
  return [
    ...perps.map((m, i): MarketSpec => (i === delisted ? { ...m, state: 'halted' } : m)),
    ...spot.map(
      (coin, i): MarketSpec => ({
        ...pair(coin, `@${100 + coin.rank}`, 'USDC'),
        state: i === quiet ? 'halted' : 'live',
      }),
    ),
    ...spot.slice(0, 3).map((coin) => pair(coin, `@${200 + coin.rank}`, 'USDT')),
    ...spot.slice(1, 2).map((coin) => pair(coin, `@${300 + coin.rank}`, 'BTC')),
    ...assets.filter((a) => a.symbol === 'USDT').map((a) => pair(a, '@166', 'USDC')),
  ];
}

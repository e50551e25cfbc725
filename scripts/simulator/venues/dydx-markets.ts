/** What the simulated dYdX lists: perpetuals quoted in USD, some under the long tickers of decentralised exchanges. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

/** The ticker of a coin that only a decentralised exchange prices. */
const longTicker = (symbol: string) =>
  `${symbol},raydium,${symbol.toLowerCase().padEnd(8, '1')}pump-USD`;

function perp(asset: Asset): MarketSpec {
  const long = asset.rank >= 20 && asset.rank % 10 === 3;
  return {
    venue: 'dydx',
    id: long ? longTicker(asset.symbol) : `${asset.symbol}-USD`,
    group: 'perp',
    kind: 'perpetual',
    symbol: asset.symbol,
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false,
    decimals: priceDecimals(asset.price, 12),
    lot: lotDecimals(asset.price, 6),
    share: 0.01,
    listed: asset.listed,
    state: 'live',
  };
}

/** Every market of the venue: no spot, no quote but USD, one market that has ended. */
export function dydxMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin' && asset.rank % 6 !== 4);
  const ended = Math.min(30, coins.length - 1);
  return coins.map(perp).map((m, i) => (i === ended ? { ...m, state: 'halted' } : m));
}

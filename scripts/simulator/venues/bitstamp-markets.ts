/** What the simulated Bitstamp lists: spot in dollars, euros and coins, and a few perpetuals, in one group. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

function market(asset: Asset, quote: string, more: Partial<MarketSpec>): MarketSpec {
  const perpetual = more.kind !== undefined && more.kind !== 'spot';
  return {
    venue: 'bitstamp',
    id: `${asset.symbol}${quote}${perpetual ? '-perp' : ''}`.toLowerCase(),
    group: 'markets',
    kind: 'spot',
    symbol: asset.symbol,
    quote,
    scale: 1,
    contract: 1,
    inverse: false,
    decimals: quote === 'BTC' ? 8 : priceDecimals(asset.price, 10),
    lot: lotDecimals(asset.price, 8),
    share: 0.01,
    listed: asset.listed,
    state: 'live',
    ...more,
  };
}

/** Bitcoin in dollars trades here since the venue began. */
const longListed = ({ symbol }: Asset): Partial<MarketSpec> =>
  symbol === 'BTC' ? { listed: Date.UTC(2011, 7, 18) } : {};

/** Every market of the venue. */
export function bitstampMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 4 !== 3);
  const stables = assets.filter(({ symbol }) => symbol === 'USDC');
  const shares = assets.filter(({ kind }) => kind === 'equity');
  return [
    ...coins.map((coin) => market(coin, 'USD', { share: 0.02, ...longListed(coin) })),
    ...coins.slice(0, 12).map((coin) => market(coin, 'EUR', { share: 0.01 })),
    ...coins.slice(1, 3).map((coin) => market(coin, 'BTC', { share: 0.001 })),
    ...coins.slice(0, 3).map((coin) => market(coin, 'USDT', { share: 0.001 })),
    ...stables.map((coin) => market(coin, 'USD', { share: 0.02 })),
    ...coins.slice(5, 6).map((coin) => market(coin, 'USDC', { share: 0, state: 'halted' })),
    ...coins.slice(0, 12).map((coin) => market(coin, 'USD', { kind: 'perpetual' })),
    ...shares.map((share) => market(share, 'USD', { kind: 'other' })),
  ];
}

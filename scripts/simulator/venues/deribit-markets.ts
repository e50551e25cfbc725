/** What the simulated Deribit lists: a few spot pairs, USDC-settled perpetuals, coin-settled futures. */
import { quarters } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const scaled: ReadonlySet<string> = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI', 'SATS']);

const base = (asset: Asset, scale = 1): MarketSpec => ({
  venue: 'deribit',
  id: '',
  group: 'spot',
  kind: 'spot',
  symbol: asset.symbol,
  quote: 'USDC',
  scale,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price * scale, 8),
  lot: lotDecimals(asset.price * scale, 4),
  share: 0.01,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string): MarketSpec => ({
  ...base(asset),
  id: `${asset.symbol}_${quote}`,
  quote,
  decimals: quote === 'BTC' ? 7 : priceDecimals(asset.price, 8),
});

function linear(asset: Asset): MarketSpec {
  const scale = scaled.has(asset.symbol) ? 1000 : 1;
  return {
    ...base(asset, scale),
    id: `${scale === 1 ? '' : '1000'}${asset.symbol}_USDC-PERPETUAL`,
    group: 'linear',
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
  };
}

/** Amounts are US dollars, in steps of 10 for BTC and of 1 for ETH. */
const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset),
  id: `${asset.symbol}-PERPETUAL`,
  group: 'inverse',
  kind: 'perpetual',
  quote: 'USD',
  inverse: true,
  decimals: asset.symbol === 'BTC' ? 1 : 2,
  lot: asset.symbol === 'BTC' ? -1 : 0,
  share: 0.05,
});

/** `25SEP26` in UTC. */
export function dayOf(t: number): string {
  const [, month = '', year] = new Date(t).toUTCString().slice(5).split(' ');
  return `${new Date(t).getUTCDate()}${month.toUpperCase()}${year?.slice(2)}`;
}

const dated = (perpetual: MarketSpec): MarketSpec[] =>
  quarters().map((expires) => ({
    ...perpetual,
    id: perpetual.id.replace('PERPETUAL', dayOf(expires)),
    kind: 'other',
    share: perpetual.share / 20,
    listed: Math.max(perpetual.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function deribitMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const first = coins.filter(({ symbol }) => symbol === 'BTC' || symbol === 'ETH');
  const perpetuals = coins.slice(0, 60).map(linear);
  const suspended = perpetuals.length - 1;
  return [
    ...coins.slice(0, 4).map((coin) => spot(coin, 'USDC')),
    ...first.map((coin) => spot(coin, 'USDT')),
    ...assets.filter(({ symbol }) => symbol === 'USDC').map((coin) => spot(coin, 'USDT')),
    ...first.filter(({ symbol }) => symbol === 'ETH').map((coin) => spot(coin, 'BTC')),
    ...perpetuals.map(
      (market, i): MarketSpec => (i === suspended ? { ...market, state: 'halted' } : market),
    ),
    ...assets.filter(({ kind }) => kind === 'equity').map(linear),
    ...first.map(inverse),
    ...first.map(linear).flatMap(dated),
    ...first.map(inverse).flatMap(dated),
  ];
}

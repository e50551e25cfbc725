/** What the simulated Bitfinex lists, under its own names: UST is USDT, DSH is DASH, perpetuals end in F0. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

/** Usual name to its own, for every currency that it names otherwise. */
export const ownNames: ReadonlyMap<string, string> = new Map([
  ['USDT', 'UST'],
  ['USDC', 'UDC'],
  ['ALGO', 'ALG'],
  ['ATOM', 'ATO'],
  ['DASH', 'DSH'],
  ['IOTA', 'IOT'],
  ['MANA', 'MNA'],
  ['QTUM', 'QTM'],
]);

const own = (symbol: string) => ownNames.get(symbol) ?? symbol;

/** Two currencies, with a colon between them unless both have three letters. */
function pairOf(base: string, quote: string): string {
  return base.length === 3 && quote.length === 3 ? `${base}${quote}` : `${base}:${quote}`;
}

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'bitfinex',
  id: `t${pairOf(own(asset.symbol), own(quote))}`,
  group: 'all',
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

const perpetual = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.01),
  id: `t${own(asset.symbol)}F0:USTF0`,
  kind: 'perpetual',
});

/** Bitcoin in dollars trades here since 2013. */
const longListed = (market: MarketSpec): MarketSpec =>
  market.symbol === 'BTC' ? { ...market, listed: Date.UTC(2013, 3, 1) } : market;

/** Every market of the venue. */
export function bitfinexMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin' && asset.rank % 3 !== 2);
  const stables = assets.filter((asset) => asset.kind === 'stable');
  const perpetuals = coins.slice(0, 30).map(perpetual);
  const last = perpetuals.length - 1;
  return [
    ...coins.map((coin) => longListed(spot(coin, 'USD', 0.02))),
    ...coins.slice(0, 40).map((coin) => spot(coin, 'USDT', 0.01)),
    ...stables.map((coin) => spot(coin, 'USD', 0.01)),
    ...coins.slice(1, 6).map((coin) => spot(coin, 'BTC', 0.002)),
    ...perpetuals.map(
      (market, i): MarketSpec => (i === last ? { ...market, state: 'halted' } : market),
    ),
  ];
}

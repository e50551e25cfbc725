/** What the simulated Gate lists: `spot`, contracts settled in `usdt` and in `btc`. */
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'gate',
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
  share: 0.05,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}_${quote}`,
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 12),
  share,
});

/** A token that moves with its coin at a price of a few dollars; nobody should take it for the coin. */
const leveraged = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.001),
  id: `${asset.symbol}3L_USDT`,
  kind: 'other',
  decimals: 4,
  basis: 2.5 / asset.price - 1,
});

/** Base units per contract: a power of ten worth some dollars, so 0.0001 BTC and 1e6 PEPE. Whole contracts only. */
const contract = (asset: Asset): MarketSpec => ({
  ...base(asset, 'usdt'),
  id: `${asset.symbol}_USDT`,
  kind: asset.kind === 'equity' ? 'other' : 'perpetual',
  contract: asset.symbol === 'BTC' ? 0.0001 : 10 ** Math.round(Math.log10(10 / asset.price)),
  lot: 0,
  share: 0.1,
});

/** SATS has too many zeros for the venue's prices. */
function scaled(asset: Asset): MarketSpec {
  const market = contract(asset);
  return {
    ...market,
    id: `1000${asset.symbol}_USDT`,
    scale: 1000,
    contract: market.contract / 1000,
    decimals: priceDecimals(asset.price * 1000, 10),
  };
}

const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'btc'),
  id: `${asset.symbol}_USD`,
  quote: 'USD',
  inverse: true,
  decimals: 1,
  lot: 0,
  share: 0.005,
});

/** Every market of the venue. */
export function gateMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 10 !== 8);
  const dear = coins.filter(({ price }) => price >= 1e-6 && price !== 0.000021);
  const cheap = coins.filter((coin) => !dear.includes(coin));
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 10 && price > 0.1);
  const halted = (market: MarketSpec): MarketSpec => ({ ...market, state: 'halted' });
  return [
    ...coins.slice(0, 2).map(leveraged),
    ...coins.map((coin) => spot(coin, 'USDT', 0.04)),
    ...coins.slice(0, 6).map((coin) => spot(coin, 'USDC', 0.003)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.001)),
    ...assets.filter((a) => a.symbol === 'USDC').map((coin) => spot(coin, 'USDT', 0.02)),
    ...coins.slice(2, 4).map((coin) => halted(spot(coin, 'BUSD', 0))),
    ...dear.slice(0, -2).map((coin, i) => (i === 9 ? halted(contract(coin)) : contract(coin))),
    ...dear.slice(-1).map((coin): MarketSpec => ({ ...contract(coin), state: 'preopen' })),
    ...cheap.map(scaled),
    ...assets.filter((a) => a.kind === 'equity').map(contract),
    ...coins.slice(0, 1).map(inverse),
  ];
}

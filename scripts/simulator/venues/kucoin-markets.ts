/** What the simulated KuCoin lists: `spot` and `futures`, linear, inverse and dated in one list. */
import { quarters } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'kucoin',
  id: '',
  group,
  kind: group === 'spot' ? 'spot' : 'perpetual',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: priceDecimals(asset.price, 10),
  lot: lotDecimals(asset.price, 8),
  share: 0.04,
  listed: asset.listed,
  state: 'live',
});

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  ...base(asset, 'spot'),
  id: `${asset.symbol}-${quote}`,
  quote,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  share,
});

/** A leveraged token, which clients leave out. */
const leveraged = (asset: Asset): MarketSpec => ({
  ...spot(asset, 'USDT', 0.001),
  id: `${asset.symbol}3L-USDT`,
  kind: 'other',
});

/** Bitcoin has its older ticker, and some cheap coins are counted in thousands. */
export const nativeBase = ({ symbol, scale }: Pick<MarketSpec, 'symbol' | 'scale'>): string =>
  symbol === 'BTC' ? 'XBT' : `${scale > 1 ? scale : ''}${symbol}`;

/** Whole contracts: 0.001 BTC, 0.01 ETH, else a power of ten worth some dollars. */
function linear(asset: Asset, quote: string, share: number): MarketSpec {
  const { symbol, price } = asset;
  const scale = symbol === 'PEPE' || symbol === 'BONK' ? 1000 : 1;
  const usual = 10 ** Math.round(Math.log10(10 / (price * scale)));
  return {
    ...base(asset, 'futures'),
    id: `${nativeBase({ symbol, scale })}${quote}M`,
    quote,
    scale,
    contract: symbol === 'BTC' ? 0.001 : symbol === 'ETH' ? 0.01 : usual,
    decimals: priceDecimals(price * scale, 10),
    lot: 0,
    share,
  };
}

/** Contracts of 1 USD. */
const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'futures'),
  id: `${nativeBase({ symbol: asset.symbol, scale: 1 })}USDM`,
  quote: 'USD',
  inverse: true,
  lot: 0,
  share: 0.01,
});

const letters = 'HMUZ';

/** Quarterly futures: `XBTMZ25`. */
const dated = (asset: Asset): MarketSpec[] =>
  quarters().map((expires) => {
    const date = new Date(expires);
    const letter = letters[Math.floor(date.getUTCMonth() / 3)];
    return {
      ...inverse(asset),
      id: `XBTM${letter}${date.getUTCFullYear() % 100}`,
      kind: 'other',
      share: 0.0005,
      listed: Math.max(asset.listed, expires - 182 * 86_400_000),
      expires,
      basis: 0.012,
    };
  });

/** Every market of the venue, past and future ones included. */
export function kucoinMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter(({ kind, rank }) => kind === 'coin' && rank % 10 !== 9);
  const stables = assets.filter((asset) => asset.symbol === 'USDC');
  const perps = coins.slice(0, Math.ceil(coins.length * 0.8));
  const halted = coins.slice(-1);
  const crossed = coins.filter(({ rank, price }) => rank > 0 && rank < 8 && price > 0.1);
  return [
    ...coins.slice(0, -1).map((coin) => spot(coin, 'USDT', 0.04)),
    ...coins.slice(0, 6).map((coin) => spot(coin, 'USDC', 0.004)),
    ...crossed.map((coin) => spot(coin, 'BTC', 0.001)),
    ...stables.map((coin) => spot(coin, 'USDT', 0.02)),
    ...coins.slice(0, 1).map(leveraged),
    ...halted.map((coin): MarketSpec => ({ ...spot(coin, 'USDT', 0), state: 'halted' })),
    ...perps.map((coin) => linear(coin, 'USDT', 0.08)),
    ...coins.slice(0, 3).map((coin) => linear(coin, 'USDC', 0.004)),
    ...halted.map((coin): MarketSpec => ({ ...linear(coin, 'USDT', 0), state: 'halted' })),
    ...coins.filter(({ rank, price }) => rank < 4 && price > 0.01).map(inverse),
    ...coins.slice(0, 1).flatMap(dated),
  ];
}

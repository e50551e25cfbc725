/** What the simulated Kraken lists: spot under its own names of assets, and futures (`PF_`, `PI_`, `FI_`). */
import { quarters, yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const renamed: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };
const older = new Set(['BTC', 'ETH', 'LTC', 'XRP', 'XLM', 'ZEC', 'XMR', 'ETC']);
const currencies = new Set(['USD', 'EUR']);

/** Kraken's name of an asset: `XBT` for BTC. */
export const nameOf = (symbol: string): string => renamed[symbol] ?? symbol;

/** The name with the prefix that older assets have: `XXBT`, `ZUSD`. */
export const prefixed = (symbol: string): string => {
  if (currencies.has(symbol)) return `Z${symbol}`;
  return older.has(symbol) || symbol === 'DOGE' ? `X${nameOf(symbol)}` : symbol;
};

type Pair = Pick<MarketSpec, 'symbol' | 'quote'>;

/** `XBTUSD`, which requests may use as well as the id. */
export const shortName = ({ symbol, quote }: Pair): string => nameOf(symbol) + nameOf(quote);

/** `XBT/USD`. */
export const slashName = ({ symbol, quote }: Pair): string => `${nameOf(symbol)}/${nameOf(quote)}`;

/** Older coins against a currency or BTC have prefixes in their id, and USDT against USD half of them. */
function idOf(pair: Pair): string {
  if (pair.symbol === 'USDT') return `USDT${prefixed(pair.quote)}`;
  const plain = !older.has(pair.symbol) || !(currencies.has(pair.quote) || pair.quote === 'BTC');
  return plain ? shortName(pair) : prefixed(pair.symbol) + prefixed(pair.quote);
}

const spot = (asset: Asset, quote: string, share: number): MarketSpec => ({
  venue: 'kraken',
  id: idOf({ symbol: asset.symbol, quote }),
  group: 'spot',
  kind: 'spot',
  symbol: asset.symbol,
  quote,
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: quote === 'BTC' ? 9 : priceDecimals(asset.price, 10),
  lot: 8,
  share,
  listed: asset.listed,
  state: 'live',
});

const perpetual = (asset: Asset, inverse: boolean, share: number): MarketSpec => ({
  ...spot(asset, 'USD', share),
  id: `${inverse ? 'PI' : 'PF'}_${nameOf(asset.symbol)}USD`,
  group: 'futures',
  kind: 'perpetual',
  inverse,
  lot: inverse ? 0 : lotDecimals(asset.price, 4),
});

const dated = (asset: Asset): MarketSpec[] =>
  quarters().map((expires) => ({
    ...perpetual(asset, true, 0.0002),
    id: `FI_${nameOf(asset.symbol)}USD_${yymmdd(expires)}`,
    kind: 'other',
    listed: Math.max(asset.listed, expires - 182 * 86_400_000),
    expires,
    basis: 0.012,
  }));

/** Every market of the venue, past and future ones included. */
export function krakenMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const stables = assets.filter((asset) => asset.kind === 'stable');
  const listed = coins.filter((coin) => coin.rank % 7 !== 6);
  const swaps = listed.slice(0, Math.ceil(listed.length * 0.7));
  const halted = (market: MarketSpec, i: number): MarketSpec =>
    i === Math.min(40, listed.length - 1) ? { ...market, state: 'halted' } : market;
  return [
    ...listed.map((coin) => spot(coin, 'USD', 0.02)).map(halted),
    ...listed.filter((coin) => coin.rank < 20).map((coin) => spot(coin, 'USDT', 0.004)),
    ...listed.filter((coin) => coin.rank < 6).map((coin) => spot(coin, 'EUR', 0.004)),
    ...listed.filter((coin) => coin.rank === 1).map((coin) => spot(coin, 'BTC', 0.001)),
    ...stables.map((coin) => spot(coin, 'USD', 0.03)),
    ...swaps.map((coin) => perpetual(coin, false, 0.01)),
    ...swaps.slice(0, 4).map((coin) => perpetual(coin, true, 0.001)),
    ...swaps.slice(0, 1).flatMap(dated),
  ];
}

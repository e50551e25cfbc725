/** What the simulated Binance lists: spot, USD-margined (`fapi`) and coin-margined (`dapi`) contracts. */
import { quarters, yymmdd } from '../calendar.ts';
import { lotDecimals, priceDecimals } from '../format.ts';
import type { MarketSpec } from '../market.ts';
import type { Asset } from '../symbols.ts';

const halfYear = 182 * 86_400_000;

const base = (asset: Asset, group: string): MarketSpec => ({
  venue: 'binance',
  id: '',
  group,
  kind: 'spot',
  symbol: asset.symbol,
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  decimals: 8,
  lot: lotDecimals(asset.price, 5),
  share: 0.3,
  listed: asset.listed,
  state: 'live',
});

/** Prices have 8 decimals at most, so that SATS is listed by the thousand in spot too. */
function spot(asset: Asset, quote: string, share: number): MarketSpec {
  const scale = asset.price < 1e-6 ? 1000 : 1;
  const crossed = quote === 'BTC' || quote === 'EUR';
  return {
    ...base(asset, 'spot'),
    id: `${scale === 1 ? '' : scale}${asset.symbol}${quote}`,
    quote,
    scale,
    decimals: crossed ? 8 : priceDecimals(asset.price * scale, 8),
    share,
  };
}

/** The venue's first market. */
const longListed = (market: MarketSpec): MarketSpec =>
  market.id === 'BTCUSDT' ? { ...market, listed: Date.UTC(2017, 7, 17) } : market;

function linear(asset: Asset, quote: string, share: number): MarketSpec {
  const scale = asset.price < 1e-4 ? 1000 : 1;
  return {
    ...base(asset, 'fapi'),
    id: `${scale === 1 ? '' : scale}${asset.symbol}${quote}`,
    kind: asset.kind === 'equity' ? 'other' : 'perpetual',
    quote,
    scale,
    decimals: priceDecimals(asset.price * scale, 7),
    lot: lotDecimals(asset.price * scale, 3),
    share,
  };
}

const inverse = (asset: Asset): MarketSpec => ({
  ...base(asset, 'dapi'),
  id: `${asset.symbol}USD_PERP`,
  kind: 'perpetual',
  quote: 'USD',
  contract: asset.symbol === 'BTC' ? 100 : 10,
  inverse: true,
  decimals: priceDecimals(asset.price, 5),
  lot: 0,
  share: 0.03,
});

/** Quarterly contracts beside a perpetual; each is listed half a year before it expires. */
const dated = (perpetual: MarketSpec): MarketSpec[] =>
  quarters().map((expires) => ({
    ...perpetual,
    id: `${perpetual.id.replace('_PERP', '')}_${yymmdd(expires)}`,
    kind: 'other',
    share: perpetual.share / 40,
    listed: Math.max(perpetual.listed, expires - halfYear),
    expires,
    basis: 0.012,
  }));

const quotes = [
  { quote: 'USDT', ranks: [0, 10_000], share: 0.25 },
  { quote: 'USDC', ranks: [0, 60], share: 0.03 },
  { quote: 'FDUSD', ranks: [0, 12], share: 0.04 },
  { quote: 'BTC', ranks: [1, 30], share: 0.004 },
  { quote: 'EUR', ranks: [0, 8], share: 0.003 },
] as const;

/** Every market of the venue, past and future ones included. */
export function binanceMarkets(assets: readonly Asset[]): MarketSpec[] {
  const coins = assets.filter((asset) => asset.kind === 'coin');
  const usdc = assets.filter((asset) => asset.symbol === 'USDC');
  const equities = assets.filter((asset) => asset.kind === 'equity');
  const trading = quotes.flatMap(({ quote, ranks: [first, end], share }) =>
    coins
      .filter(({ rank, price }) => rank >= first && rank < end && (quote !== 'BTC' || price > 0.1))
      .map((coin) => longListed(spot(coin, quote, share))),
  );
  const stopped = coins.slice(9, 13).map((coin) => spot(coin, 'BUSD', 0.01));
  const perps = coins.slice(0, Math.ceil(coins.length * 0.85)).map((c) => linear(c, 'USDT', 0.35));
  const settling = Math.min(60, perps.length - 1);
  const coinMargined = coins.filter((coin) => coin.rank < 24 && coin.price > 0.01).map(inverse);
  return [
    ...trading,
    ...usdc.map((coin) => spot(coin, 'USDT', 0.3)),
    ...stopped.map((market) => ({ ...market, state: 'halted' as const })),
    ...perps.map((m, i) => (i === settling ? { ...m, state: 'halted' as const } : m)),
    ...coins.slice(-1).map((c) => ({ ...linear(c, 'USDT', 0), state: 'preopen' as const })),
    ...coins.slice(0, 8).map((coin) => linear(coin, 'USDC', 0.02)),
    ...equities.map((share) => linear(share, 'USDT', 0.3)),
    ...perps.slice(0, 2).flatMap(dated),
    ...coinMargined,
    ...coinMargined.slice(0, 2).flatMap(dated),
  ];
}

/** Every coin of the simulated world by market capitalisation, with those that are pegged to others. */
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { heightAt } from '../chains/ledger.ts';
import type { Model } from '../model.ts';
import { seedOf, unit } from '../noise.ts';
import { type Asset, isCoin } from '../symbols.ts';
import { dayAt, dayLength, pathOf } from './days.ts';

/** A coin as the aggregators know it; amounts are US dollars. */
export interface Coin {
  /** CoinGecko's id. */
  id: string;
  /** Upper case. */
  symbol: string;
  name: string;
  price: number;
  cap: number;
  /** Of 24 hours. */
  volume: number;
}

/** CoinGecko's id, and the coins in circulation, of those that everybody knows. */
const known: Readonly<Record<string, readonly [id: string, supply: number]>> = {
  ETH: ['ethereum', 1.207e8],
  SOL: ['solana', 5.4e8],
  XRP: ['ripple', 5.9e10],
  DOGE: ['dogecoin', 1.5e11],
  BNB: ['binancecoin', 1.38e8],
  ADA: ['cardano', 3.6e10],
  TRX: ['tron', 9.5e10],
  USDT: ['tether', 1.6e11],
  USDC: ['usd-coin', 4e10],
};

/** Symbol, name, what it follows, how many of it, how many coins. */
const pegged = [
  ['staked-ether', 'STETH', 'Lido Staked Ether', 'ETH', 1, 9.2e6],
  ['wrapped-bitcoin', 'WBTC', 'Wrapped Bitcoin', 'BTC', 1, 128_000],
  ['wrapped-steth', 'WSTETH', 'Wrapped stETH', 'ETH', 1.21, 3.5e6],
  ['wrapped-eeth', 'WEETH', 'Wrapped eETH', 'ETH', 1.08, 2.1e6],
  ['ethena-usde', 'USDE', 'Ethena USDe', 'USDT', 1, 1.7e10],
  ['dai', 'DAI', 'Dai', 'USDT', 1, 5.3e9],
  ['first-digital-usd', 'FDUSD', 'First Digital USD', 'USDT', 1, 1.4e9],
  ['bridged-usdc-polygon-pos-bridge', 'USDC.E', 'Bridged USDC', 'USDC', 1, 9e8],
] as const;

/** Turnover of an asset on a day over all markets, USD. */
export const turnoverOf = ({ path }: Asset, now: number): number =>
  path.volume(Math.floor(now / dayLength)) * path.price(dayAt(now));

function coinOf(asset: Asset, now: number): Coin {
  const { symbol, rank, path } = asset;
  const drawn = (6e10 * (0.5 + unit(seedOf(5, symbol), 0))) / (rank + 1) ** 1.3 / asset.price;
  const [id, supply] =
    symbol === 'BTC'
      ? ['bitcoin', supplyAfter(heightAt('bitcoin', now))]
      : (known[symbol] ?? [symbol.toLowerCase(), Math.round(drawn)]);
  const price = path.price(now);
  return { id, symbol, name: symbol, price, cap: price * supply, volume: turnoverOf(asset, now) };
}

/** Every coin that is listed at `now`, the largest first. */
export function coinsAt(model: Model, now: number): Coin[] {
  const own = model.assets
    .filter((asset) => isCoin(asset) && asset.listed <= now)
    .map((asset) => coinOf(asset, now));
  const others = pegged.map(([id, symbol, name, followed, times, supply]): Coin => {
    const price = pathOf(model, followed).price(now) * times;
    return { id, symbol, name, price, cap: price * supply, volume: 0.02 * price * supply };
  });
  return [...own, ...others].sort((a, b) => b.cap - a.cap);
}

/** The sums of all coins, USD, and the percent of the capitalisation that a symbol in upper case has. */
export function wholeOf(coins: readonly Coin[]) {
  const cap = coins.reduce((sum, coin) => sum + coin.cap, 0);
  return {
    cap,
    volume: coins.reduce((sum, coin) => sum + coin.volume, 0),
    share: (symbol: string) =>
      (100 * (coins.find((coin) => coin.symbol === symbol)?.cap ?? 0)) / cap,
  };
}

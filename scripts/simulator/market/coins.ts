/** Every coin of the simulated world by market capitalisation, with the pegged ones that come after others' prices. */
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { heightAt } from '../chains/ledger.ts';
import type { Model } from '../model.ts';
import { seedOf, unit } from '../noise.ts';
import { dayLength } from '../path.ts';
import { priceAt } from '../range.ts';
import type { Asset } from '../symbols.ts';
import { dayAt, pathOf } from './days.ts';

const day = dayLength;

/** A coin as the aggregators know it. */
export interface Coin {
  /** CoinGecko's id. */
  id: string;
  /** Upper case. */
  symbol: string;
  name: string;
  /** USD. */
  price: number;
  supply: number;
  cap: number;
  /** 24 h turnover, USD. */
  volume: number;
  /** USD, so many days ago. */
  before(days: number): number;
}

/** Coins in circulation of those whose number everybody knows; Bitcoin's is that of its chain. */
const supplies: Readonly<Record<string, number>> = {
  ETH: 1.207e8,
  SOL: 5.4e8,
  XRP: 5.9e10,
  DOGE: 1.5e11,
  BNB: 1.38e8,
  ADA: 3.6e10,
  TRX: 9.5e10,
  USDT: 1.6e11,
  USDC: 4e10,
};

const ids: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  SOL: 'solana',
  XRP: 'ripple',
  DOGE: 'dogecoin',
  BNB: 'binancecoin',
  USDT: 'tether',
  USDC: 'usd-coin',
};

function supplyOf({ symbol, rank, price }: Asset, now: number): number {
  if (symbol === 'BTC') return supplyAfter(heightAt('bitcoin', now));
  const drawn = 0.5 + unit(seedOf(5, symbol), 0);
  return supplies[symbol] ?? Math.round((6e10 * drawn) / (rank + 1) ** 1.3 / price);
}

/** What follows another asset, or the dollar: id, symbol, name, what it follows, how many of it, how many coins. */
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
export const turnoverOf = ({ path }: Asset, now: number): number => {
  const index = Math.floor(now / day);
  return path.volume(index) * path.node(0, index).open;
};

const isListed = ({ kind, listed }: Asset, now: number) => kind !== 'equity' && listed <= now;

/** Every coin that is listed at `now`, the largest first. */
export function coinsAt(model: Model, now: number): Coin[] {
  const own = model.assets
    .filter((asset) => isListed(asset, now))
    .map((asset): Coin => {
      const { symbol, path } = asset;
      const [price, supply] = [priceAt(path, now), supplyOf(asset, now)];
      return {
        ...{ id: ids[symbol] ?? symbol.toLowerCase(), symbol, name: symbol, price, supply },
        ...{ cap: price * supply, volume: turnoverOf(asset, now) },
        before: (days) => path.node(0, (dayAt(now) - days * day) / day).open,
      };
    });
  const others = pegged.map(([id, symbol, name, followed, times, supply]): Coin => {
    const path = pathOf(model, followed);
    const price = priceAt(path, now) * times;
    return {
      ...{ id, symbol, name, price, supply, cap: price * supply, volume: 0.02 * price * supply },
      before: (days) => times * path.node(0, (dayAt(now) - days * day) / day).open,
    };
  });
  return [...own, ...others].sort((a, b) => b.cap - a.cap);
}

/** The market as a whole, USD. */
export interface Whole {
  cap: number;
  volume: number;
  /** Percent of the change of the capitalisation since a day ago. */
  change: number;
  /** Percent of the capitalisation by symbol in upper case. */
  share(symbol: string): number;
}

/** The sum of all coins. */
export function wholeOf(coins: readonly Coin[]): Whole {
  const sum = (value: (coin: Coin) => number) => coins.reduce((all, coin) => all + value(coin), 0);
  const cap = sum((coin) => coin.cap);
  const capOf = (symbol: string) => coins.find((coin) => coin.symbol === symbol)?.cap ?? 0;
  return {
    cap,
    volume: sum(({ volume }) => volume),
    change: (cap / sum(({ supply, before }) => supply * before(1)) - 1) * 100,
    share: (symbol) => (capOf(symbol) / cap) * 100,
  };
}

/** Markets of one asset put together: a volume-weighted price, and what stands beside it. */
import type { MarketClass } from '../../config/assets/symbols.ts';
import { isAround } from '../digits.ts';
import { median } from './statistics.ts';

/** One market of an asset at one exchange. */
export interface AssetMarket {
  exchange: string;
  /** The exchange's own id. */
  market: string;
  symbol: string;
  asset_class: MarketClass;
  quote: string;
  /** In `quote`. */
  last: number;
  /** The same in US dollars. */
  price: number;
  /** 24 h turnover, US dollars; null when unknown. */
  turnover: number | null;
  /** Change of the price in 24 hours, percent; null when unknown. */
  change: number | null;
  /** Unix ms. */
  received: number;
}

/** An asset as its markets show it. */
export interface AssetSummary<M> {
  symbol: string;
  asset_class: MarketClass;
  /** US dollars. */
  price: number;
  /** Sum over `counted`, US dollars. */
  turnover: number;
  exchanges: number;
  /** Receive time of the newest of them, Unix ms. */
  received: number;
  /** The markets that it is made of, and all of them. */
  counted: readonly M[];
  markets: readonly M[];
}

/** Share of the median beyond which a price is another asset's, or too old to count. */
const farShare = 0.05;

/** Largest turnover first. */
export const byTurnover = (a: AssetMarket, b: AssetMarket) => (b.turnover ?? 0) - (a.turnover ?? 0);

/**
 * The markets whose price is within 5 % of the median; where none is, the most traded one. Examples: of 100, 101 and 110 the
 * first two; of 100 and 200, which are both far from 150, the one with more turnover.
 */
export function nearMedian<M extends AssetMarket>(markets: readonly M[]): readonly M[] {
  const middle = median(markets.map(({ price }) => price));
  const near = markets.filter(({ price }) => isAround(price, middle, farShare));
  return near.length > 0 ? near : markets.toSorted(byTurnover).slice(0, 1);
}

/**
 * The mean of values by their weights; unknown values are left out, and unknown weights are zero. The plain mean where all
 * weights are zero; null without a value. Example: 1 with weight 3 and 5 with weight 1: 2.
 */
export function weightedMean(
  pairs: readonly (readonly [value: number | null, weight: number | null])[],
): number | null {
  let [sum, weights, plain, count] = [0, 0, 0, 0];
  for (const [value, weight] of pairs) {
    if (value === null) continue;
    sum += value * (weight ?? 0);
    weights += weight ?? 0;
    plain += value;
    count += 1;
  }
  if (count === 0) return null;
  return weights > 0 ? sum / weights : plain / count;
}

/** The sum of the known values; null where all are unknown. */
export const sumKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** The quotient of two amounts; null where one of them is unknown or negative, or the second is zero. */
export const quotientOf = (part: number | null, whole: number | null): number | null =>
  part !== null && whole !== null && part >= 0 && whole > 0 ? part / whole : null;

/** Ask less bid in percent of the mid price; null where one of the two is not known. */
export const spreadPct = (bid: number | null, ask: number | null): number | null =>
  bid === null || ask === null || bid > ask || bid + ask <= 0
    ? null
    : ((ask - bid) / ((bid + ask) / 2)) * 100;

/** The asset of markets, of which there is at least one: its price is the mean by turnover of those near the median. */
export function summaryOf<M extends AssetMarket>(
  symbol: string,
  markets: readonly M[],
): AssetSummary<M> {
  const counted = nearMedian(markets);
  return {
    symbol,
    asset_class: markets[0]?.asset_class ?? 'unknown',
    price: weightedMean(counted.map(({ price, turnover }) => [price, turnover])) ?? Number.NaN,
    turnover: sumKnown(counted.map(({ turnover }) => turnover)) ?? 0,
    exchanges: new Set(counted.map(({ exchange }) => exchange)).size,
    received: Math.max(...counted.map(({ received }) => received)),
    counted,
    markets,
  };
}

/** The assets of markets. */
export function assetsOf<M extends AssetMarket>(markets: readonly M[]): AssetSummary<M>[] {
  return [...bySymbol(markets)].map(([symbol, own]) => summaryOf(symbol, own));
}

/** Markets by their asset, in their order. */
export const bySymbol = <M extends { symbol: string }>(markets: readonly M[]): Map<string, M[]> =>
  Map.groupBy(markets, ({ symbol }) => symbol);

/** Largest and smallest of the known prices of a day on some markets, US dollars; `rate` is that of a unit of their quote. */
export function dayRange(
  markets: readonly { row: { high: number | null; low: number | null }; rate: number }[],
) {
  const known = (key: 'high' | 'low') =>
    markets.flatMap(({ row, rate }) => (row[key] === null ? [] : [row[key] * rate]));
  const [highs, lows] = [known('high'), known('low')];
  return {
    high: highs.length === 0 ? null : Math.max(...highs),
    low: lows.length === 0 ? null : Math.min(...lows),
  };
}

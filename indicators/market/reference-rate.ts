/**
 * A reference price of an asset out of the last trades on several exchanges, such that no single exchange can move it far.
 * The weights are those of the CoinMetrics real-time reference rates: the mean of a market's share of the volume of 60 minutes
 * and of its share of the inverse variance. The rule of exclusion and return is that of the CME CF real-time indices.
 */
import { isAround } from '../digits.ts';
import { deviation, logReturns, median, weightedMedian } from './statistics.ts';

/** Version of the rules below; a change of any of them changes it. */
export const referenceRateVersion = 'tidemark-weighted-median-1';

/** Longest age of a last trade price, ms. */
export const longestAge = 10_000;
/** A market is left out beyond the first distance from the median, and comes back below the second: fractions. */
export const distances = { out: 0.05, back: 0.025 } as const;
/** Most that one market weighs. */
export const mostWeight = 0.4;
/** Fewer than these, and there is no rate. */
export const fewestMarkets = 3;

/** The largest dollar spot market of one exchange. */
export interface ReferenceMarket {
  exchange: string;
  market: string;
  /** Last trade, US dollars of one canonical unit. */
  price: number;
  /** Best quotes of the same message or older, US dollars; null where they are not known. */
  bid: number | null;
  ask: number | null;
  /** Time since the price was confirmed, ms. */
  age_ms: number;
  /** Volume of the last 60 minutes, base units; null where it is not known. */
  volume: number | null;
  /** Variance of the 60 one-minute logarithmic returns; null where it is not known. */
  variance: number | null;
  /** Marked by another check: its price stands still while those of others move, or it is not confirmed. */
  suspended: boolean;
}

/** Why a market counts or does not. */
export type ReferenceStatus = 'used' | 'stale' | 'outlier' | 'suspended' | 'no_volume' | 'crossed';

/** What rules a market out before its price is compared with the others. */
function unfit({ price, bid, ask, age_ms, volume, variance, suspended }: ReferenceMarket) {
  if (suspended || !(price > 0)) return 'suspended';
  if (age_ms > longestAge) return 'stale';
  if (bid !== null && ask !== null && bid >= ask) return 'crossed';
  return volume === null || variance === null || !(volume > 0) ? 'no_volume' : null;
}

/** Shares of the sum of the values. */
function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

/** Weights of which none is above the most: what is above is divided among the others in their proportion. */
export function cappedWeights(weights: readonly number[], most: number): number[] {
  const isCapped = weights.map(() => false);
  if (weights.length * most <= 1) return weights.map(() => 1 / weights.length);
  for (;;) {
    const rest = 1 - most * isCapped.filter(Boolean).length;
    const sum = weights.reduce((total, weight, i) => total + (isCapped[i] ? 0 : weight), 0);
    const scaled = weights.map((weight, i) => (isCapped[i] ? most : (weight / sum) * rest));
    const over = scaled.findIndex((weight, i) => !isCapped[i] && weight > most);
    if (over < 0) return scaled;
    isCapped[over] = true;
  }
}

/**
 * The weights of markets with a volume and a variance, capped. A variance of 0 (a price that never moved in 60 minutes)
 * counts as the smallest of the others, so that standing still gives no weight of its own.
 */
function weightsOf(markets: readonly ReferenceMarket[]): number[] {
  const variances = markets.map(({ variance }) => variance ?? 0);
  const least = Math.min(...variances.filter((variance) => variance > 0));
  const floor = Number.isFinite(least) ? least : 1;
  const calm = sharesOf(variances.map((variance) => 1 / Math.max(variance, floor)));
  const large = sharesOf(markets.map(({ volume }) => volume ?? 0));
  return cappedWeights(
    calm.map((share, i) => (share + (large[i] ?? 0)) / 2),
    mostWeight,
  );
}

/** By exchange, then by market. */
const inOrder = (a: ReferenceMarket, b: ReferenceMarket): number =>
  (a.exchange === b.exchange ? a.market < b.market : a.exchange < b.exchange) ? -1 : 1;

/**
 * The rate of one market per exchange. `outliers` are the exchanges that were left out for their distance before: they come
 * back closer than the others leave. Example: prices 99, 100, 101 with equal weights: 100.
 */
export function referenceRate(
  markets: readonly ReferenceMarket[],
  outliers: ReadonlySet<string> = new Set(),
) {
  const sorted = markets.toSorted(inOrder);
  const faults = sorted.map(unfit);
  const fit = sorted.filter((_, i) => faults[i] === null);
  const middle = fit.length === 0 ? null : median(fit.map(({ price }) => price));
  const isNear = ({ exchange, price }: ReferenceMarket) => {
    const most = outliers.has(exchange) ? distances.back : distances.out;
    return middle !== null && isAround(price, middle, most);
  };
  const used = fit.filter(isNear);
  const enough = used.length >= fewestMarkets;
  const weights = weightsOf(used);
  const venues = sorted.map((one, i) => {
    const at = used.indexOf(one);
    const status: ReferenceStatus = faults[i] ?? (at >= 0 ? 'used' : 'outlier');
    return {
      exchange: one.exchange,
      market: one.market,
      price: one.price,
      weight: weights[at] ?? 0,
      age_ms: one.age_ms,
      deviation_percent: middle === null ? null : (one.price / middle - 1) * 100,
      status,
      volume_60m_base: one.volume,
      variance_60m: one.variance,
    };
  });
  const reason = `${used.length} of ${sorted.length} markets can be used, at least ${fewestMarkets} are needed`;
  return {
    rate: enough
      ? weightedMedian(venues.map(({ price: value, weight }) => ({ value, weight })))
      : null,
    reason: enough ? null : reason,
    used: used.length,
    venues,
  };
}
export type ReferenceRate = ReturnType<typeof referenceRate>;

/** The variance of the logarithmic returns of consecutive closes, n - 1; null of fewer than three closes. */
export const varianceOf = (closes: readonly number[]): number | null =>
  closes.length < 3 ? null : deviation(logReturns(closes)) ** 2;

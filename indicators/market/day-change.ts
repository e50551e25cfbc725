/** The change of the price of an asset in 24 hours: one definition for every answer that states it. Pure. */
import { less } from '../digits.ts';
import { type AssetMarket, bySymbol, byTurnover, nearMedian, weightedMean } from './assets.ts';

/** What a change is of: the markets of all exchanges, those of the exchange that was asked for, or recorded mean prices. */
export const dayChangeBases = ['asset', 'exchange', 'recorded'] as const;

/** The change of an asset in 24 hours. */
export interface DayChange {
  percent: number;
  basis: (typeof dayChangeBases)[number];
}

/** What the change of an asset is made of. */
export interface DayChangeFacts {
  /** All dollar markets of the asset, spot and perpetual, of all exchanges. */
  markets: readonly AssetMarket[];
  /** The exchange whose markets alone count. */
  exchange?: string | undefined;
  /** The change of the recorded mean price, percent; null where it is not known. */
  recorded(): number | null;
}

/** The mean of the changes that markets of one asset state, by turnover, of those near the median price; null without one. */
const stated = (markets: readonly AssetMarket[]): number | null =>
  markets.length === 0
    ? null
    : weightedMean(nearMedian(markets).map(({ change, turnover }) => [change, turnover]));

/**
 * The change of an asset's price in 24 hours, percent: the mean of what its dollar markets state, spot and perpetual together,
 * weighted by turnover, without those more than 5 % from the median price. Where the exchange that is asked for states none it is
 * that of all exchanges, and where none of them states one that of the recorded prices; null where there are none.
 * Example: spot +2 with a turnover of 1, perpetual -2 with a turnover of 3: -1.
 */
export function dayChange({ markets, exchange, recorded }: DayChangeFacts): DayChange | null {
  const own = exchange === undefined ? [] : markets.filter((one) => one.exchange === exchange);
  const candidates = [
    { basis: 'exchange', of: () => stated(own) },
    { basis: 'asset', of: () => stated(markets) },
    { basis: 'recorded', of: recorded },
  ] as const;
  for (const { basis, of } of candidates) {
    const percent = of();
    if (percent !== null) return { percent, basis };
  }
  return null;
}

/**
 * The assets that moved most in 24 hours, `sign` 1 upwards and -1 downwards: each with its most traded market, where that has a
 * turnover of `least` US dollars or more. `changeOf` gives the change of an asset.
 */
export function moversOf(
  markets: readonly AssetMarket[],
  {
    sign,
    least,
    changeOf,
  }: { sign: 1 | -1; least: number; changeOf(symbol: string): DayChange | null },
) {
  const found: { market: AssetMarket; turnover: number; change: DayChange }[] = [];
  for (const [symbol, own] of bySymbol(markets)) {
    const [market] = nearMedian(own).toSorted(byTurnover);
    const turnover = market?.turnover ?? null;
    if (market === undefined || turnover === null || less(turnover, least) < 0) continue;
    const change = changeOf(symbol);
    if (change !== null && sign * change.percent > 0) found.push({ market, turnover, change });
  }
  return found.sort((a, b) => sign * (b.change.percent - a.change.percent));
}

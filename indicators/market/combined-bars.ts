/** Candles of one asset at several exchanges as one candle of each time. Pure. */
import { weightedMean } from './assets.ts';
import type { Candle } from './candles.ts';

type Price = 'open' | 'high' | 'low' | 'close';

/** The candles of one time, with the number of the exchanges. Weights are their base volumes; all count the same where nothing was traded. */
function combined(candles: readonly Candle[]) {
  const [first] = candles;
  if (!first) return null;
  const volume = candles.reduce((sum, one) => sum + one.volume, 0);
  const mean = (price: Price) =>
    weightedMean(candles.map((one) => [one[price], one.volume])) ?? first[price];
  const turnovers = candles.map(({ turnover }) => turnover);
  return {
    timestamp: first.timestamp,
    ...{ open: mean('open'), high: mean('high'), low: mean('low'), close: mean('close') },
    volume,
    turnover: turnovers.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    closed: candles.every(({ closed }) => closed),
    exchange_count: candles.length,
  };
}

/**
 * The candles of each time as one, ascending: each of the four prices is the mean of those of the exchanges, weighted by their base
 * volumes in that interval, so that low <= open, close <= high as in each of them; volumes are sums. A turnover is null where one
 * exchange states none, and a candle has ended where all of them have.
 */
export function combinedBars(lists: readonly (readonly Candle[])[]) {
  const byTime = Map.groupBy(lists.flat(), ({ timestamp }) => timestamp);
  return [...byTime.values()]
    .flatMap((candles) => combined(candles) ?? [])
    .sort((a, b) => a.timestamp - b.timestamp);
}

/**
 * Where positions would have been liquidated at each time of the past: the model of the liquidation map
 * (`oi_delta_leverage_v1`), followed candle by candle. Pure.
 */
import { bucketAt, bucketStart, roundStep } from '../market/round-step.ts';
import {
  type LeverageShare,
  type MapCandle,
  type MapMarket,
  type Pool,
  poolsOf,
  stepsOf,
} from './liquidation-map.ts';

/** Price rows of a map at about this number; a row is 1, 2 or 5 times a power of ten wide. */
const rows = 100;
/** Prices so far beyond the range of the candles are shown, a fraction: as far as the map does. */
const reach = 0.25;

/** Number of the time, number of the price, and what would be liquidated there, US dollars. */
type Cell = [time: number, price: number, usd: number];

/** Pools that a candle has not reached, smaller by the share of the open interest that was closed in it. */
function survivors(pools: readonly Pool[], { low, high }: MapCandle, shrink: number): Pool[] {
  return pools
    .filter(({ side, at }) => (side === 'long' ? low > at : high < at))
    .map((pool) => ({ ...pool, usd: pool.usd * shrink }));
}

/** What would be liquidated in each row, US dollars; rows are numbered from `first` on, `count` of them. */
function sumsOf(
  pools: readonly Pool[],
  { bucket, first, count }: { bucket: number; first: number; count: number },
): [row: number, usd: number][] {
  const sums = new Map<number, number>();
  for (const { at, usd } of pools) {
    const row = bucketAt(at, bucket) - first;
    if (row >= 0 && row < count) sums.set(row, (sums.get(row) ?? 0) + usd);
  }
  return [...sums].sort(([a], [b]) => a - b);
}

/** Rows that hold all prices of the candles and some more. */
function gridOf(candles: readonly MapCandle[]) {
  const lowest = Math.min(...candles.map(({ low }) => low)) * (1 - reach);
  const highest = Math.max(...candles.map(({ high }) => high)) * (1 + reach);
  const bucket = roundStep((highest - lowest) / rows);
  const first = bucketAt(lowest, bucket);
  return { bucket, first, count: bucketAt(highest, bucket) - first + 1 };
}

/** What would be liquidated of a market at each of its candles. */
function* columnsOf(
  { candles, interest }: MapMarket,
  shares: readonly LeverageShare[],
): Iterable<{ timestamp: number; pools: readonly Pool[] }> {
  const steps = stepsOf(candles, interest);
  let pools: Pool[] = [];
  for (const [i, candle] of candles.entries()) {
    const { entry = candle.close, opened = 0, shrink = 1 } = steps[i] ?? {};
    pools = [...survivors(pools, candle, shrink), ...poolsOf(entry, opened, shares)];
    yield { timestamp: candle.timestamp, pools };
  }
}

/**
 * The map of an asset on some exchanges together; null without candles. Its last column is the liquidation map of the same
 * candles. `close` is that of the first market.
 */
export function liquidationHeatmap(
  markets: readonly MapMarket[],
  shares: readonly LeverageShare[],
) {
  const all = markets.flatMap(({ candles }) => candles);
  if (all.length === 0) return null;
  const grid = gridOf(all);
  const timestamps = [...new Set(all.map(({ timestamp }) => timestamp))].sort((a, b) => a - b);
  const pools = new Map<number, Pool[]>(timestamps.map((timestamp) => [timestamp, []]));
  for (const market of markets)
    for (const column of columnsOf(market, shares))
      pools.get(column.timestamp)?.push(...column.pools);
  const cells = timestamps.flatMap((timestamp, time) =>
    sumsOf(pools.get(timestamp) ?? [], grid).map(([row, usd]): Cell => [time, row, usd]),
  );
  const closes = new Map(markets[0]?.candles.map(({ timestamp, close }) => [timestamp, close]));
  return {
    timestamps,
    prices: Array.from({ length: grid.count }, (_, row) =>
      bucketStart(grid.first + row, grid.bucket),
    ),
    bucket: grid.bucket,
    cells,
    max_value_usd: cells.reduce((most, [, , usd]) => Math.max(most, usd), 0),
    close: timestamps.map((timestamp) => closes.get(timestamp) ?? null),
  };
}

/** The buckets of an order book over time on one scale of prices. */
import { bucketAt } from '../market/round-step.ts';
import { type Buckets, bucketForm, priceOfBucket } from './buckets.ts';

/** The buckets at one time, Unix ms. */
export interface HeatmapColumn extends Buckets {
  time: number;
}

/** Index of the time, index of the price, US dollars. */
export type Cell = readonly [time: number, price: number, value: number];

/** Cells of less than this share of the largest are left out. */
const minShare = 0.001;

/** The values of one side of a column by row of prices. */
function rowsOf(column: Buckets, sign: -1 | 1, { low, size }: { low: number; size: number }) {
  const found = new Map<number, number>();
  for (const [i, value] of (sign < 0 ? column.bids : column.asks).entries()) {
    const row = bucketAt(priceOfBucket(column.mid, i, sign) - low, size);
    if (value <= 0 || row < 0 || row >= 2 * bucketForm.perSide) continue;
    found.set(row, (found.get(row) ?? 0) + value);
  }
  return found;
}

/** The heatmap of columns in the order of time; null of none. Rows are a hundred within 5 % of the newest mid price. */
export function heatmapOf(columns: readonly HeatmapColumn[]) {
  const newest = columns.at(-1);
  if (newest === undefined) return null;
  const count = 2 * bucketForm.perSide;
  const size = newest.mid * bucketForm.width;
  const scale = { size, low: newest.mid - (count / 2) * size };
  const cellsOf = (sign: -1 | 1): Cell[] =>
    columns.flatMap((column, time) =>
      [...rowsOf(column, sign, scale)].map(([row, value]): Cell => [time, row, value]),
    );
  const [bids, asks] = [cellsOf(-1), cellsOf(1)];
  let max_value = 0;
  for (const [, , value] of [...bids, ...asks]) max_value = Math.max(max_value, value);
  const isLarge = ([, , value]: Cell) => value >= minShare * max_value;
  return {
    bucket_size: size,
    prices: Array.from({ length: count }, (_, row) => scale.low + (row + 0.5) * size),
    bids: bids.filter(isLarge),
    asks: asks.filter(isLarge),
    max_value,
  };
}

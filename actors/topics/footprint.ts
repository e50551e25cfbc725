/** Folded trades as rows of the recorded series `footprint`: a column for each number of each bucket. */
import {
  type FoldedMinute,
  mostBuckets,
  type TakerSums,
} from '../../indicators/derivatives/trade-fold.ts';

const prices = ['open', 'high', 'low', 'close'] as const;
const sums = ['buy_base', 'sell_base', 'buy_usd', 'sell_usd'] as const;

export type FootprintColumn =
  | (typeof prices)[number]
  | 'step'
  | 'first'
  | 'trades'
  | `${keyof TakerSums}_${number}`;

/** The columns of every bucket. */
export const bucketColumns: readonly `${keyof TakerSums}_${number}`[] = Array.from(
  { length: mostBuckets },
  (_, at) => sums.map((name) => `${name}_${at}` as const),
).flat();

/** A minute as the values of a row; buckets that it does not have are left out. */
export function footprintValues(minute: FoldedMinute): Readonly<Record<string, number>> {
  const { buckets, open, high, low, close, step, first, trades } = minute;
  const own = buckets.flatMap((bucket, at) =>
    sums.map((name): [string, number] => [`${name}_${at}`, bucket[name]]),
  );
  return { open, high, low, close, step, first, trades, ...Object.fromEntries(own) };
}

/** Rows of the series as a reply has them. */
interface Rows {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The minutes of a reply about the series. */
export function footprintMinutes({ times, columns }: Rows): FoldedMinute[] {
  const cell = (name: FootprintColumn, row: number) => columns[name]?.[row] ?? null;
  const bucketOf = (at: number, row: number): TakerSums | null => {
    const [buy_base, sell_base, buy_usd, sell_usd] = sums.map((name) => cell(`${name}_${at}`, row));
    if (buy_base == null || sell_base == null || buy_usd == null || sell_usd == null) return null;
    return { buy_base, sell_base, buy_usd, sell_usd };
  };
  return times.flatMap((timestamp, row) => {
    const [open, high, low, close] = prices.map((name) => cell(name, row));
    const [step, first] = [cell('step', row), cell('first', row)];
    if (open == null || high == null || low == null || close == null) return [];
    if (step === null || first === null) return [];
    const found = Array.from({ length: mostBuckets }, (_, at) => bucketOf(at, row));
    const buckets = found.filter((bucket) => bucket !== null);
    const trades = cell('trades', row) ?? 0;
    return [{ timestamp, open, high, low, close, step, first, trades, buckets }];
  });
}

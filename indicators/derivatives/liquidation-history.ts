/** Recorded liquidations of several exchanges over time, added up. Pure. Times are Unix ms. */

/** The recorded sums of one exchange; null where a sum is not known. */
export interface RecordedSums {
  exchange: string;
  times: readonly number[];
  long: readonly (number | null)[];
  short: readonly (number | null)[];
  count: readonly (number | null)[];
}

interface Sums {
  long_usd: number;
  short_usd: number;
}

export interface LiquidationPoint extends Sums {
  timestamp: number;
  total_usd: number;
  /** Null where an exchange states sums without a number. */
  order_count: number | null;
  exchanges: Record<string, Sums>;
}

/** Adds the sums of an exchange in the step; `orders` is null where it states none. */
function addTo(point: LiquidationPoint, exchange: string, own: Sums, orders: number | null): void {
  point.exchanges[exchange] = own;
  point.long_usd += own.long_usd;
  point.short_usd += own.short_usd;
  point.total_usd += own.long_usd + own.short_usd;
  const before = point.order_count;
  point.order_count = before === null || orders === null ? null : before + orders;
}

/** A point for each step in which an exchange has sums. */
export function liquidationPoints(sums: readonly RecordedSums[]): LiquidationPoint[] {
  const points = new Map<number, LiquidationPoint>();
  for (const { exchange, times, long, short, count } of sums) {
    for (const [i, timestamp] of times.entries()) {
      const empty = { timestamp, long_usd: 0, short_usd: 0, total_usd: 0, order_count: 0 };
      const point = points.get(timestamp) ?? { ...empty, exchanges: {} };
      points.set(timestamp, point);
      const own = { long_usd: long[i] ?? 0, short_usd: short[i] ?? 0 };
      addTo(point, exchange, own, count[i] ?? null);
    }
  }
  return [...points.values()].sort((a, b) => a.timestamp - b.timestamp);
}

/** The answer about margin positions on Bitfinex, both polled and on demand. Pure. */
import { hour, minute } from '../../config/time.ts';
import { funding, type MarginPoint, margin } from '../../indicators/market/margin.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import type { FundingStats } from '../../indicators/market/rows.ts';
import type { MarginSize } from '../venues/bitfinex/analytics.ts';

export const marginName = 'bitfinex-margin';
/** Milliseconds between two rounds, and for which an answer on demand is cached. */
export const marginEvery = minute;

/** A point of the chart; the rate is that of US dollars, which those who are long borrow. */
export interface MarginRow extends Readonly<Record<string, unknown>> {
  timestamp: number;
  long_size: number;
  short_size: number;
  frr_daily_pct: number | null;
  backfilled?: true;
}

/** Both sides of each time at which both are known, ascending. */
export function pointsOf(rows: readonly MarginSize[]): MarginPoint[] {
  const shorts = new Map(
    rows.flatMap((row) => (row.side === 'short' ? [[row.time, row.size]] : [])),
  );
  return rows
    .flatMap(({ side, time, size }) => {
      const short = shorts.get(time);
      if (side !== 'long' || short === undefined) return [];
      return [{ timestamp: time, long_size: size, short_size: short }];
    })
    .sort((a, b) => a.timestamp - b.timestamp);
}

/** The newest of both sides, whose times may differ by a minute; null where one is missing. */
export function pointOf(rows: readonly MarginSize[]): MarginPoint | null {
  const long = rows.findLast(({ side }) => side === 'long');
  const short = rows.findLast(({ side }) => side === 'short');
  if (!long || !short) return null;
  const timestamp = Math.max(long.time, short.time);
  return { timestamp, long_size: long.size, short_size: short.size };
}

/** A table whose newest time is older than this is no longer updated, ms. */
const stopped = 6 * hour;

/** The reason to reject both sides, or null; `before` is the last sample, if it is recent. */
export function sizesDoubt(
  rows: readonly MarginSize[],
  before: MarginPoint | null,
  now: number,
): string | null {
  const point = pointOf(rows);
  if (!point) return 'one side is missing';
  if (point.long_size + point.short_size === 0) return 'nothing is held';
  if (now - point.timestamp > stopped) return 'older than six hours';
  return (
    plausible(point.long_size, before?.long_size ?? null, rules.marginSize) ??
    plausible(point.short_size, before?.short_size ?? null, rules.marginSize)
  );
}

/** The newest statistics of each currency. */
export type Funds = ReadonlyMap<string, FundingStats>;

/** The inputs of an answer. */
export interface MarginInputs {
  /** Base asset. */
  symbol: string;
  point: MarginPoint;
  /** US dollars; null where it is not known. */
  price: number | null;
  /** Hours before, ascending. */
  history: readonly MarginPoint[];
  funds: Funds;
}

/** The fields of the answer. */
export function marginFields({ symbol, point, price, history, funds }: MarginInputs) {
  const { timestamp: _, ...sides } = margin(point, price, history);
  const served = [...funds].map(([currency, stats]) => funding(currency, stats));
  return { symbol, ...sides, funding: served };
}

/** The point of the chart. */
export const rowOf = (point: MarginPoint, funds: Funds): MarginRow => {
  const dollar = funds.get('USD');
  return { ...point, frr_daily_pct: dollar ? dollar.frr_daily * 100 : null };
};

/** The form of a currency of Bitfinex: what has another is not sent. */
export const isCurrency = (symbol: string): boolean => /^[A-Z0-9]{2,10}$/.test(symbol);

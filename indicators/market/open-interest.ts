/** Open interest of assets: folded by exchange, and added up over exchanges. */
import { type Fold, foldReadings, type MarketRow, type ReadingOf } from './fold.ts';
import type { FoldContext } from './prices.ts';

/** Open interest of one market, one side. */
interface InterestFacts extends MarketRow {
  /** Base units; null when unknown. */
  units: number | null;
  /** In `quote`. */
  value: number;
  /** In `quote`; null where the exchange states units and value. */
  mark: number | null;
  /** Unix ms; null when the exchange states none. */
  stated: number | null;
}

/** Open interest of one asset at one exchange, one side. */
export interface OpenInterestEntry {
  /** US dollars. */
  oi_usd: number;
  /** Base units; null when those of one of its markets are unknown. */
  oi_contracts: number | null;
  /** Receive time of the oldest of its markets, Unix ms. */
  updated_at: number;
  /** Time that the exchange states for its largest market, Unix ms; null where it states none. */
  venue_time: number | null;
  /** The price that turned units into value in its largest market, US dollars; null where the exchange stated both. */
  mark_price: number | null;
}

/** Value of the largest market of each entry, and the number of its markets. */
const parts = new WeakMap<OpenInterestEntry, { largest: number; markets: number }>();

/** Number of markets that an entry is the sum of. */
export const marketsOf = (entry: OpenInterestEntry): number => parts.get(entry)?.markets ?? 0;

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** Adds one market; time and mark price are those of the largest one. */
function addInterest(
  entries: Map<string, OpenInterestEntry>,
  row: InterestFacts,
  { rate, received }: { rate: number; received: number },
): void {
  const value = row.value * rate;
  const before = entries.get(row.symbol);
  const { largest = 0, markets = 0 } = (before && parts.get(before)) ?? {};
  const leads = before === undefined || value > largest;
  const mark = row.mark === null ? null : row.mark * rate;
  const entry: OpenInterestEntry = {
    oi_usd: (before?.oi_usd ?? 0) + value,
    oi_contracts: sum(before === undefined ? 0 : before.oi_contracts, row.units),
    updated_at: Math.min(before?.updated_at ?? received, received),
    venue_time: leads ? row.stated : before.venue_time,
    mark_price: leads ? mark : before.mark_price,
  };
  parts.set(entry, { largest: leads ? value : largest, markets: markets + 1 });
  entries.set(row.symbol, entry);
}

/** The open interest of one exchange by asset, of its dollar markets. */
export const foldOpenInterest = (
  readings: Iterable<ReadingOf<InterestFacts>>,
  context: FoldContext,
): Fold<OpenInterestEntry> => foldReadings(readings, { ...context, add: addInterest, isSum: true });

/** Open interest of an asset at one exchange, with the turnover that it is held against. */
export interface StatedInterest {
  exchange: string;
  /** US dollars. */
  value: number;
  /** 24 h turnover of the asset at the same exchange, US dollars; null when unknown. */
  turnover: number | null;
}

/** Days of its own turnover that no open interest is worth, where it is more than all others together. */
const mostDays = 100;
/** Where the turnover is unknown: this multiple of all others together, with two others at least. */
const mostTimes = 1_000;

function isImplausible(
  { value, turnover }: StatedInterest,
  { rest, others }: { rest: number; others: number },
): boolean {
  if (others === 0) return false;
  if (turnover !== null && turnover > 0) return value > rest && value > mostDays * turnover;
  return others > 1 && value > mostTimes * rest;
}

/**
 * Exchanges whose open interest cannot be true: more than that of all others together, and more than 100 days of the
 * exchange's own turnover. Judged from the largest down, each against those that are smaller. Example: 5e9, 3e9 and 2e9
 * beside 1e15 with a turnover of 3e9: the last one.
 */
export function implausibleInterest(stated: readonly StatedInterest[]): ReadonlySet<string> {
  const found = new Set<string>();
  const falling = stated.toSorted((a, b) => b.value - a.value);
  for (const [i, one] of falling.entries()) {
    const smaller = falling.slice(i + 1);
    const rest = smaller.reduce((sum, { value }) => sum + value, 0);
    if (!isImplausible(one, { rest, others: smaller.length })) break;
    found.add(one.exchange);
  }
  return found;
}

/**
 * The open interest of an asset over the exchanges, without those whose value is implausible. `turnover` gives the 24 h
 * turnover of the asset at an exchange, US dollars; null when unknown.
 */
export function totalInterest(
  entries: readonly (readonly [exchange: string, OpenInterestEntry])[],
  turnover: (exchange: string) => number | null,
): { excluded: ReadonlySet<string>; total_oi_usd: number; exchange_count: number } {
  const stated = entries.map(([exchange, { oi_usd: value }]) => ({
    exchange,
    value,
    turnover: turnover(exchange),
  }));
  const excluded = implausibleInterest(stated);
  const counted = stated.filter(({ exchange }) => !excluded.has(exchange));
  return {
    excluded,
    total_oi_usd: counted.reduce((total, { value }) => total + value, 0),
    exchange_count: counted.length,
  };
}

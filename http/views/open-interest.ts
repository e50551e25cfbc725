import { type OpenInterestRow, type Reading, topics } from '../../actors/topics.ts';
import type { Snapshot } from '../snapshots.ts';
import { foldVenue, type Rates } from './fold.ts';
import { SymbolView } from './symbols.ts';

/** One exchange's open interest of one symbol, one side counted (specification 2.15). */
export interface OpenInterestEntry {
  oi_usd: number;
  /** Base-asset units; null when those of one of its markets are unknown. */
  oi_contracts: number | null;
  /** When the oldest of its markets was received. */
  updated_at: number;
  /** What the exchange stated as its time, of its largest market; null where it states none. */
  venue_time: number | null;
  /** The price that turned units into value in its largest market, USD; null where the exchange gave both. */
  mark_price: number | null;
}

/** Value of the largest market of each entry. */
const largest = new WeakMap<OpenInterestEntry, number>();

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** Adds one market of the symbol; time and mark price are those of the largest one. */
function addMarket(
  entries: Map<string, OpenInterestEntry>,
  row: OpenInterestRow,
  { rate, received }: { rate: number; received: number },
): void {
  const value = row.value * rate;
  const before = entries.get(row.symbol);
  const leads = before === undefined || value > (largest.get(before) ?? 0);
  const mark = row.mark === null ? null : row.mark * rate;
  const entry: OpenInterestEntry = {
    oi_usd: (before?.oi_usd ?? 0) + value,
    oi_contracts: sum(before === undefined ? 0 : before.oi_contracts, row.units),
    updated_at: Math.min(before?.updated_at ?? received, received),
    venue_time: leads ? row.stated : before.venue_time,
    mark_price: leads ? mark : before.mark_price,
  };
  largest.set(entry, leads ? value : (largest.get(before) ?? 0));
  entries.set(row.symbol, entry);
}

/**
 * The answers of `/v1/open-interest`: per exchange the sum over its dollar perpetuals of the symbol, over the
 * exchanges the sum of those. Rows that have become too old are left out and their exchanges named.
 */
export class OpenInterestView {
  readonly #symbols: SymbolView<OpenInterestRow, OpenInterestEntry>;

  /** `rates` gives USD per unit of each dollar quote. */
  constructor(rates: () => Rates) {
    const { maxAge } = topics.openInterest;
    const total = (entries: readonly OpenInterestEntry[]) =>
      entries.reduce((sum, entry) => sum + entry.oi_usd, 0);
    this.#symbols = new SymbolView({
      maxAge,
      fold: (readings, now) => foldVenue(readings, { rates: rates(), now, maxAge, add: addMarket }),
      one: (symbol, entries, stale) => ({
        symbol,
        total_oi_usd: total(entries.map(([, entry]) => entry)),
        exchange_count: entries.length,
        exchanges: Object.fromEntries(entries),
        stale_exchanges: stale,
      }),
      summary: (entries) => ({
        total_oi_usd: total(entries),
        exchange_count: entries.length,
      }),
    });
  }

  /** Takes a reading; one older than what is here is ignored. `now` is Unix ms. */
  accept(reading: Reading<OpenInterestRow>, now: number): void {
    this.#symbols.accept(reading, now);
  }

  /** Lets rows that have become too old leave the answers. To be called about every second. */
  expire(now: number): void {
    this.#symbols.expire(now);
  }

  /** The map of all symbols, or null when there is nothing in it. */
  all(): Snapshot | null {
    return this.#symbols.all();
  }

  /** The answer for one symbol; `stale` when every exchange's reading of it is too old. */
  one(symbol: string): Snapshot | 'unknown' | 'stale' {
    return this.#symbols.one(symbol);
  }
}
